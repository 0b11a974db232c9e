import { documentLanguage } from "#shared/messages/language.ts";

const names = new Intl.DisplayNames([documentLanguage()], { type: "language", fallback: "code" });

/** Formats a BCP 47 tag as "German", in the language of the interface. An invalid tag is returned unchanged. */
export function formatLanguage(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
