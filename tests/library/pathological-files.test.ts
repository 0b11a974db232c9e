import { expect, test } from "vitest";
import { readHtmlNote } from "#api/documents/notes/html-note-reader.ts";
import { readCaptions } from "#api/documents/office/captions-reader.ts";
import { replaceFormulas } from "#api/documents/office/docx-maths.ts";
import { readDocx } from "#api/documents/office/docx-reader.ts";
import { readHtml } from "#api/documents/office/html-reader.ts";
import { decodeXml } from "#api/documents/office/xml.ts";
import { readAbstract } from "#api/research/search/plain-text.ts";
import { madeDocx, wordParagraph } from "#tests/pdf/made-office.ts";
import { fill, MAX_GROWTH, measureGrowth } from "#tests/kit/timing/growth.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const readPage = (text: string) => readHtml(bytes(text));
const readNote = (text: string) => readHtmlNote(text, () => undefined);
const readXml = (text: string) => decodeXml(bytes(text));
const nest = (tag: string, chars: number) => {
  const levels = Math.floor(chars / (2 * tag.length + 1));
  return `${tag.repeat(levels)}a${tag.replace("<", "</").repeat(levels)}`;
};

test.each<[string, (text: string) => unknown, (chars: number) => string]>([
  ["nested elements of a web page", readPage, (chars) => nest("<div>", chars)],
  ["unclosed elements of a web page", readPage, (chars) => fill("<b>x", chars)],
  ["elements of a note in each other", readNote, (chars) => nest("<blockquote>", chars)],
  ["lists of a note in each other", readNote, (chars) => fill("<ul><li>", chars)],
  ["tables of a note in each other", readNote, (chars) => fill("<table><tr><td>x", chars)],
  ["attributes of a note without an end", readNote, (chars) => fill(`<a b="`, chars)],
  ["attributes of titles of an abstract", readAbstract, (chars) => fill("<title a ", chars)],
  ["formulas of a Word file without an end", replaceFormulas, (chars) => fill("<m:oMath>", 4 * chars)],
  ["formulas of a Word file whose tag has no end", replaceFormulas, (chars) => fill("<m:oMath ", chars)],
  ["texts of a formula whose tag has no end", replaceFormulas, (chars) => `<m:oMath>${fill("<m:t ", chars)}</m:oMath>`],
  ["document types without an end", readXml, (chars) => fill("<!DOCTYPE a [", 2 * chars)],
])("the work for %s grows with their length", (_, read, shape) => {
  expect(measureGrowth(read, shape)).toBeLessThan(MAX_GROWTH);
});

test("a caption with endlessly nested tags loses only its own text", async () => {
  const cues = ["First.", `${"<b>".repeat(10_000)}deep`, "<b><i>Last.</i></b>"];
  const timed = cues.map((cue, at) => `00:${10 + at * 10}.000 --> 00:${11 + at * 10}.000\n${cue}\n\n`);
  const blocks = await readCaptions(bytes(`WEBVTT\n\n${timed.join("")}`));
  expect(blocks.map(({ text }) => text)).toEqual(["First.", "Last."]);
});

test("a document type declaration is removed with its entities, and the text after it stays", () => {
  const xml = `<?xml version="1.0"?><!DOCTYPE a SYSTEM "b" [<!ENTITY c "d">] ><!doctype e><a>&c;x &amp; y</a>`;
  expect(decodeXml(bytes(xml))).toBe(`<?xml version="1.0"?><a>x &amp; y</a>`);
});

const readWord = (inner: string) => readDocx(madeDocx(wordParagraph("Codons", { inner })), () => undefined);

test("a Word file with hundreds of fields that are open at once is too large, with as many closed ones it is read", async () => {
  const [begin, end] = ["begin", "end"].map((type) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`);
  await expect(readWord(`${begin}`.repeat(500))).rejects.toMatchObject({ message: "too_large" });
  expect((await readWord(`${begin}${end}`.repeat(500))).map(({ text }) => text)).toEqual(["Codons"]);
  const written = wordParagraph('w:fldCharType="begin" '.repeat(500));
  expect(await readDocx(madeDocx(written), () => undefined)).toHaveLength(1);
});
