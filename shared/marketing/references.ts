/** Kinds of sources, as CSL names them (https://docs.citationstyles.org/en/stable/specification.html). */
export const sourceTypes = [
  "book",
  "chapter",
  "article-journal",
  "article-newspaper",
  "webpage",
  "report",
  "thesis",
  "paper-conference",
  "motion_picture",
] as const;
export type SourceType = (typeof sourceTypes)[number];

export const sourceFields = [
  "authors",
  "title",
  "container-title",
  "editors",
  "date",
  "publisher",
  "publisher-place",
  "genre",
  "edition",
  "volume",
  "issue",
  "page",
  "DOI",
  "ISBN",
  "URL",
  "accessed",
] as const;
export type SourceField = (typeof sourceFields)[number];

/** A source as it is typed: every field a line of text. */
export interface Reference extends Partial<Record<SourceField, string>> {
  id: string;
  type: SourceType;
}

/** The address of a DOI is not part of it. */
export const cleanDoi = (text: string): string =>
  text.trim().replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, "");

export const isDoi = (text: string): boolean => /^10\.\d{4,9}\/\S+$/.test(cleanDoi(text));

/** Whether the check digit of an ISBN with 10 or 13 digits is right. */
export function isIsbn(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (/^\d{13}$/.test(digits))
    return Array.from(digits).reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const values = Array.from(digits).map((digit) => (digit === "X" ? 10 : Number(digit)));
  return values.reduce((sum, value, at) => sum + value * (10 - at), 0) % 11 === 0;
}

/** What a source can be looked up by. */
export const lookupKinds = ["doi", "isbn", "url"] as const;
export type LookupKind = (typeof lookupKinds)[number];

/** A DOI, an ISBN without spaces, or a web address, also one without its scheme; undefined for other text. */
export function findIdentifier(text: string): { kind: LookupKind; value: string } | undefined {
  const typed = text.trim();
  if (isDoi(typed)) return { kind: "doi", value: cleanDoi(typed) };
  if (isIsbn(typed)) return { kind: "isbn", value: typed.replaceAll(/[\s-]/g, "").toUpperCase() };
  const address = /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(typed) ? `https://${typed}` : typed;
  const url = /\s/.test(address) ? null : URL.parse(address);
  const isWeb = url !== null && (url.protocol === "https:" || url.protocol === "http:");
  return isWeb ? { kind: "url", value: url.href } : undefined;
}
