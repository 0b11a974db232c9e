import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readDocument } from "#api/documents/document-reader.ts";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { parseCaptions, toWebVtt } from "#shared/video/captions.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { madeDocx, madePptx, markedWordParagraph, wordParagraph } from "#tests/pdf/made-office.ts";

const textbook = corpusFolder("textbook") ?? "";
const scorer = process.env["SCORER"] ?? "../shared/bench/score-deck.mjs";
const isThere = textbook !== "" && existsSync(scorer);
/** Every third chapter, or all with `FORMS=all`. */
const every = process.env["FORMS"] === "all" ? 1 : 3;
const names = (isThere ? readdirSync(textbook) : [])
  .flatMap((f) => (f.endsWith(".pdf") ? [f.slice(0, -4)] : []))
  .toSorted()
  .filter((_, i) => i % every === 0);
if (!isThere) process.stdout.write("chapters in other forms: skipped, since the corpus or its scorer is not there\n");
const folder = mkdtempSync(join(tmpdir(), "forms-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
  closeParsers();
});

async function read(kind: "pdf" | "docx" | "pptx", path: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const page of readDocument(kind, path)) passages.push(...page.passages);
  return passages;
}

/** Reads a file of this kind through the same reader as users' files. */
async function readMade(kind: "docx" | "pptx", bytes: Uint8Array): Promise<Passage[]> {
  const path = join(folder, `chapter.${kind}`);
  writeFileSync(path, bytes);
  return read(kind, path);
}

/** The text with asterisks around its bold parts. */
function withAsterisks({ text, bold }: Passage): string {
  let [at, out] = [0, ""];
  for (const [from, to] of bold) {
    out += `${text.slice(at, from)}**${text.slice(from, to)}**`;
    at = to;
  }
  return out + text.slice(at);
}

const isBody = ({ kind }: Passage) => kind === "paragraph" || kind === "list_item";

const asWord = (passages: readonly Passage[]) =>
  madeDocx(
    passages
      .filter((p) => isBody(p) || p.kind === "heading")
      .map((p) =>
        p.kind === "heading"
          ? wordParagraph(p.text, { style: p.level === 1 ? "Heading1" : "Heading2" })
          : markedWordParagraph(withAsterisks(p)),
      )
      .join(""),
  );

const PER_SLIDE = 4;

function asSlides(passages: readonly Passage[]): Uint8Array {
  const slides: { title: string; bullets: string[] }[] = [];
  for (const passage of passages) {
    const last = slides.at(-1);
    if (passage.kind === "heading") slides.push({ title: passage.text, bullets: [] });
    else if (isBody(passage) && last && last.bullets.length < PER_SLIDE) last.bullets.push(withAsterisks(passage));
    else if (isBody(passage)) slides.push({ title: last?.title ?? "", bullets: [withAsterisks(passage)] });
  }
  return madePptx(slides);
}

/** The text as captions with lines of ten words. */
async function asTranscript(passages: readonly Passage[]): Promise<Passage[]> {
  const lines = passages.filter(isBody).flatMap(({ text }) => text.match(/(?:\S+\s*){1,10}/gu) ?? []);
  const segments = lines.map((text, i) => ({ text: text.trim(), startMs: i * 3000, endMs: i * 3000 + 2900 }));
  const captions = await parseCaptions(new TextEncoder().encode(toWebVtt(segments)));
  return captions.ok ? passagesOfSegments(captions.segments) : [];
}

const withoutFormatting = (passages: readonly Passage[]) => passages.map((p) => ({ ...p, bold: [], italic: [] }));

type Figures = Record<string, number>;

const deckOf = (passages: readonly Passage[]) =>
  [...generateCards(passages, { density: "MEDIUM" })].flatMap((e) => (e.type === "card" ? [e.card] : []));

/** Removes topics before questions, because a transcript has no headings to take them from. */
function withoutTopics(passages: readonly Passage[]): EngineCard[] {
  const headings = passages.filter(({ kind }) => kind === "heading").map(({ text }) => text);
  return deckOf(passages).map((card) => {
    const topic = card.question.slice(0, card.question.indexOf(": "));
    const isTopic = topic !== "" && headings.some((heading) => heading.includes(topic));
    return isTopic ? { ...card, question: card.question.slice(topic.length + 2) } : card;
  });
}

function score(deck: readonly EngineCard[], name: string): Figures {
  const path = join(folder, "deck.json");
  writeFileSync(path, JSON.stringify(deck));
  const files = [path, join(textbook, `${name}.reference.json`), join(textbook, `${name}.md`)];
  return JSON.parse(execFileSync(process.execPath, [scorer, ...files], { encoding: "utf8" })) as Figures;
}

const GATED = ["quoted", "grounded", "wellFormed"];
const FIGURES = [...GATED, "keyTermAsked", "keyTermMentioned", "glossAgreement", "reviewAnswerable"];

describe.skipIf(!isThere)("chapters in other formats", () => {
  test("Word files and slides give decks as good as those of PDFs; transcripts give decks as good as plain text", async () => {
    const means = new Map<string, Figures>();
    const add = (form: string, figures: Figures) => {
      const mean = means.get(form) ?? {};
      for (const figure of FIGURES) mean[figure] = (mean[figure] ?? 0) + (figures[figure] ?? 0) / names.length;
      means.set(form, mean);
    };
    for (const name of names) {
      const pdf = await read("pdf", join(textbook, `${name}.pdf`));
      add("pdf", score(deckOf(pdf), name));
      add("plain", score(withoutTopics(withoutFormatting(pdf)), name));
      add("word", score(deckOf(await readMade("docx", asWord(pdf))), name));
      add("slides", score(deckOf(await readMade("pptx", asSlides(pdf))), name));
      add("transcript", score(deckOf(await asTranscript(pdf)), name));
    }
    process.stdout.write(`${JSON.stringify(Object.fromEntries(means))}\n`);
    for (const [form, like] of [
      ["word", "pdf"],
      ["slides", "pdf"],
      ["transcript", "plain"],
    ]) {
      for (const figure of FIGURES) {
        const [made, wanted] = [means.get(form ?? "")?.[figure] ?? 0, means.get(like ?? "")?.[figure] ?? 1];
        expect({ form, figure, isNear: made >= wanted - 0.05 }).toEqual({ form, figure, isNear: true });
      }
    }
  }, 240_000);
});
