export type CsvCell = string | number | null;

/**
 * A spreadsheet runs a cell that begins like this as a formula. Excel in German splits at semicolons, so the text after
 * a semicolon begins a cell too. `＝` and the like are the same characters in full width.
 */
const FORMULA_START = /^(?=[=+\-@\t\r\n＝＋－＠])|;(?= *[=+\-@＝＋－＠])/gu;

/** Puts a guard before each formula, which makes it text. */
export const escapeSpreadsheetFormulas = (text: string, guard: string): string =>
  text.replaceAll(FORMULA_START, `$&${guard}`);

/** A cell that begins like a formula would be run by a spreadsheet, so it gets an apostrophe in front. */
function toCell(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = escapeSpreadsheetFormulas(value, "'");
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of figures or names as CSV ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)). */
export const toCsvLine = (cells: readonly CsvCell[]): string => `${cells.map(toCell).join(",")}\r\n`;

export const toCsv = (lines: readonly (readonly CsvCell[])[]): string => lines.map(toCsvLine).join("");
