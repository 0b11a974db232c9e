import type { CoveredCard } from "#shared/cards/deck/coverage.ts";
import type { CoverageEntry } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { runEngine } from "./engine-threads.ts";

const TIME_LIMIT_MS = 60_000;

/** Computes in a worker thread which parts of a source the cards cover, whichever engine made them. */
export async function computeCoverage(
  passages: readonly Passage[],
  cards: readonly CoveredCard[],
  signal: AbortSignal,
): Promise<CoverageEntry[]> {
  const task = { passages, options: { density: "AUTO" as const }, coveredCards: cards };
  let entries: CoverageEntry[] = [];
  // Read to the end, because leaving the loop early would terminate the thread, and the next task would have to start a
  // new one.
  for await (const message of runEngine(task, { signal, timeLimitMs: TIME_LIMIT_MS }))
    if (message.type === "coverage") ({ entries } = message);
  return entries;
}
