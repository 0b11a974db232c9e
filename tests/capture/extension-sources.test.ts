import { expect, test } from "vitest";
import { tabContentOf } from "#extension/capture/gestures/tab-content.ts";
import { checkPdf, fileNameFromAddress } from "#extension/capture/readers/pdf-file.ts";
import { chooseTrack } from "#extension/capture/readers/choose-track.ts";
import { chaptersOf, captionLines } from "#extension/capture/readers/caption-lines.ts";
import type { ReadVideo } from "#extension/capture/readers/video-shapes.ts";
import { parseLanguageTags } from "#extension/words/caption-languages.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

const aVideo = (more: Partial<ReadVideo> = {}): ReadVideo => ({
  videoId: "PLANTS_0001",
  source: null,
  durationMs: null,
  description: "",
  language: "en",
  name: "English",
  isGenerated: false,
  body: null,
  lines: null,
  reason: null,
  offered: [],
  chapters: [],
  ...more,
});

test.each([
  ["nothing at all", { body: "" }],
  ["rows without text", { body: '{"events":[{"tStartMs":1,"segs":[{"utf8":"\\n"}]}]}' }],
  ["a page instead of captions", { body: "<!DOCTYPE html><html><p t='1'>Sorry</p></html>" }],
  ["broken captions", { body: '{"events":[' }],
  ["lines without words", { lines: [{ startMs: 0, endMs: 1, text: "<c> </c>" }] }],
])("a transcript of %s is reported as an empty answer", (_, more) => {
  expect(captionLines(aVideo(more))).toEqual({ lines: [], reason: "empty_answer" });
});

test("markup in a page's captions is read as text", () => {
  const lines = [{ startMs: 10, endMs: 900, text: "<v Anna><script>alert(1)</script>A &lt;b&gt; is bold." }];
  expect(captionLines(aVideo({ lines })).lines).toEqual([{ startMs: 10, endMs: 900, text: "A <b> is bold." }]);
});

test("uses the player's chapters, else the chapters in the description", () => {
  const description = "0:00 Sugar\n1:00 Leaves\n2:30 Roots";
  expect(chaptersOf(aVideo({ description })).map(({ title }) => title)).toEqual(["Sugar", "Leaves", "Roots"]);
  const marked = [{ startMs: 0, title: "Marked" }];
  expect(chaptersOf(aVideo({ description, chapters: marked }))).toEqual(marked);
});

const tracks = [
  { language: "fr", isGenerated: true },
  { language: "en-GB", isGenerated: true },
  { language: "en", isGenerated: false },
  { language: "de", isGenerated: true },
];

test.each([
  [["en"], { language: "en", isGenerated: false }],
  [["de", "en"], { language: "de", isGenerated: true }],
  [["en-US"], { language: "en", isGenerated: false }],
  [["ja"], { language: "en", isGenerated: false }],
])(
  "with several caption tracks, prefers the languages %s, and human captions over generated ones",
  (languages, wanted) => {
    expect(chooseTrack(tracks, languages)).toEqual(wanted);
  },
);

test("parses languages from a line and skips invalid ones", () => {
  expect(parseLanguageTags("de, pt-BR; english  en")).toEqual(["de", "pt-BR", "en"]);
});

test.each([
  ["https://example.org/a/Slides%20week%203.pdf?x=1#page=2", "Slides week 3.pdf"],
  ["https://example.org/download?id=7", "download.pdf"],
  ["https://example.org/%E0%A4%A.pdf", "%E0%A4%A.pdf"],
  ["https://example.org/", "document.pdf"],
])('names the file at %s "%s"', (address, name) => {
  expect(fileNameFromAddress(address)).toBe(name);
});

test("recognises a PDF by its content, not its name", async () => {
  await expect(checkPdf(tinyPdf([["A codon."]]), "a.pdf")).resolves.toBeUndefined();
  await expect(checkPdf(new Blob(["<!doctype html><p>Sign in"]), "a.pdf")).rejects.toThrow("Sign in there");
  await expect(checkPdf(new Blob(["GIF89a, a picture"]), "a.pdf")).rejects.toThrow("not a PDF");
  await expect(checkPdf(new Blob([]), "a.pdf")).rejects.toThrow("The file is empty");
  await expect(checkPdf(new Blob(["words"]), "a.pdf")).rejects.toThrow("valid PDF");
});

test.each([
  ["https://www.youtube.com/watch?v=PLANTS_0001", "video"],
  ["https://example.org/slides.PDF#page=3", "pdf"],
  ["https://example.org/slides.pdf.html", "page"],
  [undefined, "page"],
])("the tab content of %s is a %s", (url, what) => {
  expect(tabContentOf(url)).toBe(what);
});
