import { languageHere, languages, MIRRORED, type Language } from "#shared/messages/language.ts";
import { mendBy, speak } from "#shared/messages/translate.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { readLocal, writeLocal } from "./local.ts";
import { logTrouble } from "../log.ts";

/** Read by `boot.js` too, which says to the document what it is written in before anything is painted. */
const KEY = "lamplight_language";

type Wanted = Preferences["appearance"]["language"];

/** The words of this document's language, before the first screen is drawn; English has come with the code already. */
export async function loadLanguage(): Promise<void> {
  const language = languageHere();
  try {
    if (language === "de") await speak(language, await import("#shared/messages/german.ts"));
    if (language === MIRRORED) mendBy((await import("#shared/messages/mirrored.ts")).mirrored);
  } catch (error) {
    // Without a network and without the file the screens are English: better than none.
    logTrouble("The words of this language could not be loaded", error);
  }
}

/** What `boot.js` makes of a choice. */
function spokenIn(wanted: Wanted): Language {
  if (wanted !== "system") return wanted;
  const tags = navigator.languages.map((tag) => tag.slice(0, 2));
  return tags.find((tag): tag is Language => tag in languages) ?? "en";
}

let reload = () => location.reload();
/** Tests stay where they are. */
export function reloadBy(next: () => void): void {
  reload = next;
}

/** Keeps the choice in this browser; where the document speaks another language it is opened anew. */
export function applyLanguage(wanted: Wanted): void {
  const kept = readLocal(KEY) ?? "system";
  if (kept === wanted || kept === MIRRORED) return;
  writeLocal(KEY, wanted);
  // Where nothing can be kept, opening it anew would change nothing, again and again.
  if (readLocal(KEY) === wanted && spokenIn(wanted) !== languageHere()) reload();
}
