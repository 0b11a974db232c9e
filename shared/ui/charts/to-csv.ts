import { guardFormulas } from "#shared/text/plain-text.ts";

type Cell = string | number | null;

/** A cell that begins like a formula would be run by a spreadsheet, so it gets an apostrophe in front. */
function quote(cell: Cell): string {
  const text = typeof cell === "string" ? guardFormulas(cell, "'") : String(cell ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

/** Figures as a file that a spreadsheet opens. */
export const toCsv = (lines: readonly (readonly Cell[])[]): string =>
  lines.map((line) => line.map(quote).join(",")).join("\r\n");
