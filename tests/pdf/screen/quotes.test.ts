// @vitest-environment happy-dom
import { createRequire } from "node:module";
import { getDocument, GlobalWorkerOptions } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterEach, expect, test, vi } from "vitest";
import type { Passage } from "#shared/pdf/schema.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { anAnnotation } from "#tests/store/changes.ts";
import { findLinesOfBlocks } from "#webapp/pdf/annotations/use-lines-of-blocks.ts";
import { findNearPage } from "#webapp/pdf/selection/quote-highlight.ts";
import { readTextSelection } from "#webapp/pdf/selection/text-selection.ts";
import { rangeOfWords, toWholeWords, trimQuote } from "#webapp/pdf/selection/whole-words.ts";
import { PdfFile } from "#webapp/pdf/viewer/pdf-file.ts";

GlobalWorkerOptions.workerSrc = createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.worker.mjs");

const LINES = ["Water moves by osmosis is the rule", "Salt stays", "The wall holds", "Cells divide in two halves"];

async function aFile(): Promise<PdfFile> {
  const bytes = await tinyPdf(LINES.map((line) => [line, "and a second line"])).arrayBuffer();
  return PdfFile.open(getDocument({ data: new Uint8Array(bytes), verbosity: 0 }));
}

afterEach(() => document.body.replaceChildren());

test("a quote is widened to whole words, and white space at its ends is not part of it", () => {
  const around = { prefix: "Water moves by ", suffix: "is the rule" };
  expect(toWholeWords({ prefix: "Wa", quote: "ter mo", suffix: "ves by" })).toEqual({
    prefix: "",
    quote: "Water moves",
    suffix: " by",
  });
  expect(trimQuote(toWholeWords({ ...around, quote: "osmosis " }))).toEqual({
    prefix: "Water moves by ",
    quote: "osmosis",
    suffix: " is the rule",
  });
});

test.each([
  ["within words, one of which is printed in three parts", [2, 1], [3, 6], "different structures"],
  ["before a part of a word", [0, 2], [0, 5], " different"],
  ["up to the start of the next line", [2, 0], [4, 0], "different structures"],
  ["over a line break", [3, 4], [4, 2], "structuresthat"],
] as const)("a selection on a page that ends %s is extended to whole words", (_where, from, to, words) => {
  document.body.innerHTML =
    '<div class="textLayer"><span>of di</span><span>ff</span><span>erent</span><span> structures</span><br><span>that are</span></div>';
  const nodes = [...document.querySelectorAll("span")].map((span) => span.firstChild);
  const range = document.createRange();
  const [first, last] = [nodes[from[0]], nodes[to[0]]];
  if (!first || !last) throw new Error("no text");
  range.setStart(first, from[1]);
  range.setEnd(last, to[1]);
  expect(rangeOfWords(range).toString()).toBe(words);
});

const passage = (text: string): Passage => ({
  id: text,
  text,
  kind: "paragraph",
  bold: [],
  italic: [],
  locator: { page: 4 },
});

test("a selection in the text is limited to one passage, in whole words", () => {
  const passages = LINES.map(passage);
  document.body.innerHTML = passages.map(({ text }, index) => `<p data-passage="${index}">${text}</p>`).join("");
  const [first, second] = [...document.querySelectorAll("p")].map((paragraph) => paragraph.firstChild as Text);
  if (!first || !second) throw new Error("no text");
  const open = { state: "text", componentId: "doc", name: "Cells", pageId: "page", pageCount: 4 } as const;
  const select = (start: number, end: Text, to: number) => {
    document.getSelection()?.setBaseAndExtent(first, start, end, to);
    return readTextSelection({ ...open, passages, isSlides: false });
  };
  expect(select(15, first, 23)).toMatchObject({ quote: "osmosis", suffix: " is the rule", page: 4 });
  expect(select(28, second, 3)).toMatchObject({ quote: "the rule", suffix: "" });
});

test("a quote from the text is searched only on its page and the neighbouring pages", async () => {
  const file = await aFile();
  const reading = vi.spyOn(file, "getPlainText");
  expect(await findNearPage(file, { quote: LINES[3] ?? "", page: 1 })).toBeNull();
  expect(reading.mock.calls.map(([page]) => page)).toEqual([1, 2, 3]);
  expect((await findNearPage(file, { quote: LINES[3] ?? "", page: 4 }))?.pieces[0]?.page).toBe(4);
});

test("a highlight stored as a passage's rectangle is drawn line by line if its words are on the page", async () => {
  const places = [{ page: 1, rects: [[60, 40, 400, 60] as [number, number, number, number]] }];
  const block = anAnnotation("block", "doc", { quote: "moves by osm", prefix: "Water ", suffix: "osis is", places });
  const scanned = anAnnotation("scanned", "doc", { quote: "words of a picture that was recognised", places });
  const found = await findLinesOfBlocks(await aFile(), [block, scanned, anAnnotation("line", "doc")]);
  expect([...found.keys()]).toEqual(["block"]);
  const [[, , width, height] = [0, 0, 0, 0]] = found.get("block")?.[0]?.rects ?? [];
  expect([width < 200, height < 20]).toEqual([true, true]);
});
