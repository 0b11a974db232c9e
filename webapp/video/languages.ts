import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";

const displayNames = new Intl.DisplayNames([documentLanguage()], { type: "language", fallback: "code" });

/** The display name of a language tag. */
export function languageName(tag: string): string {
  if (tag === "und") return t("video.language_unknown");
  try {
    return displayNames.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

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
