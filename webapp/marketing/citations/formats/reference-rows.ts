import type { Reference, SourceField } from "#shared/marketing/references.ts";
import { toDate } from "../csl-item.ts";

/** The names of a field with a name per line. */
export const listNames = (text = ""): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The filled fields that have a name in a format, under that name. */
export const listFields = (
  names: Partial<Record<SourceField, string>>,
  reference: Reference,
): (readonly [name: string, value: string])[] =>
  (Object.entries(names) as [SourceField, string][]).map(([field, name]) => [name, reference[field]?.trim() ?? ""]);

/** Year, month and day of a date, as far as they are known; undefined for other text, such as "n.d.". */
export function readDateParts(text: string | undefined): { year: number; month?: number; day?: number } | undefined {
  const [year, month, day] = toDate(text ?? "")?.["date-parts"][0] ?? [];
  if (year === undefined || (month !== undefined && (month < 1 || month > 12))) return undefined;
  return { year, ...(month !== undefined && { month }), ...(day !== undefined && { day }) };
}
