import { guardFormulas } from "#shared/text/plain-text.ts";

export type CsvCell = string | number | null;

/** A cell that begins like a formula would be run by a spreadsheet, so it gets an apostrophe in front. */
function toCell(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = guardFormulas(value, "'");
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of figures or names as CSV ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)). */
export const toCsvLine = (cells: readonly CsvCell[]): string => `${cells.map(toCell).join(",")}\r\n`;

export const toCsv = (lines: readonly (readonly CsvCell[])[]): string => lines.map(toCsvLine).join("");
