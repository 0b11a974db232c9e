import { parseHTML } from "#api/outside/parse-html.ts";
import type { FoundReference } from "#shared/marketing/contract.ts";
import { cleanDoi, type SourceField, type SourceType } from "#shared/marketing/references.ts";

const MAX_CHARS = 1000;
export const MAX_AUTHORS = 60;

/** Text without markup and entities, in one line. */
export function toFieldText(html: string): string {
  const text = /[<&]/.test(html)
    ? parseHTML(`<p>${html.slice(0, MAX_CHARS * 4)}</p>`).document.querySelector("p")?.textContent
    : html;
  return (text ?? "").replaceAll(/\s+/g, " ").trim().slice(0, MAX_CHARS);
}

/** "Ada Lovelace" as "Lovelace, Ada". A name with a comma, with one word or with more than five stays unchanged. */
export function toNameLine(name: string): string {
  const text = toFieldText(name);
  const words = text.split(" ");
  if (text.includes(",") || words.length < 2 || words.length > 5) return text;
  return `${words.at(-1) ?? ""}, ${words.slice(0, -1).join(" ")}`;
}

export const toNameLines = (lines: readonly string[]): string => lines.filter(Boolean).slice(0, MAX_AUTHORS).join("\n");

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** "2024", "2024-05" or "2024-05-17" from the date formats of services and pages; empty if there is no year. */
export function toDateText(text: string): string {
  const numbers = /\b(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?/.exec(text);
  const [, year = "", month, day] = numbers ?? [];
  if (month !== undefined)
    return [year, ...[month, day].flatMap((part) => (part ? [part.padStart(2, "0")] : []))].join("-");
  const written = /([a-z]{3,9})\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?\d{4}/i.exec(text);
  const monthIndex = MONTHS.findIndex((name) => name.startsWith(written?.[1]?.toLowerCase() ?? "-"));
  if (year === "" || monthIndex === -1) return year;
  const parts = [String(monthIndex + 1), written?.[2]].flatMap((part) =>
    part === undefined ? [] : [part.padStart(2, "0")],
  );
  return [year, ...parts].join("-");
}

/** A source with the fields that have text; undefined without a title. */
export function toReference(
  type: SourceType,
  fields: Partial<Record<SourceField, string | undefined>>,
): FoundReference | undefined {
  const cleaned = { ...fields, ...(fields.DOI !== undefined && { DOI: cleanDoi(fields.DOI) }) };
  const filled = Object.entries(cleaned).filter(([, text]) => text !== undefined && text !== "");
  return fields.title ? { type, ...(Object.fromEntries(filled) as Partial<Record<SourceField, string>>) } : undefined;
}
