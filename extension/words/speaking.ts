import { answers } from "#shared/messages/de/answers.ts";
import { failures } from "#shared/messages/de/app/failures.ts";
import { reasons } from "#shared/messages/de/reasons.ts";
import { speak } from "#shared/messages/translate.ts";
import { languageSpoken } from "./spoken.ts";

/** Sets the document's language and loads the shared strings in it. */
export function speakHere(): void {
  document.documentElement.lang = languageSpoken;
  if (languageSpoken === "de") void speak("de", { table: { failures, reasons }, titles: {}, answers });
}
