import { expect, test } from "vitest";
import type { Passage } from "#shared/pdf/schema.ts";
import { withTalkHeadings } from "#shared/podcasts/script/talk-headings.ts";

const SENTENCE_MS = 10_000;

const toPassages = (sentences: readonly string[]): Passage[] =>
  sentences.map((text, at) => {
    const startMs = at * SENTENCE_MS;
    return {
      id: `${at}`,
      text,
      kind: "paragraph",
      bold: [],
      italic: [],
      locator: { startMs, endMs: startMs + SENTENCE_MS - 500 },
    };
  });

const PARTS = [
  ["volcano", "lava"],
  ["glacier", "ice"],
  ["desert", "dune"],
];

/** A talk whose words change twice: each part speaks of two things of its own. */
const aTalk = () =>
  toPassages(
    PARTS.flatMap(([one = "", other = ""]) =>
      Array.from({ length: 16 }, (_, at) =>
        at % 2 === 0 ? `The ${one} moves its ${other} slowly.` : `Every ${one} has ${other} of its own.`,
      ),
    ),
  );

test("a talk gets headings where its words change, named by its nouns", () => {
  const headings = withTalkHeadings(aTalk(), []).filter(({ kind }) => kind === "heading");
  const titles = headings.map(({ text }) => text.toLowerCase());
  for (const [one = ""] of PARTS) expect(titles.some((title) => title.includes(one))).toBe(true);
  expect(titles.join(" ")).not.toMatch(/slowly|own/);
});

test("a detected part begins with a sentence that can be understood without those before it", () => {
  const passages = aTalk();
  const [, second] = withTalkHeadings(passages, []).flatMap((passage, at, all) =>
    passage.kind === "heading" ? [all[at + 1]] : [],
  );
  const at = passages.findIndex(({ id }) => id === second?.id);
  const changed = passages.map((passage, index) =>
    index === at ? { ...passage, text: "It is the opposite of that, and cold." } : passage,
  );
  const texts = withTalkHeadings(changed, []).map(({ kind, text }) => (kind === "heading" ? "##" : text));
  const moved = texts.indexOf("It is the opposite of that, and cold.");
  expect(texts[moved - 1]).not.toBe("##");
});

test("the chapters of a video's description are its headings", () => {
  const chapters = [
    { startMs: 0, title: "Fire" },
    { startMs: 165_000, title: "Ice" },
  ];
  const passages = withTalkHeadings(aTalk(), chapters);
  const at = passages.findIndex(({ text }) => text === "Ice");
  expect(passages.filter(({ kind }) => kind === "heading").map(({ text }) => text)).toEqual(["Fire", "Ice"]);
  expect(passages[at + 1]?.locator.startMs).toBe(170_000);
});

test("a short talk has no headings", () => {
  const passages = toPassages(["The volcano moves its lava.", "Every glacier has ice."]);
  expect(withTalkHeadings(passages, [])).toEqual(passages);
});
