import type { Reference, SourceField } from "#shared/marketing/references.ts";
import type { FormattedReference } from "../format-references.ts";

/** The order of an entry without a style. */
const fields: readonly SourceField[] = [
  "authors",
  "date",
  "title",
  "container-title",
  "editors",
  "genre",
  "edition",
  "volume",
  "issue",
  "page",
  "publisher-place",
  "publisher",
  "DOI",
  "ISBN",
  "URL",
];

const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** An entry that is shown while no style can be loaded: what was entered, one field after the other. */
export function toPlainEntry(reference: Reference): FormattedReference {
  const parts = fields
    .map((field) => (reference[field] ?? "").trim().replaceAll(/\s*\n\s*/g, "; "))
    .filter((part) => part !== "")
    .map((part) => (/[.?!]$/.test(part) ? part : `${part}.`));
  return { itemId: reference.id, html: escapeHtml(parts.join(" ")), inText: "" };
}
