import { languageHere, languages, MIRRORED, type Language } from "#shared/messages/language.ts";
import { mendBy, speak } from "#shared/messages/translate.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { readLocal, writeLocal } from "./local.ts";
import { logTrouble } from "../log.ts";

/** Also read by `boot.js`, which sets the document's language before the first paint. */
const KEY = "lamplight_language";

type Wanted = Preferences["appearance"]["language"];

/** Loads the messages of the document's language before the first render; English is bundled. */
export async function loadLanguage(): Promise<void> {
  const language = languageHere();
  try {
    if (language === "de") await speak(language, await import("#shared/messages/german.ts"));
    if (language === MIRRORED) mendBy((await import("#shared/messages/mirrored.ts")).mirrored);
  } catch (error) {
    // Falls back to English if the file cannot be loaded.
    logTrouble("Could not load the messages of this language", error);
  }
}

/** Resolves the preference as `boot.js` does. */
function spokenIn(wanted: Wanted): Language {
  if (wanted !== "system") return wanted;
  const tags = navigator.languages.map((tag) => tag.slice(0, 2));
  return tags.find((tag): tag is Language => tag in languages) ?? "en";
}

let reload = () => location.reload();
/** Lets tests replace the reload. */
export function reloadBy(next: () => void): void {
  reload = next;
}

/** Stores the choice; reloads if the document is in another language. */
export function applyLanguage(wanted: Wanted): void {
  const kept = readLocal(KEY) ?? "system";
  if (kept === wanted || kept === MIRRORED) return;
  writeLocal(KEY, wanted);
  // If storage is unavailable, reloading would loop without any effect.
  if (readLocal(KEY) === wanted && spokenIn(wanted) !== languageHere()) reload();
}
