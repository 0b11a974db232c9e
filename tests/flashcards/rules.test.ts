import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import {
  cardTarget,
  pageCitation,
  pagesOfRange,
  parseCitation,
  pdfCitation,
  sourceKindOf,
  usableTexts,
} from "#shared/flashcards/rules.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";

test("a citation keeps component, page and the quoted words, colons and percent signs included", () => {
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

test("whatever is quoted, the citation fits a card, and what is read back is the quote or its beginning", () => {
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

test.each(["", "pdf_citation", "pdf_citation:c:0", "pdf_citation:c:x", "web_citation:a.example/b", "pdf_citation::3"])(
  "what is no citation of a page is not read as one: %s",
  (text) => expect(parseCitation(text)).toBeUndefined(),
);

test("a quote that was encoded wrongly is left out rather than thrown", () => {
  expect(parseCitation("pdf_citation:c:3:%E0%A4%A")).toMatchObject({ page: 3, quote: null });
});

test("the densities are Low 30-50, Medium 100-120, High 300-600 and Very High 600-900; automatic goes by length", () => {
  expect(cardTarget("LOW", 9)).toEqual({ min: 30, max: 50 });
  expect(cardTarget("MEDIUM", 9)).toEqual({ min: 100, max: 120 });
  expect(cardTarget("HIGH", 9)).toEqual({ min: 300, max: 600 });
  expect(cardTarget("VERY_HIGH", 9)).toEqual({ min: 600, max: 900 });
  expect(cardTarget("AUTO", 10).max).toBe(1);
  expect(cardTarget("AUTO", 8000).max).toBe(100);
  expect(cardTarget("AUTO", 10_000_000).max).toBe(900);
});

test("a page range is clipped to the document, and one outside it names no page", () => {
  expect(pagesOfRange({}, 20)).toEqual({ from: 1, to: 20 });
  expect(pagesOfRange({ startPage: 3, endPage: 99 }, 20)).toEqual({ from: 3, to: 20 });
  expect(pagesOfRange({ startPage: 21 }, 20)).toBeUndefined();
  expect(pagesOfRange({ startPage: 5, endPage: 4 }, 20)).toBeUndefined();
});

test("blank texts are no sources, and loose files are text, image or neither", () => {
  const place = { pageId: "01PAGE", componentId: "01TEXT" };
  expect(usableTexts(["  a ", "", " \n\t", { text: " b", ...place }])).toEqual([
    { text: "a", place: null },
    { text: "b", place },
  ]);
  expect(sourceKindOf("notes.md", "application/octet-stream")).toBe("text");
  expect(sourceKindOf("notes", "text/plain")).toBe("text");
  expect(sourceKindOf("board.jpg", "image/jpeg")).toBe("image");
  expect(sourceKindOf("deck.pdf", "application/pdf")).toBe("other");
});
