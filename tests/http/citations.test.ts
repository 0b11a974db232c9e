import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import {
  citationAddress,
  flashcardCitation,
  pageCitation,
  parseCitation,
  pdfCitation,
  videoCitation,
  webCitation,
} from "#shared/citations.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";

test("a citation preserves component, page and quote, including colons and percent signs", () => {
  const quote = "Ratios 3:1 at 100 % are “Mendelian”";
  const citation = pdfCitation("01COMPONENT", 12, quote);
  expect(citation).toMatch(/^pdf_citation:01COMPONENT:12:[^:\s]+$/);
  expect(parseCitation(citation)).toEqual({ type: "pdf_citation", componentId: "01COMPONENT", page: 12, quote });
  expect(parseCitation(pdfCitation("01COMPONENT", 3))).toMatchObject({ page: 3, quote: null });
  expect(parseCitation(pageCitation("01PAGE", "01TEXT", quote))).toEqual({
    type: "page_citation",
    pageId: "01PAGE",
    componentId: "01TEXT",
    quote,
  });
});

test("any quote fits into a card's citation and is parsed as itself or its beginning", () => {
  assert(
    property(string({ unit: "binary", maxLength: 6000 }), (quote) => {
      const citation = pdfCitation("c".repeat(26), 1234, quote);
      expect(Flashcard.shape.citation.safeParse(citation).success).toBe(true);
      const read = parseCitation(citation);
      const folded = quote
        .trim()
        .replace(/\s+/g, " ")
        .replace(/[\uD800-\uDFFF]/gu, "\uFFFD");
      expect(folded.startsWith(read?.quote ?? "")).toBe(true);
    }),
  );
});

test.each([
  "",
  "pdf_citation",
  "pdf_citation:c:0",
  "pdf_citation:c:x",
  "video_citation:c:9-3",
  "constructor:a:b",
  "pdf_citation::3",
])("returns undefined for an invalid citation: %s", (text) => expect(parseCitation(text)).toBeUndefined());

test("omits an incorrectly encoded quote instead of throwing", () => {
  expect(parseCitation("pdf_citation:c:3:%E0%A4%A")).toMatchObject({ page: 3, quote: null });
});

test("every kind of citation survives a round trip and opens the right address", () => {
  const quote = "Ratio 3:1";
  const video = parseCitation(videoCitation("01V", 61_000, 64_500, quote));
  expect(video).toEqual({ type: "video_citation", componentId: "01V", startMs: 61_000, endMs: 64_500, quote });
  expect(video && citationAddress(video)).toBe("/video/01V?t=61&quote=Ratio+3%3A1");
  const web = parseCitation(webCitation("a.example:8080/b%20c", quote));
  expect(web).toEqual({ type: "web_citation", location: "a.example:8080/b%20c", quote });
  expect(web && citationAddress(web)).toBeUndefined();
  const pdf = parseCitation(pdfCitation("01P", 3, quote));
  expect(pdf && citationAddress(pdf)).toBe("/pdf/01P?page=3&quote=Ratio+3%3A1");
  const page = parseCitation(pageCitation("01G", "01T"));
  expect(page && citationAddress(page)).toBe("/page/01G?component=01T");
  expect(parseCitation(flashcardCitation("01D"))).toMatchObject({ componentId: "01D", quote: null });
});
