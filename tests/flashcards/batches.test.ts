import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { batchByTime } from "#api/flashcards/batches.ts";

const limits = { maxMs: 40, maxSilenceMs: 120, isFull: (batch: readonly unknown[]) => batch.length >= 3 };

async function* numbers(...waits: number[]) {
  for (const [i, ms] of waits.entries()) {
    if (ms > 0) await pause(ms);
    yield i;
  }
}

async function* failing() {
  yield* numbers(0, 0);
  throw new Error("gone");
}

async function batchesOf(source: AsyncGenerator<number>) {
  const batches: number[][] = [];
  for await (const batch of batchByTime(source, limits)) batches.push(batch);
  return batches;
}

test("the first card is sent at once, later ones in batches", async () => {
  expect(await batchesOf(numbers(0, 0, 0, 0, 0, 0))).toEqual([[0], [1, 2, 3], [4, 5]]);
});

test("a card isn't delayed long for a batch", async () => {
  expect(await batchesOf(numbers(0, 0, 150))).toEqual([[0], [1], [2]]);
});

test("a long pause sends an empty batch to keep the connection open", async () => {
  expect(await batchesOf(numbers(0, 200))).toEqual([[0], [], [1]]);
});

test("items before a failure are delivered, then the failure", async () => {
  const seen: number[][] = [];
  const read = async () => {
    for await (const batch of batchByTime(failing(), limits)) seen.push(batch);
  };
  await expect(read()).rejects.toThrow("gone");
  expect(seen).toEqual([[0], [1]]);
});
