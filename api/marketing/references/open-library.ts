import { z } from "zod";
import type { FoundReference } from "#shared/marketing/contract.ts";
import { toDateText, toFieldText, toNameLine, toNameLines, toReference } from "./field-text.ts";

const named = z.array(z.object({ name: z.string() })).default([]);

/** An edition with its names (https://openlibrary.org/dev/docs/api/books, `jscmd=data`). */
const Book = z.object({
  title: z.string(),
  subtitle: z.string().optional(),
  authors: named,
  publishers: named,
  publish_places: named,
  publish_date: z.string().default(""),
});

/** A book of Open Library as a source; undefined if the answer has no book with this ISBN. */
export function toBookReference(answer: unknown, isbn: string): FoundReference | undefined {
  const books = z.record(z.string(), Book).safeParse(answer).data;
  const book = books?.[`ISBN:${isbn}`];
  if (!book) return undefined;
  return toReference("book", {
    authors: toNameLines(book.authors.map(({ name }) => toNameLine(name))),
    title: toFieldText(book.subtitle === undefined ? book.title : `${book.title}: ${book.subtitle}`),
    date: toDateText(book.publish_date),
    publisher: toFieldText(book.publishers[0]?.name ?? ""),
    "publisher-place": toFieldText(book.publish_places[0]?.name ?? ""),
    ISBN: isbn,
  });
}
