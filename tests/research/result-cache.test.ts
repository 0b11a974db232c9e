import { expect, test } from "vitest";
import { ResultCache } from "#api/research/search/result-cache.ts";

const limits = { ttlMs: 1000, entries: 3, chars: 100 };

test("an entry is found until it expires", () => {
  const cache = new ResultCache<string>(limits);
  cache.put("a", "one", 0);
  expect(cache.find("a", 999)).toBe("one");
  expect(cache.find("a", 1000)).toBeUndefined();
});

test("the oldest entries are evicted if there are too many, or if they are too long in total", () => {
  const cache = new ResultCache<string>(limits);
  for (const key of ["a", "b", "c", "d"]) cache.put(key, "short", 0);
  expect(["a", "b", "c", "d"].map((key) => cache.find(key, 0))).toEqual([undefined, "short", "short", "short"]);
  cache.put("e", "x".repeat(82), 0);
  expect(["c", "d", "e"].map((key) => cache.find(key, 0)?.length)).toEqual([undefined, 5, 82]);
});

test("an entry that is longer than the whole cache is not cached, and evicts nothing", () => {
  const cache = new ResultCache<string>(limits);
  cache.put("a", "short", 0);
  cache.put("b", "x".repeat(200), 0);
  expect([cache.find("a", 0), cache.find("b", 0)]).toEqual(["short", undefined]);
});

test("an entry that is written again counts once", () => {
  const cache = new ResultCache<string>(limits);
  for (let time = 0; time < 9; time += 1) cache.put("a", "x".repeat(40), 0);
  cache.put("b", "x".repeat(40), 0);
  expect(cache.find("a", 0)).toBe("x".repeat(40));
});
