import { languageHere } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";

const names = new Intl.DisplayNames([languageHere()], { type: "language", fallback: "code" });

/** The display name of a language tag. */
export function nameOfLanguage(tag: string): string {
  if (tag === "und") return t("video.language_unknown");
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Common caption languages; the browser's own are listed first. */
const COMMON = "en es fr de it pt nl pl sv da nb fi cs ro hu el tr ru uk he ar fa hi bn ta id vi th zh ja ko".split(
  " ",
);

export function captionLanguages(): { value: string; label: string }[] {
  const own = navigator.languages.filter((tag) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag));
  return [...new Set([...own, ...COMMON, "und"])].map((value) => ({ value, label: nameOfLanguage(value) }));
}
