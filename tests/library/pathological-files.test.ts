import { expect, test } from "vitest";
import { readHtmlNote } from "#api/documents/notes/html-note-reader.ts";
import { readCaptions } from "#api/documents/office/captions-reader.ts";
import { replaceFormulas } from "#api/documents/office/docx-maths.ts";
import { readDocx, withoutFields } from "#api/documents/office/docx-reader.ts";
import { readHtml } from "#api/documents/office/html-reader.ts";
import { decodeXml } from "#api/documents/office/xml.ts";
import { readAbstract } from "#api/research/search/plain-text.ts";
import { madeDocx, wordParagraph } from "#tests/pdf/made-office.ts";
import { fill, MAX_GROWTH, measureAsyncGrowth, measureGrowth } from "#tests/kit/timing/growth.ts";

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
const [begin, separate, end] = ["begin", "separate", "end"].map(
  (type) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`,
);
const instruction = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

test.each<[string, (chars: number) => string]>([
  ["spaces in the instruction of a field", (chars) => `${begin}${instruction(" ".repeat(chars))}${separate}`],
  ["parts of a field", (chars) => `${begin}${instruction("a".repeat(4 * chars))}${separate?.repeat(chars / 20)}`],
  ["fields that are open at once", (chars) => `${begin}`.repeat(chars / 10)],
])("the work for %s of a Word file grows with their length", async (_, shape) => {
  expect(await measureAsyncGrowth(readWord, shape)).toBeLessThan(MAX_GROWTH);
});

test.each([
  ["as Word writes them", `${begin}`],
  ["with another prefix", `<x:r xmlns:x="${WORD}"><x:fldChar x:fldCharType="begin"/></x:r>`],
  ["with an escaped kind", `${begin}`.replace("begin", "&#98;egin")],
  ["with elements in them", `${begin}`.replace("/></w:r>", "><w:ffData/></w:fldChar></w:r>")],
  ["whose ends are in comments", `${begin}<!--${end}-->`],
  ["whose beginnings surround another", `<w:r><w:fl<w:fldChar/>dChar w:fldCharType="begin"/></w:r>`],
])("the converter of Word files gets no fields: %s", (_, xml) => {
  expect(withoutFields(xml.repeat(2))).not.toMatch(/<[^<>:]*:(?:fldChar|instrText)/);
});

test("a Word file with hundreds of open or closed fields is read, without their instructions", async () => {
  for (const fields of [`${begin}`, `${begin}${instruction("PAGE")}${separate}${end}`])
    expect((await readWord(fields.repeat(500))).map(({ text }) => text)).toEqual(["Codons"]);
  const link = `${begin}${instruction('HYPERLINK "https://example.org/"')}${separate}<w:r><w:t> of three</w:t></w:r>${end}`;
  expect((await readWord(link)).map(({ text }) => text)).toEqual(["Codons of three"]);
  const [written] = await readDocx(madeDocx(wordParagraph('<w:fldChar w:fldCharType="begin"/>')), () => undefined);
  expect(written?.text).toBe('<w:fldChar w:fldCharType="begin"/>');
});
