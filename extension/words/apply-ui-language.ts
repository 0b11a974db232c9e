import { failures } from "#shared/messages/de/app/failures.ts";
import { phrases } from "#shared/messages/de/study/phrases.ts";
import { reasons } from "#shared/messages/de/reasons/reasons.ts";
import { setLanguage } from "#shared/messages/translate.ts";
import { uiLanguage } from "./ui-language.ts";

/** Sets the document's language and loads the shared strings in it. */
export function applyUiLanguage(): void {
  document.documentElement.lang = uiLanguage;
  if (uiLanguage === "de") void setLanguage("de", { table: { failures, phrases, reasons }, titles: {} });
}
