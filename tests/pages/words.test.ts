import * as fc from "fast-check";
import { expect, test } from "vitest";
import { diffWords, componentText } from "#shared/pages/text-diff.ts";

test("a comparison shows what was removed and what was inserted", () => {
  expect(diffWords("Osmosis moves water.", "Osmosis moves only water.")).toEqual([
    { words: "Osmosis moves ", side: "both" },
    { words: "only ", side: "after" },
    { words: "water.", side: "both" },
  ]);
});

test("both texts can be reconstructed from a comparison", () => {
  const text = fc
    .array(fc.constantFrom("cell", " ", "wall", "é", "。", "\n", "𝒳"), { maxLength: 30 })
    .map((w) => w.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const found = diffWords(before, after);
      const without = (other: string) =>
        found
          .filter(({ side: where }) => where !== other)
          .map(({ words }) => words)
          .join("");
      expect(without("after")).toBe(before);
      expect(without("before")).toBe(after);
    }),
  );
});

test("every kind of component can be read as text", () => {
  expect(componentText({ text: [{ content: [{ content: "a" }, { content: "b" }] }] })).toBe("ab");
  expect(componentText({ title: "Genes", cards: [{ question: "Q", answer: "A" }] })).toBe("Genes\nQ\nA");
  expect(componentText({ latex: "E" })).toBe("E");
  expect(componentText({ code: "x" })).toBe("x");
  expect(componentText({ file: { id: "a.pdf", name: "Notes" }, title: "" })).toBe("Notes");
  expect(componentText({})).toBe("");
});
