import type { CoveredCard } from "#shared/engine/coverage.ts";
import type { CoverageEntry } from "#shared/engine/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { runEngine } from "./engine-threads.ts";

const TIME_LIMIT_MS = 60_000;

/** What of a source the cards ask about, whichever engine made them; worked out beside the request loop. */
export async function readCoverage(
  passages: readonly Passage[],
  cards: readonly CoveredCard[],
  signal: AbortSignal,
): Promise<CoverageEntry[]> {
  const task = { passages, options: { density: "AUTO" as const }, covering: cards };
  let entries: CoverageEntry[] = [];
  // Read to its end: a thread that is left in the middle is ended, and the next would have to start anew.
  for await (const message of runEngine(task, { signal, timeLimitMs: TIME_LIMIT_MS }))
    if (message.type === "coverage") ({ entries } = message);
  return entries;
}
