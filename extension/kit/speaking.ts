import { answers } from "#shared/messages/de/answers.ts";
import { failures } from "#shared/messages/de/failures.ts";
import { reasons } from "#shared/messages/de/reasons.ts";
import { speak } from "#shared/messages/translate.ts";
import { languageSpoken } from "./spoken.ts";

/** Says what this document is written in, and gives the words that are shared with the web app in that language. */
export function speakHere(): void {
  document.documentElement.lang = languageSpoken;
  if (languageSpoken === "de") void speak("de", { table: { failures, reasons }, titles: {}, answers });
}
