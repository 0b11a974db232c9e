import { z } from "zod";
import type { FoundReference } from "#shared/marketing/contract.ts";
import type { SourceType } from "#shared/marketing/references.ts";
import { toFieldText, toNameLines, toReference } from "./field-text.ts";

const Name = z.object({ family: z.string().optional(), given: z.string().optional(), name: z.string().optional() });
const texts = z.array(z.string()).default([]);

/** The fields that a citation needs (https://api.crossref.org/swagger-ui/index.html, `Work`). */
const Work = z.object({
  message: z.object({
    type: z.string().default(""),
    title: texts,
    subtitle: texts,
    author: z.array(Name).default([]),
    editor: z.array(Name).default([]),
    "container-title": texts,
    issued: z.object({ "date-parts": z.array(z.array(z.number().nullable())) }).optional(),
    publisher: z.string().optional(),
    "publisher-location": z.string().optional(),
    volume: z.string().optional(),
    issue: z.string().optional(),
    page: z.string().optional(),
    "edition-number": z.string().optional(),
    DOI: z.string().optional(),
    ISBN: texts,
  }),
});

type CrossrefWork = z.output<typeof Work>["message"];

const types: Readonly<Record<string, SourceType>> = {
  "journal-article": "article-journal",
  book: "book",
  monograph: "book",
  "edited-book": "book",
  "reference-book": "book",
  "book-chapter": "chapter",
  "book-section": "chapter",
  "reference-entry": "chapter",
  "proceedings-article": "paper-conference",
  report: "report",
  dissertation: "thesis",
};

const toLine = ({ family, given, name }: z.output<typeof Name>) =>
  toFieldText(family === undefined ? (name ?? "") : given === undefined ? family : `${family}, ${given}`);

const toTitle = ({ title: [title = ""], subtitle: [subtitle = ""] }: CrossrefWork) =>
  toFieldText(subtitle === "" || title.includes(subtitle) ? title : `${title}: ${subtitle}`);

/** Crossref writes null where the year is not known. */
function toDate(issued: CrossrefWork["issued"]): string {
  const [year, ...rest] = issued?.["date-parts"][0] ?? [];
  return typeof year === "number" ? [year, ...rest.map((part) => String(part).padStart(2, "0"))].join("-") : "";
}

/** A work of Crossref's REST API as a source; undefined if the answer has another form or no title. */
export function toCrossrefReference(answer: unknown): FoundReference | undefined {
  const work = Work.safeParse(answer).data?.message;
  if (!work) return undefined;
  return toReference(types[work.type] ?? "article-journal", {
    authors: toNameLines(work.author.map(toLine)),
    title: toTitle(work),
    "container-title": toFieldText(work["container-title"][0] ?? ""),
    editors: toNameLines(work.editor.map(toLine)),
    date: toDate(work.issued),
    publisher: toFieldText(work.publisher ?? ""),
    "publisher-place": toFieldText(work["publisher-location"] ?? ""),
    edition: work["edition-number"],
    volume: work.volume,
    issue: work.issue,
    page: work.page,
    DOI: work.DOI,
    ISBN: work.ISBN[0],
  });
}
