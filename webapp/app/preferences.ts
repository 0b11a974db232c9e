import { atom } from "jotai/vanilla";
import { z } from "zod";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { changedPart, mergeParts, mergePreferences } from "#shared/user/merge-preferences.ts";
import { Preferences } from "#shared/user/schema.ts";
import { accountIdAtom } from "./session/account-atom.ts";
import { loadForAccount, type SessionCheck, watchSession } from "./session/load-for-account.ts";
import { notify } from "./alerts.ts";
import { client } from "./client.ts";
import { applyLanguage } from "./browser/language.ts";
import { readLocal, removeLocal, writeLocal } from "./browser/local-storage.ts";
import { logWarning } from "./log.ts";
import { store } from "./store.ts";
import { applyTheme } from "./browser/theme.ts";

const STORAGE_KEY = "lamplight_preferences";
/** The values that the server has not acknowledged yet, as JSON. */
const UNSENT_KEY = "lamplight_preferences_unsent";

const currentAtom = atom<Preferences>(readCachedPreferences());
/** The user's preferences. Until the server has responded, the preferences that are cached in this browser. */
export const preferencesAtom = atom((get) => get(currentAtom));

type Part = Record<string, unknown>;

/** Unsent values where the browser stores nothing. */
let unsentInMemory: Part = {};

function readUnsent(): Part {
  const stored = readLocal(UNSENT_KEY);
  if (stored === null) return unsentInMemory;
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(stored));
  } catch {
    // Earlier versions only stored that something is unsent.
    return { ...store.get(currentAtom) };
  }
}

function writeUnsent(part: Part): void {
  unsentInMemory = {};
  if (Object.keys(part).length === 0) return removeLocal(UNSENT_KEY);
  writeLocal(UNSENT_KEY, JSON.stringify(part));
  if (readLocal(UNSENT_KEY) === null) unsentInMemory = part;
}

/** Ends when all changes so far have been sent. */
let sending: Promise<unknown> = Promise.resolve();
let changes = 0;

/** Sends what is unsent; it is forgotten once the server has acknowledged it. */
async function sendPart(): Promise<void> {
  const part = readUnsent();
  if (Object.keys(part).length === 0) return;
  const isCurrent = watchSession();
  await client.user.savePreferences(part);
  // Preferences that were changed meanwhile stay.
  if (isCurrent()) writeUnsent(changedPart(part, readUnsent()));
}

/** Sends what is unsent after the calls before. */
function sendUnsent(): Promise<void> {
  const sent = sending.then(sendPart);
  sending = sent.catch(() => undefined);
  return sent;
}

/** The account's preferences, with what the student changed while they were being loaded. */
async function fetchPreferences(): Promise<Preferences> {
  for (;;) {
    await sending;
    const changesBefore = changes;
    const fetched = await client.user.getPreferences({});
    if (changes === changesBefore) return mergePreferences(fetched, readUnsent()) ?? fetched;
  }
}

/** A refused change would be refused again at each start. */
function forgetRefused(error: unknown, isCurrent: SessionCheck): void {
  if (!(error instanceof Failure && error.code === "bad_input") || !isCurrent()) throw error;
  logWarning("Unsent preferences were refused", error);
  writeUnsent({});
}

function loadPreferences(): Promise<void> {
  const isCurrent = watchSession();
  return loadForAccount(
    async () => {
      await sendUnsent().catch((error: unknown) => forgetRefused(error, isCurrent));
      return fetchPreferences();
    },
    (fetched) => {
      applyPreferences(fetched);
      applyLanguage(fetched.appearance.language);
    },
    // The cached preferences or the defaults are good enough.
    (error) => logWarning("Failed to load preferences", error),
  );
}

/** Applies a change at once. Offline, it is sent later. If the server refuses it, it is reverted with a notice. */
export async function changePreferences(change: (preferences: Preferences) => Preferences): Promise<void> {
  const before = store.get(currentAtom);
  const after = change(before);
  // Only what changed: the others may still be loading, or have been changed on another device.
  const part = changedPart(before, after);
  const earlier = readUnsent();
  applyPreferences(after);
  writeUnsent(mergeParts(earlier, part));
  changes += 1;
  const isCurrent = watchSession();
  const revert = () => {
    writeUnsent(earlier);
    applyPreferences(mergePreferences(store.get(currentAtom), changedPart(after, before)) ?? before);
    notify({ message: t("failures.settings"), type: "error" });
  };
  try {
    await sendUnsent();
  } catch (error) {
    if (!(error instanceof NoResponseError)) {
      logWarning("Failed to save preferences", error);
      if (isCurrent()) revert();
      return;
    }
  }
  // Only after the call, because a new language reloads the document, which would abort the call.
  if (isCurrent()) applyLanguage(after.appearance.language);
}

function handleAccountChange(): void {
  if (store.get(accountIdAtom) !== undefined) return void loadPreferences();
  return resetPreferences();
}

/** Resets to the defaults and removes this account's preferences from the browser. */
export function resetPreferences(): void {
  removeLocal(STORAGE_KEY);
  writeUnsent({});
  store.set(currentAtom, Preferences.parse({}));
}

store.sub(accountIdAtom, handleAccountChange);
if (typeof window !== "undefined")
  window.addEventListener("online", () => {
    if (Object.keys(readUnsent()).length > 0) handleAccountChange();
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
