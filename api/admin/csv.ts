import { guardFormulas } from "#shared/text/plain-text.ts";

const ROWS_PER_READ = 500;

type Cell = string | number | null;

/** A cell that begins like a formula would be run by a spreadsheet, so it gets an apostrophe in front. */
function toCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = guardFormulas(value, "'");
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const toLine = (cells: readonly Cell[]) => `${cells.map(toCell).join(",")}\r\n`;

interface CsvSource<T> {
  head: readonly string[];
  /** The items after `last`, or the first ones; at most `limit`. */
  read: (last: T | undefined, limit: number) => Promise<readonly T[]>;
  toRow: (item: T) => readonly Cell[];
}

/** A list of any length as CSV ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)), read page by page while it is sent. */
export async function* writeCsv<T>({ head, read, toRow }: CsvSource<T>): AsyncGenerator<string> {
  yield toLine(head);
  let last: T | undefined;
  for (;;) {
    const items = await read(last, ROWS_PER_READ);
    if (items.length > 0) yield items.map((item) => toLine(toRow(item))).join("");
    if (items.length < ROWS_PER_READ) return;
    last = items.at(-1);
  }
}
