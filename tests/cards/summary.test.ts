import { expect, test } from "vitest";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { centralSentences } from "#shared/text/summary.ts";

const CELLS = `# Cells

A cell is the smallest unit of life that can divide by itself. Every cell is bounded by a **membrane** of lipids and proteins. The membrane of a cell lets water pass and holds salts back. It was drawn by Hooke in 1665. See figure 3 for the membrane of a cell.

The nucleus of a cell holds its DNA, which is copied before the cell divides. What does a cell do when it divides?

# References

A history of the cell and of the membrane of the cell, second edition, published in London.`;

const chosen = (text: string, count: number, instructions?: string) =>
  centralSentences(passagesFromText(text), count, instructions).map((sentence) => sentence.text);

test("a summary consists of self-contained sentences in the order of the text", () => {
  const sentences = chosen(CELLS, 3);
  expect(sentences).toHaveLength(3);
  const places = sentences.map((sentence) => CELLS.replaceAll("**", "").indexOf(sentence));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.every((place) => place >= 0)).toBe(true);
  for (const sentence of chosen(CELLS, 20)) expect(sentence).not.toMatch(/^It |figure 3|\?$|history of the cell/);
});

test("the same text and instructions always give the same sentences", () => {
  expect(chosen(CELLS, 2)).toEqual(chosen(CELLS, 2));
  expect(chosen(CELLS, 1, "Please tell of salts").join()).toContain("salts");
});

test("no two sentences are alike", () => {
  const twice = Array.from({ length: 400 }, () => "The membrane of a cell lets water pass and holds salts back.").join(
    " ",
  );
  expect(chosen(twice, 5)).toHaveLength(1);
});

test("a text in Chinese or Japanese is summarised, although its words have no spaces between them", () => {
  const chinese = "细胞是能够独立分裂的最小生命单位。每个细胞都被由脂质和蛋白质组成的膜包围。";
  const japanese = "細胞は独立して分裂できる生命の最小単位である。";
  expect(chosen(chinese, 5)).toHaveLength(2);
  expect(chosen(japanese, 5)).toEqual([japanese]);
});

test("a copyright notice is not part of a summary", () => {
  const notice = "Copyright © 2019 by the Regents of the University of Ribosome Studies.";
  const fact = "The ribosome of a cell makes proteins from amino acids.";
  expect(chosen(`${notice} ${fact}`, 5)).toEqual([fact]);
});

test.each([
  ["nothing", ""],
  ["numbers", "12 13 14 15 16 17 18."],
  ["one endless line", `The cell ${"divides and ".repeat(50_000)} rests.`],
  ["punctuation", "*".repeat(100_000)],
])("a text of %s gives no sentence and no error", (_what, text) => {
  expect(chosen(text, 5)).toEqual([]);
});
