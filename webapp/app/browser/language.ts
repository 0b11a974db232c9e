import { documentLanguage, languages, MIRRORED, type Language } from "#shared/messages/language.ts";
import { setPostprocessor, setLanguage } from "#shared/messages/translate.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { readLocal, removeLocal, writeLocal } from "./local-storage.ts";
import { logWarning } from "../log.ts";

/** The language preference. `boot.js` reads it too, and sets the document's language before the first paint. */
const STORAGE_KEY = "lamplight_language";

type LanguagePreference = Preferences["appearance"]["language"];

/** Loads the messages of the document's language before the first render. English messages are bundled. */
export async function loadLanguage(): Promise<void> {
  const language = documentLanguage();
  try {
    if (language === "de") await setLanguage(language, await import("#shared/messages/german.ts"));
    if (language === MIRRORED) setPostprocessor((await import("#shared/messages/mirrored.ts")).mirrorMessage);
  } catch (error) {
    // Falls back to English if the file cannot be loaded.
    logWarning("Could not load the messages of this language", error);
  }
}

/** Resolves the preference as `boot.js` does. */
function resolveLanguage(preference: LanguagePreference): Language {
  if (preference !== "system") return preference;
  const tags = navigator.languages.map((tag) => tag.slice(0, 2));
  return tags.find((tag): tag is Language => tag in languages) ?? "en";
}

/** The language in which a visitor sees the app, if it is not the device's: it was chosen on a public page. */
export function visitorLanguage(): Language | undefined {
  const language = documentLanguage();
  return language in languages && language !== resolveLanguage("system") ? (language as Language) : undefined;
}

/** Before a visitor follows a link to another language, which the server remembers. */
export const forgetLanguage = (): void => removeLocal(STORAGE_KEY);

let reload = () => location.reload();
/** Lets tests replace the reload. */
export function setReload(next: () => void): void {
  reload = next;
}

/** Stores the choice, and reloads if the document is in another language. */
export function applyLanguage(preference: LanguagePreference): void {
  const stored = readLocal(STORAGE_KEY) ?? "system";
  // The mirrored pseudo-language for tests is not replaced by the account's preference.
  if (stored === preference || stored === MIRRORED) return;
  writeLocal(STORAGE_KEY, preference);
  // If storage is unavailable, reloading would loop without any effect.
  if (readLocal(STORAGE_KEY) === preference && resolveLanguage(preference) !== documentLanguage()) reload();
}
