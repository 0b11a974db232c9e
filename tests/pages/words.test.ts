import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareWords, wordsOf } from "#shared/pages/words.ts";

test("a comparison shows what was taken away and what was put in its place", () => {
  expect(compareWords("Osmosis moves water.", "Osmosis moves only water.")).toEqual([
    { words: "Osmosis moves ", where: "both" },
    { words: "only ", where: "after" },
    { words: "water.", where: "both" },
  ]);
});

test("of a comparison each text can be read as it was", () => {
  const text = fc
    .array(fc.constantFrom("cell", " ", "wall", "é", "。", "\n", "𝒳"), { maxLength: 30 })
    .map((w) => w.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const found = compareWords(before, after);
      const of = (other: string) =>
        found
          .filter(({ where }) => where !== other)
          .map(({ words }) => words)
          .join("");
      expect(of("after")).toBe(before);
      expect(of("before")).toBe(after);
    }),
  );
});

test("every kind of component has words", () => {
  expect(wordsOf({ text: [{ content: [{ content: "a" }, { content: "b" }] }] })).toBe("ab");
  expect(wordsOf({ title: "Genes", cards: [{ question: "Q", answer: "A" }] })).toBe("Genes\nQ\nA");
  expect(wordsOf({ latex: "E" })).toBe("E");
  expect(wordsOf({ code: "x" })).toBe("x");
  expect(wordsOf({ file: { id: "a.pdf", name: "Notes" }, title: "" })).toBe("Notes");
  expect(wordsOf({})).toBe("");
});
