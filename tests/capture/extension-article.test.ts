import { expect, test } from "vitest";
import {
  indexText,
  similarity,
  pickBetterArticle,
  removeSurroundings,
} from "#extension/capture/article/extractor-agreement.ts";
import { parseMarkdownBlocks, type NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";

const BODY = [
  "A codon is a sequence of three nucleotides that corresponds to a specific amino acid.",
  "The ribosome slides along the messenger RNA one codon at a time until it meets a stop codon.",
];
const wordsOf = (blocks: readonly NewBlock[]) =>
  blocks.map((block) => (block.type === "text" ? plainText(block.content.text) : block.type));

test("removes what surrounds an article if the second extractor doesn't have it; keeps everything in between", () => {
  const blocks = parseMarkdownBlocks(
    [
      "Sign in | Subscribe",
      BODY[0],
      "A word that the other one left out.",
      "$$a^2$$",
      BODY[1],
      "## Most read today",
      "- Ten facts about the weather",
    ].join("\n\n"),
  );
  expect(wordsOf(removeSurroundings(blocks, indexText(BODY.join(" "))))).toEqual([
    BODY[0],
    "A word that the other one left out.",
    "equation",
    BODY[1],
  ]);
});

test("keeps code, formulas and hints at either end of an article, and a picture above it", () => {
  const blocks = parseMarkdownBlocks(
    ["![Cell](https://example.org/cell.png)", BODY[0], "> Hint: read it aloud.", "```\ncodons = rna[0:3]\n```"].join(
      "\n\n",
    ),
  );
  expect(removeSurroundings(blocks, indexText(BODY[0] ?? ""))).toEqual(blocks);
});

test("keeps all blocks if the other text has nothing in common with them", () => {
  const blocks = parseMarkdownBlocks(BODY.join("\n\n"));
  expect(removeSurroundings(blocks, indexText(""))).toEqual(blocks);
});

test("the similarity of two texts is the share of common word runs", () => {
  expect(similarity(BODY.join(" "), indexText(BODY.join(" ")))).toBe(1);
  expect(similarity(BODY[0] ?? "", indexText(BODY[1] ?? ""))).toBe(0);
  expect(similarity("", indexText(""))).toBe(1);
});

const LEAD = "Every cell makes its proteins with the same few parts, and this chapter shows how they work together.";

test("keeps sentences before the common text, and removes lines that only link elsewhere, wherever they are", () => {
  const blocks = parseMarkdownBlocks(
    [
      "Share | Print",
      LEAD,
      BODY[0],
      "[Read also: ten facts about the weather that nobody knew until now, and what they mean](https://example.org/ten)",
      "Picture: Press agency",
      "- A short item",
      BODY[1],
    ].join("\n\n"),
  );
  expect(wordsOf(removeSurroundings(blocks, indexText(BODY.join(" "))))).toEqual([
    LEAD,
    BODY[0],
    "A short item",
    BODY[1],
  ]);
});

const textsOf = (blocks: readonly NewBlock[]) => wordsOf(blocks).join("\n");
const menu = parseMarkdownBlocks(
  ["Home", "- [Shop](https://example.org/shop)", "- [About us](https://example.org/us)"].join("\n\n"),
);
const article = parseMarkdownBlocks(BODY.join("\n\n"));

test("of two articles with nothing in common, picks the one that is prose", () => {
  expect(textsOf(pickBetterArticle(article, menu))).toBe(textsOf(article));
  expect(textsOf(pickBetterArticle(menu, article))).toBe(textsOf(article));
  const chinese = parseMarkdownBlocks(
    "密码子是三个核苷酸的序列，对应于一种特定的氨基酸。核糖体沿着信使核糖核酸滑动，一次一个密码子。",
  );
  expect(textsOf(pickBetterArticle(menu, chinese))).toBe(textsOf(chinese));
});

test("of two articles that contain each other, picks the longer if it is prose throughout, else the shorter", () => {
  const longer = parseMarkdownBlocks([LEAD, ...BODY].join("\n\n"));
  expect(textsOf(pickBetterArticle(article, longer))).toBe(textsOf(longer));
  const teasers = Array.from({ length: 6 }, (_, n) => `- Teaser ${n}: the weather of tomorrow`);
  const withTeasers = parseMarkdownBlocks([...BODY, LEAD, ...teasers].join("\n\n"));
  expect(textsOf(pickBetterArticle(withTeasers, article))).toBe(textsOf(article));
});
