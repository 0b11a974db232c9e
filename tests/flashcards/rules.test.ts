import { expect, test } from "vitest";
import { cardTarget, clipPageRange, usableTexts } from "#shared/flashcards/rules.ts";
import { sourceKindOf } from "#shared/flashcards/source-kind.ts";

test("the densities are Low 30-50, Medium 100-120, High 300-600 and Very High 600-900; automatic depends on length", () => {
  expect(cardTarget("LOW", 9)).toEqual({ min: 30, max: 50 });
  expect(cardTarget("MEDIUM", 9)).toEqual({ min: 100, max: 120 });
  expect(cardTarget("HIGH", 9)).toEqual({ min: 300, max: 600 });
  expect(cardTarget("VERY_HIGH", 9)).toEqual({ min: 600, max: 900 });
  expect(cardTarget("AUTO", 10).max).toBe(1);
  expect(cardTarget("AUTO", 8000).max).toBe(100);
  expect(cardTarget("AUTO", 10_000_000).max).toBe(900);
});

test("a page range is clipped to the document, and one outside it is empty", () => {
  expect(clipPageRange({}, 20)).toEqual({ from: 1, to: 20 });
  expect(clipPageRange({ startPage: 3, endPage: 99 }, 20)).toEqual({ from: 3, to: 20 });
  expect(clipPageRange({ startPage: 21 }, 20)).toBeUndefined();
  expect(clipPageRange({ startPage: 5, endPage: 4 }, 20)).toBeUndefined();
});

test("blank texts aren't sources, and single files are text, image or neither", () => {
  const place = { pageId: "01PAGE", componentId: "01TEXT" };
  expect(usableTexts(["  a ", "", " \n\t", { text: " b", ...place }])).toEqual([
    { text: "a", location: null },
    { text: "b", location: place },
  ]);
  expect(sourceKindOf("notes.md", "application/octet-stream")).toBe("text");
  expect(sourceKindOf("notes", "text/plain")).toBe("text");
  expect(sourceKindOf("board.jpg", "image/jpeg")).toBe("image");
  expect(sourceKindOf("deck.pdf", "application/pdf")).toBe("other");
});
