import { atom } from "jotai/vanilla";
import { t } from "#shared/messages/translate.ts";
import { Preferences } from "#shared/user/schema.ts";
import { accountIdAtom } from "./account-atom.ts";
import { notify } from "./alerts.ts";
import { client } from "./client.ts";
import { readLocal, removeLocal, writeLocal } from "./local.ts";
import { logTrouble } from "./log.ts";
import { store } from "./store.ts";
import { applyTheme } from "./theme.ts";

const REMEMBERED = "lamplight_preferences";

const currentAtom = atom<Preferences>(recall());
/** The user's preferences; those of this browser's last visit until the server has answered. */
export const preferencesAtom = atom((get) => get(currentAtom));

async function loadPreferences(): Promise<void> {
  try {
    show(await client.user.getPreferences({}));
  } catch (error) {
    // What was remembered, or the defaults, serve as well.
    logTrouble("Failed to load preferences", error);
  }
}

/** Takes effect at once and is taken back, with a notice, where the server refuses it. */
export async function changePreferences(change: (preferences: Preferences) => Preferences): Promise<void> {
  const before = store.get(currentAtom);
  const after = change(before);
  show(after);
  try {
    await client.user.savePreferences(after);
  } catch (error) {
    logTrouble("Failed to save preferences", error);
    show(before);
    notify({ message: t("failures.settings"), type: "error" });
  }
}

function accountChanged(): void {
  if (store.get(accountIdAtom) !== undefined) return void loadPreferences();
  // The next account starts from the defaults, and nothing of this one stays in the browser.
  removeLocal(REMEMBERED);
  return store.set(currentAtom, Preferences.parse({}));
}

store.sub(accountIdAtom, accountChanged);
if (store.get(accountIdAtom) !== undefined) accountChanged();

function show(preferences: Preferences): void {
  store.set(currentAtom, preferences);
  writeLocal(REMEMBERED, JSON.stringify(preferences));
  applyTheme(preferences.appearance.theme);
}

function recall(): Preferences {
  try {
    const kept = Preferences.safeParse(JSON.parse(readLocal(REMEMBERED) ?? "{}"));
    if (kept.success) return kept.data;
  } catch {
    // Not what we wrote: the defaults serve.
  }
  return Preferences.parse({});
}
