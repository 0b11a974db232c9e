import { expect, test } from "vitest";
import { namedIndexes, roundTicks } from "#shared/ui/charts/axis.ts";

test.each([
  { low: 0.242, high: 0.287, ticks: [0.24, 0.26, 0.28, 0.3] },
  { low: 0.52, high: 1, ticks: [0.4, 0.6, 0.8, 1] },
  { low: -3, high: 4, ticks: [-4, -2, 0, 2, 4] },
  { low: 0, high: 0, ticks: [0, 0.5] },
  { low: 7, high: 7, ticks: [6, 8] },
])("the scale from $low to $high has the round numbers $ticks", ({ low, high, ticks }) => {
  expect(roundTicks(low, high)).toEqual(ticks);
});

test("a scale of counts has whole numbers only", () => {
  expect(roundTicks(0, 1, 1)).toEqual([0, 1]);
  expect(roundTicks(0, 3619, 1)).toEqual([0, 1000, 2000, 3000, 4000]);
});

test("a scale of any size contains both ends and three to six numbers", () => {
  for (const low of [0, 0.013, 5, 999])
    for (const span of [1e-4, 0.37, 1, 8.5, 12_345]) {
      const ticks = roundTicks(low, low + span);
      expect(ticks.at(0)).toBeLessThanOrEqual(low);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(low + span);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
});

test.each([
  { count: 1, named: [0] },
  { count: 5, named: [0, 1, 2, 3, 4] },
  { count: 8, named: [0, 2, 4, 6] },
  { count: 30, named: [0, 8, 16, 24] },
])("of $count labels below a chart, the ones that fit are $named", ({ count, named }) => {
  expect(namedIndexes(count)).toEqual(named);
});
