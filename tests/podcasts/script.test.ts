import { expect, test } from "vitest";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { EngineCard } from "#shared/cards/schema.ts";
import { estimateMs, type Script, writeScript } from "#shared/podcasts/script/write-script.ts";
import { LENGTHS_MINUTES } from "#shared/podcasts/schema.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { aTextbook } from "./textbook.ts";

const msPerChar = { host: 68, guest: 65 };

function scriptOf(text: string, lengthMinutes: number, hasBreaks = true) {
  const passages = passagesFromText(text);
  const cards: EngineCard[] = [];
  for (const event of generateCards(passages, { density: "MEDIUM" })) if (event.type === "card") cards.push(event.card);
  const source = {
    title: "Cells.pdf",
    passages,
    cards,
    cite: (_: unknown, quote: string) => `pdf_citation:c:1:${quote}`,
  };
  const options = { lengthMinutes, hasBreaks, title: "Cells", guestName: "Maya", hostName: "Noah", msPerChar };
  return { passages, script: writeScript([source], options) };
}

const guestLines = ({ lines }: Script) => lines.filter(({ speaker }) => speaker === "guest");

test.each(LENGTHS_MINUTES)("an episode of %i minutes is planned within 10 percent of its length", (minutes) => {
  const { script } = scriptOf(aTextbook(), minutes);
  expect(Math.abs(estimateMs(script.lines, msPerChar) / (minutes * 60_000) - 1)).toBeLessThan(0.1);
  expect(script.isShort).toBe(false);
});

test("every line of the guest stands in the source, word for word, with its citation", () => {
  const { script, passages } = scriptOf(aTextbook(), 10);
  expect(guestLines(script).length).toBeGreaterThan(20);
  for (const { text, citation } of guestLines(script)) {
    expect(findExactQuote(passages, text)).toBeDefined();
    expect(citation).toContain(text);
  }
  expect(new Set(guestLines(script).map(({ text }) => text)).size).toBe(guestLines(script).length);
});

test("the host only speaks questions of the cards, prompts and titles", () => {
  const { script, passages } = scriptOf(aTextbook(), 10);
  for (const { text, speaker, citation } of script.lines)
    if (speaker === "host") {
      expect(citation).toBeNull();
      expect(text.split(" ").length < 7 || findExactQuote(passages, text) === undefined).toBe(true);
    }
});

test("chapters follow the headings, each with time to answer, and the end repeats the terms", () => {
  const { script } = scriptOf(aTextbook(), 10);
  expect(script.chapters.length).toBeGreaterThanOrEqual(3);
  expect(script.chapters.length).toBeLessThanOrEqual(8);
  expect(script.chapters.at(-1)?.title).toBe("What to remember");
  expect(script.lines.filter(({ pauseMs }) => pauseMs >= 3000).length).toBeGreaterThanOrEqual(3);
  expect(script.lines.map(({ chapter }) => chapter)).toEqual(
    script.lines.map(({ chapter }) => chapter).toSorted((a, b) => a - b),
  );
});

test("without breaks there is no silence", () => {
  const { script } = scriptOf(aTextbook(), 5, false);
  expect(script.lines.every(({ pauseMs }) => pauseMs === 0)).toBe(true);
});

test("a source with little text gives a shorter episode with a notice", () => {
  const { script } = scriptOf("# Cells\n\nA cell is the smallest unit of life that can reproduce by itself.\n", 10);
  expect(script.isShort).toBe(true);
  expect(guestLines(script)).toHaveLength(1);
});

test("a source without a sentence gives no line", () => {
  expect(scriptOf("# Cells\n\n12 34 56\n", 5).script.lines).toEqual([]);
});
