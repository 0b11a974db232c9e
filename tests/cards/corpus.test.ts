import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { readDocument } from "#api/documents/document-reader.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import type { EngineCard } from "#shared/cards/schema.ts";
import { proposeSourceTitle } from "#shared/text/titles.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
const textbook = join(corpus, "textbook");
const scorer = process.env["SCORER"] ?? "../shared/bench/score-deck.mjs";
const isThere = existsSync(textbook) && existsSync(scorer);
if (!isThere) process.stdout.write(`engine on the corpus: skipped, since ${textbook} or ${scorer} is not there\n`);

async function read(path: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const page of readDocument("pdf", path)) passages.push(...page.passages);
  return passages;
}

function deckOf(passages: readonly Passage[]): EngineCard[] {
  const events = [...generateCards(passages, { density: "MEDIUM" })];
  return events.flatMap((e) => (e.type === "card" ? [e.card] : []));
}

describe.skipIf(!isThere)("nine textbook chapters at medium density", () => {
  const means = new Map<string, number>();
  const chapters: { name: string; passages: Passage[]; cards: EngineCard[] }[] = [];
  const names = isThere ? readdirSync(textbook).flatMap((f) => (f.endsWith(".pdf") ? [f.slice(0, -4)] : [])) : [];

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "decks-"));
    for (const name of names) {
      const passages = await read(join(textbook, `${name}.pdf`));
      const cards = deckOf(passages);
      chapters.push({ name, passages, cards });
      const deck = join(folder, `${name}.json`);
      writeFileSync(deck, JSON.stringify(cards));
      const files = [deck, join(textbook, `${name}.reference.json`), join(textbook, `${name}.md`)];
      const figures = JSON.parse(execFileSync(process.execPath, [scorer, ...files], { encoding: "utf8" })) as Record<
        string,
        number
      >;
      for (const [k, v] of Object.entries(figures)) means.set(k, (means.get(k) ?? 0) + v / names.length);
    }
    rmSync(folder, { recursive: true });
  }, 240_000);
  afterAll(closeParsers);

  test.each([
    ["quoted", 0.99],
    ["grounded", 0.995],
    ["wellFormed", 0.99],
    ["keyTermAsked", 0.9],
    ["keyTermMentioned", 0.97],
    ["glossAgreement", 0.56],
    ["reviewAnswerable", 0.31],
    ["cards", 90],
  ])("%s is at least %d on average", (figure, least) => {
    expect(means.get(figure)).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ["answerLeak", 0.003],
    ["duplicate", 0.005],
    ["cards", 120],
  ])("%s is at most %d on average", (figure, most) => {
    expect(means.get(figure)).toBeLessThanOrEqual(most);
  });

  test("every quote is found on the page that the card names", () => {
    for (const { passages, cards } of chapters) {
      for (const c of cards) expect(findExactQuote(passages, c.quote)?.page).toBe(c.page);
    }
  });

  test("fewer than half of a deck's cards are cloze cards", () => {
    for (const { name, cards } of chapters) {
      expect({ name, isVaried: cards.filter((c) => c.kind === "cloze").length < cards.length / 2 }).toEqual({
        name,
        isVaried: true,
      });
    }
  });

  test("each chapter is named after its heading", () => {
    for (const { name, passages } of chapters) {
      const slug = proposeSourceTitle(passages)
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, "-");
      expect(name).toContain(slug);
    }
  });
});

describe.skipIf(!isThere)("other documents of the corpus", () => {
  afterAll(closeParsers);

  test.each(["good_cjk_ko_normal_4pages", "good_right_to_left_01", "good_right_to_left_02"])(
    "%s isn't English and gives few or no cards, with a notice",
    async (name) => {
      const events = [...generateCards(await read(join(corpus, "pdf", `${name}.pdf`)), { density: "MEDIUM" })];
      expect(events.some((e) => e.type === "notice")).toBe(true);
      expect(events.filter((e) => e.type === "card").length).toBeLessThan(20);
    },
    30_000,
  );

  test.each(["good_lecture_super-cheatsheet-machine-learning", "good_twocol_multi-column", "good_multi_page"])(
    "%s gives a smaller deck, and every quote is found",
    async (name) => {
      const passages = await read(join(corpus, "pdf", `${name}.pdf`));
      const cards = deckOf(passages);
      expect(cards.length).toBeGreaterThan(5);
      expect(cards.length).toBeLessThan(100);
      for (const c of cards) expect(findExactQuote(passages, c.quote)).toBeDefined();
    },
    30_000,
  );
});
