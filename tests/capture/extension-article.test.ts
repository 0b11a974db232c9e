import { expect, test } from "vitest";
import { holdText, likeness, withoutSurroundings } from "#extension/capture/agreement.ts";
import { blocksFromMarkdown, type NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";

const BODY = [
  "A codon is a sequence of three nucleotides that corresponds to a specific amino acid.",
  "The ribosome slides along the messenger RNA one codon at a time until it meets a stop codon.",
];
const wordsOf = (blocks: readonly NewBlock[]) =>
  blocks.map((block) => (block.type === "text" ? plainText(block.content.text) : block.type));

test("what stands before and behind an article is left out where the second extractor has none of it; in between all stays", () => {
  const blocks = blocksFromMarkdown(
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
  expect(wordsOf(withoutSurroundings(blocks, holdText(BODY.join(" "))))).toEqual([
    BODY[0],
    "A word that the other one left out.",
    "equation",
    BODY[1],
  ]);
});

test("code, formulas and hints at either end of an article stay, and so does a picture above it", () => {
  const blocks = blocksFromMarkdown(
    ["![Cell](https://example.org/cell.png)", BODY[0], "> Hint: read it aloud.", "```\ncodons = rna[0:3]\n```"].join(
      "\n\n",
    ),
  );
  expect(withoutSurroundings(blocks, holdText(BODY[0] ?? ""))).toEqual(blocks);
});

test("a text that shares nothing with the blocks takes none of them away", () => {
  const blocks = blocksFromMarkdown(BODY.join("\n\n"));
  expect(withoutSurroundings(blocks, holdText(""))).toEqual(blocks);
});

test("two texts are alike as far as their runs of words are", () => {
  expect(likeness(BODY.join(" "), holdText(BODY.join(" ")))).toBe(1);
  expect(likeness(BODY[0] ?? "", holdText(BODY[1] ?? ""))).toBe(0);
  expect(likeness("", holdText(""))).toBe(1);
});
