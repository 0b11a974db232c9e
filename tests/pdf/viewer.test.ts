import { degrees, PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, test } from "vitest";
import { foldForMatching } from "#shared/pdf/anchoring/text-folding.ts";
import { rectsOfRange, extractPageText } from "#shared/pdf/text-rects.ts";
import { annotatePdf } from "#webapp/pdf/annotations/annotate-pdf.ts";
import { findMatches } from "#webapp/pdf/selection/find.ts";
import { computeHeadingLevels } from "#webapp/pdf/heading-levels.ts";
import { searchOrder } from "#webapp/pdf/selection/quote-highlight.ts";
import {
  layOutPages,
  fitScale,
  rowsWithin,
  rotateRect,
  unrotateRect,
  type Rotation,
} from "#webapp/pdf/viewer/page-layout.ts";
import { anAnnotation } from "#tests/store/changes.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

const letter = { width: 612, height: 792 };

describe("pages in a window", () => {
  const sizes = Array.from({ length: 2000 }, () => letter);
  const arranging = { sizes, scale: 1, turn: 0 as Rotation, spread: "one" as const, viewportWidth: 800 };

  test("are shown in a column, centred or in pairs", () => {
    const { boxes, height } = layOutPages(arranging);
    expect(boxes[0]).toEqual({ left: 94, top: 16, width: 612, height: 792 });
    expect(boxes[1]?.top).toBe(16 + 792 + 12);
    expect(height).toBe(2000 * 804 - 12 + 32);
    const pairs = layOutPages({ ...arranging, spread: "two", viewportWidth: 1400 });
    expect(pairs.rows.slice(0, 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(pairs.boxes[1]?.top).toBe(16);
  });

  test("of a document of 2,000 are rendered only near the viewport", () => {
    const layout = layOutPages(arranging);
    expect(rowsWithin(layout, 0, 800, 5)).toEqual([0, 5]);
    expect(rowsWithin(layout, 804 * 1000, 804 * 1000 + 800, 5)).toEqual([994, 1005]);
    expect(rowsWithin(layout, layout.height, layout.height + 800, 5)).toEqual([1994, 1999]);
  });

  test("fit the width or the whole page", () => {
    const room = { turn: 0 as Rotation, spread: "one" as const, viewportWidth: 644, viewportHeight: 428 };
    expect(fitScale(letter, "width", room)).toBe(1);
    expect(fitScale(letter, "page", room)).toBe(0.5);
    expect(fitScale(letter, "width", { ...room, turn: 90 })).toBeCloseTo(612 / 792);
    // In a wide window the page is not wider than 900 px.
    expect(fitScale(letter, "width", { ...room, viewportWidth: 1800 })).toBeCloseTo(900 / 612);
  });

  test.each([0, 90, 180, 270] as const)("a rectangle rotated by %d and back is unchanged", (turn) => {
    expect(unrotateRect(rotateRect([10, 20, 30, 40], letter, turn), letter, turn)).toEqual([10, 20, 30, 40]);
  });
});

test("search ignores case, hyphens and line breaks", () => {
  const text = "A codon.\nThe anti-\ncodon. CODON";
  expect(findMatches(foldForMatching(text), "codon", 3).map(({ start, end }) => text.slice(start, end))).toEqual([
    "codon",
    "codon",
    "CODON",
  ]);
  expect(findMatches(foldForMatching(text), "anticodon", 3)).toHaveLength(1);
  expect(findMatches(foldForMatching(text), "  ", 3)).toEqual([]);
  // An Arabic word stretched to the width of its line.
  expect(
    findMatches(
      foldForMatching("\u0627\u0644\u0643\u062A\u0640\u0640\u0640\u0627\u0628"),
      "\u0627\u0644\u0643\u062A\u0627\u0628",
      3,
    ),
  ).toHaveLength(1);
});

test("a quote is searched on its page and its neighbours first, then outwards", () => {
  const [near, next] = searchOrder(40, 10);
  expect(near?.toSorted((a, b) => a - b)).toEqual([9, 10, 11]);
  expect(next).toHaveLength(20);
  expect(searchOrder(1, 99)).toEqual([[1]]);
  expect(searchOrder(0, 1)).toEqual([]);
});

const bytesOf = async (pages: string[][]) => new Uint8Array(await tinyPdf(pages).arrayBuffer());
const annotationsOf = async (bytes: Uint8Array, page: number) => {
  const task = getDocument({ data: bytes, verbosity: 0 });
  const document = await task.promise;
  const found = await (await document.getPage(page)).getAnnotations();
  await task.destroy();
  return found as {
    subtype: string;
    rect: number[];
    quadPoints?: number[];
    color: number[];
    contentsObj: { str: string };
  }[];
};

describe("a copy of the PDF with annotations", () => {
  test("shows each highlight and note in other readers, in its place and colour", async () => {
    const marks = [
      anAnnotation("one", "doc", {
        color: "green",
        note: "Why one, and not two? ÄΩ",
        places: [
          {
            page: 2,
            rects: [
              [60, 40, 100, 12],
              [60, 54, 50, 12],
            ],
          },
        ],
      }),
      anAnnotation("two", "doc", { color: "red" }),
    ];
    const written = await annotatePdf(await bytesOf([["first"], ["second"]]), marks, "Ada");
    const [highlight, note] = await annotationsOf(written.slice(), 2);
    expect(highlight).toMatchObject({ subtype: "Highlight", rect: [60, 792 - 66, 160, 792 - 40] });
    expect(highlight?.quadPoints).toHaveLength(16);
    expect(note).toMatchObject({ subtype: "Text", contentsObj: { str: "Why one, and not two? ÄΩ" } });
    const first = await annotationsOf(written.slice(), 1);
    expect(first.map(({ subtype, rect }) => [subtype, rect])).toEqual([["Highlight", [72, 690, 132, 702]]]);
  });

  test("omits an annotation on a missing page, and one without a position", async () => {
    const marks = [
      anAnnotation("far", "doc", { page: 9, places: [{ page: 9, rects: [[1, 1, 1, 1]] }] }),
      anAnnotation("nowhere", "doc", { places: [{ page: 1, rects: [] }] }),
    ];
    const written = await annotatePdf(await bytesOf([["first"]]), marks, "Ada");
    expect(await annotationsOf(written, 1)).toEqual([]);
  });

  test.each([0, 90, 180, 270])(
    "places highlights on their words if the page is rotated by %d and cropped",
    async (angle) => {
      const made = await PDFDocument.create();
      const page = made.addPage([500, 700]);
      page.setRotation(degrees(angle));
      page.setCropBox(30, 40, 440, 620);
      page.drawText("one amino acid", { x: 80, y: 500, size: 14, font: await made.embedFont(StandardFonts.Helvetica) });
      const bytes = await made.save();
      const opened = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise;
      const shown = await opened.getPage(1);
      const { items } = await shown.getTextContent();
      const text = extractPageText(
        1,
        items.flatMap((item) => ("str" in item ? item : [])),
        shown.getViewport({ scale: 1 }).transform,
      );
      const rects = rectsOfRange(text, 0, text.text.length);
      const written = await annotatePdf(bytes, [anAnnotation("m", "c", { places: [{ page: 1, rects }] })], "Ada");
      const [highlight] = await annotationsOf(written, 1);
      const [left = 0, bottom = 0, right = 0, top = 0] = highlight?.rect ?? [];
      expect([Math.round(left), Math.round(bottom)]).toEqual([80, 497]);
      expect([Math.round(right) > 165, Math.round(top)]).toEqual([true, 513]);
    },
  );
});

const levelsOf = (...levels: (number | undefined)[]) => {
  const passages = levels.map((level) => ({ kind: "heading" as const, ...(level === undefined ? {} : { level }) }));
  return [...computeHeadingLevels(passages).values()];
};

test("heading levels for screen readers have no gaps, whatever the author skipped", () => {
  expect(levelsOf(1, 2, 3, 2, 1)).toEqual([2, 3, 4, 3, 2]);
  expect(levelsOf(2, 2, 4, 3)).toEqual([2, 2, 3, 3]);
  expect(levelsOf(undefined, 3, 1)).toEqual([2, 3, 2]);
  expect(levelsOf(1, 2, 3, 4, 5, 6)).toEqual([2, 3, 4, 5, 6, 6]);
  expect(computeHeadingLevels([{ kind: "paragraph" }, { kind: "heading", level: 3 }])).toEqual(new Map([[1, 2]]));
});
