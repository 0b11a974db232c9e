import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { Preferences } from "#shared/user/schema.ts";
import { accountIdAtom } from "./session/account-atom.ts";
import { notify } from "./alerts.ts";
import { client } from "./client.ts";
import { applyLanguage } from "./browser/language.ts";
import { readLocal, removeLocal, writeLocal } from "./browser/local.ts";
import { logTrouble } from "./log.ts";
import { store } from "./store.ts";
import { applyTheme } from "./browser/theme.ts";

const REMEMBERED = "lamplight_preferences";
/** Set while an offline change has not been sent to the server. */
const UNSENT = "lamplight_preferences_unsent";

const currentAtom = atom<Preferences>(recall());
/** The user's preferences; those cached in this browser until the server has answered. */
export const preferencesAtom = atom((get) => get(currentAtom));

async function loadPreferences(): Promise<void> {
  try {
    const isUnsent = readLocal(UNSENT) !== null;
    show(await (isUnsent ? client.user.savePreferences(store.get(currentAtom)) : client.user.getPreferences({})));
    if (isUnsent) removeLocal(UNSENT);
    applyLanguage(store.get(currentAtom).appearance.language);
  } catch (error) {
    // The cached preferences or the defaults are good enough.
    logTrouble("Failed to load preferences", error);
  }
}

/** Takes effect at once; kept for a later attempt when offline, reverted with a notice if the server refuses it. */
export async function changePreferences(change: (preferences: Preferences) => Preferences): Promise<void> {
  const before = store.get(currentAtom);
  const after = change(before);
  show(after);
  try {
    await client.user.savePreferences(after);
    removeLocal(UNSENT);
    // After the call: a new language reloads the document and would abort it.
    applyLanguage(after.appearance.language);
  } catch (error) {
    if (error instanceof NoAnswer) {
      writeLocal(UNSENT, "1");
      return applyLanguage(after.appearance.language);
    }
    logTrouble("Failed to save preferences", error);
    show(before);
    notify({ message: t("failures.settings"), type: "error" });
  }
}

function accountChanged(): void {
  if (store.get(accountIdAtom) !== undefined) return void loadPreferences();
  return forgetPreferences();
}

/** Resets to the defaults and removes this account's preferences from the browser. */
export function forgetPreferences(): void {
  removeLocal(REMEMBERED);
  removeLocal(UNSENT);
  store.set(currentAtom, Preferences.parse({}));
}

store.sub(accountIdAtom, accountChanged);
if (typeof window !== "undefined")
  window.addEventListener("online", () => {
    if (readLocal(UNSENT) !== null) accountChanged();
  });
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
    // Not a valid cache entry: use the defaults.
  }
  return Preferences.parse({});
}
