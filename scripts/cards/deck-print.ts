/**
 * Prints twenty generated cards with their quotes for each file: `node scripts/cards/deck-print.ts FILE…`; without arguments,
 * for sample files of every kind in the corpus. `SCAN=4` reads the first four pages of PDFs with OCR, `TOGETHER=1`
 * makes one deck from all files.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readDocument, recognisePages } from "#api/documents/document-reader.ts";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { Density } from "#shared/cards/schema.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const density = Density.parse(process.env["DENSITY"] ?? "AUTO");
const scannedPages = Number(process.env["SCAN"] ?? 0);
const MAX_CARDS = 20;
/** OCR takes seconds per page: the beginning of a book is enough to judge. */
const MAX_OCR_PAGES = 8;

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
const SAMPLE_FILES = [
  "textbook/06-metabolism.pdf",
  "pdf/good_lecture_super-cheatsheet-machine-learning.pdf",
  "pdf/good_multi_page.pdf",
  "office/good_872p_handbook-872p.docx",
  "office/good_ececapstonespring2012.pptx",
  "subtitles/cycle-collector-talk.vtt",
  "pdf/scan_linn.pdf",
  "image/text_meditations.jpg",
  "text/test_blog.html",
  "textbook/24-fungi.md",
];

async function recognise(kind: "pdf" | "image", path: string, pages: readonly number[]): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const page of recognisePages(kind, path, pages.slice(0, MAX_OCR_PAGES), { language: "eng" }))
    passages.push(...page.passages);
  return passages;
}

/** Reads a file, using OCR for scanned pages; undefined for an unsupported file type. */
async function readFile(path: string): Promise<Passage[] | undefined> {
  const kind = documentKindOf(path);
  if (kind === undefined) return undefined;
  if (kind === "image") return recognise("image", path, [1]);
  if (kind === "pdf" && scannedPages > 0)
    return recognise(
      "pdf",
      path,
      Array.from({ length: scannedPages }, (_, i) => i + 1),
    );
  const passages: Passage[] = [];
  const pictures: number[] = [];
  for await (const { page, passages: found } of readDocument(kind, path)) {
    passages.push(...found);
    if (kind === "pdf" && found.length === 0) pictures.push(page);
  }
  return pictures.length === 0 ? passages : [...passages, ...(await recognise("pdf", path, pictures))];
}

function print(title: string, passages: readonly Passage[]) {
  const cards = [...generateCards(passages, { density })].flatMap((e) => (e.type === "card" ? [e.card] : []));
  console.log(`\n# ${title}: ${cards.length} cards of ${passages.length} passages`);
  // Spread over the whole document.
  const selected = cards.filter(
    (_, at) => Math.floor((at * MAX_CARDS) / cards.length) !== Math.floor(((at - 1) * MAX_CARDS) / cards.length),
  );
  for (const { question, answer, quote, page } of selected.slice(0, MAX_CARDS))
    console.log(`\n${question}\n  → ${answer}\n  “${quote}”${page === undefined ? "" : ` (page ${page})`}`);
}

const paths = process.argv.slice(2);
const files = paths.length > 0 ? paths : SAMPLE_FILES.map((name) => join(corpus, name)).filter((f) => existsSync(f));
const combined: Passage[] = [];
for (const [i, path] of files.entries()) {
  const passages = await readFile(path);
  if (passages === undefined) console.log(`\n# ${path}: unsupported file type`);
  else if (process.env["TOGETHER"] === undefined) print(path, passages);
  else combined.push(...passages.map((passage) => ({ ...passage, id: `${i}/${passage.id}` })));
}
if (combined.length > 0) print(files.join(" + "), combined);
closeParsers();
