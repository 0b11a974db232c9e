import { expect, test } from "vitest";
import { isFullOfCalls, parametersOf } from "#shared/cards/source/parameters.ts";
import { fill, MAX_GROWTH, measureGrowth } from "#tests/kit/timing/growth.ts";

const passagesOf = (text: string) => [{ text }];

const read = (text: string) => [parametersOf(passagesOf(text)), isFullOfCalls(passagesOf(text), 1)];

test("names in signatures are parameters, and a single aside in brackets is not", () => {
  expect([...parametersOf(passagesOf("median(values, dim) and mode (values, opt) and sum (values, opt)."))]).toEqual([
    "values",
    "dim",
    "opt",
  ]);
  expect([...parametersOf(passagesOf("The cell (membrane, wall) divides, and so does (ATP)."))]).toEqual([]);
});

test("a manual is full of calls, a textbook is not", () => {
  expect(isFullOfCalls(passagesOf("Use median(x, dim) for columns."), 5)).toBe(true);
  expect(isFullOfCalls(passagesOf("The mitochondrion (a part of the cell) makes ATP."), 9)).toBe(false);
});

test.each(["a", "a(", "a.", "a (b, "])("the work for a run of “%s” grows with its length", (part) => {
  expect(measureGrowth(read, (chars) => fill(part, chars))).toBeLessThan(MAX_GROWTH);
});
