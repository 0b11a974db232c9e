import { type CsvCell, toCsvLine } from "#shared/csv.ts";

const ROWS_PER_READ = 500;

interface CsvSource<T> {
  head: readonly string[];
  /** Reads at most `limit` items: those after `last`, or the first ones. */
  read: (last: T | undefined, limit: number) => Promise<readonly T[]>;
  toRow: (item: T) => readonly CsvCell[];
}

/** A list of any length as CSV, read page by page while it is sent. */
export async function* writeCsv<T>({ head, read, toRow }: CsvSource<T>): AsyncGenerator<string> {
  yield toCsvLine(head);
  let last: T | undefined;
  for (;;) {
    const items = await read(last, ROWS_PER_READ);
    if (items.length > 0) yield items.map((item) => toCsvLine(toRow(item))).join("");
    if (items.length < ROWS_PER_READ) return;
    last = items.at(-1);
  }
}
