import { atom } from "jotai/vanilla";
import { NoResponse } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { changedPart, mergePreferences } from "#shared/user/preferences.ts";
import { Preferences } from "#shared/user/schema.ts";
import { accountIdAtom } from "./session/account-atom.ts";
import { notify } from "./alerts.ts";
import { client } from "./client.ts";
import { applyLanguage } from "./browser/language.ts";
import { readLocal, removeLocal, writeLocal } from "./browser/local-storage.ts";
import { logWarning } from "./log.ts";
import { store } from "./store.ts";
import { applyTheme } from "./browser/theme.ts";

const STORAGE_KEY = "lamplight_preferences";
/** Set while an offline change has not been sent to the server. */
const UNSENT_KEY = "lamplight_preferences_unsent";

const currentAtom = atom<Preferences>(readCachedPreferences());
/** The user's preferences. Until the server has responded, the preferences that are cached in this browser. */
export const preferencesAtom = atom((get) => get(currentAtom));

/** Ends when all changes so far have been sent. */
let sending: Promise<unknown> = Promise.resolve();
let changes = 0;

function sendChange(changed: Record<string, unknown>): Promise<unknown> {
  changes += 1;
  const sent = sending.then(() => client.user.savePreferences(changed));
  sending = sent.catch(() => undefined);
  return sent;
}

/** The account's preferences, with what the student changed while they were being loaded. */
async function fetchPreferences(): Promise<Preferences> {
  for (;;) {
    await sending;
    const changesBefore = changes;
    const fetched = await client.user.getPreferences({});
    if (changes === changesBefore) return fetched;
  }
}

async function loadPreferences(): Promise<void> {
  try {
    const isUnsent = readLocal(UNSENT_KEY) !== null;
    applyPreferences(await (isUnsent ? client.user.savePreferences(store.get(currentAtom)) : fetchPreferences()));
    if (isUnsent) removeLocal(UNSENT_KEY);
    applyLanguage(store.get(currentAtom).appearance.language);
  } catch (error) {
    // The cached preferences or the defaults are good enough.
    logWarning("Failed to load preferences", error);
  }
}

/** Applies a change at once. Offline, it is sent later. If the server refuses it, it is reverted with a notice. */
export async function changePreferences(change: (preferences: Preferences) => Preferences): Promise<void> {
  const before = store.get(currentAtom);
  const after = change(before);
  applyPreferences(after);
  try {
    // Only what changed: the others may still be loading, or have been changed on another device.
    const isAnyUnsent = readLocal(UNSENT_KEY) !== null;
    await sendChange(isAnyUnsent ? after : changedPart(before, after));
    removeLocal(UNSENT_KEY);
    // Only after the call, because a new language reloads the document, which would abort the call.
    applyLanguage(after.appearance.language);
  } catch (error) {
    if (error instanceof NoResponse) {
      writeLocal(UNSENT_KEY, "1");
      return applyLanguage(after.appearance.language);
    }
    logWarning("Failed to save preferences", error);
    applyPreferences(mergePreferences(store.get(currentAtom), changedPart(after, before)) ?? before);
    notify({ message: t("failures.settings"), type: "error" });
  }
}

function handleAccountChange(): void {
  if (store.get(accountIdAtom) !== undefined) return void loadPreferences();
  return resetPreferences();
}

/** Resets to the defaults and removes this account's preferences from the browser. */
export function resetPreferences(): void {
  removeLocal(STORAGE_KEY);
  removeLocal(UNSENT_KEY);
  store.set(currentAtom, Preferences.parse({}));
}

store.sub(accountIdAtom, handleAccountChange);
if (typeof window !== "undefined")
  window.addEventListener("online", () => {
    if (readLocal(UNSENT_KEY) !== null) handleAccountChange();
  });
if (store.get(accountIdAtom) !== undefined) handleAccountChange();

function applyPreferences(preferences: Preferences): void {
  store.set(currentAtom, preferences);
  writeLocal(STORAGE_KEY, JSON.stringify(preferences));
  applyTheme(preferences.appearance.theme);
}

function readCachedPreferences(): Preferences {
  try {
    const cached = Preferences.safeParse(JSON.parse(readLocal(STORAGE_KEY) ?? "{}"));
    if (cached.success) return cached.data;
  } catch {
    // The cache entry is invalid, so the defaults are used.
  }
  return Preferences.parse({});
}
