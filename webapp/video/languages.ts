import { t } from "#shared/messages/translate.ts";
import { formatLanguage } from "#webapp/app/format/format-language.ts";

/** The display name of the language of captions. */
export const languageName = (tag: string): string =>
  tag === "und" ? t("video.language_unknown") : formatLanguage(tag);

/** Common caption languages; the browser's own are listed first. */
const COMMON_LANGUAGES =
  "en es fr de it pt nl pl sv da nb fi cs ro hu el tr ru uk he ar fa hi bn ta id vi th zh ja ko".split(" ");

export function listCaptionLanguages(): { value: string; label: string }[] {
  const browserLanguages = navigator.languages.filter((tag) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag));
  return [...new Set([...browserLanguages, ...COMMON_LANGUAGES, "und"])].map((value) => ({
    value,
    label: languageName(value),
  }));
}
