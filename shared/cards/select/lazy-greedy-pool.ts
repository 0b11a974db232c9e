import type { Ranked } from "../features/ranked-candidates.ts";
import { MIN_TRIES } from "./selection-limits.ts";

type GainOf = (entry: Ranked) => number;

/** The position of a gain in a sorted pool, after those that aren't greater. */
function insertionIndex(pool: readonly Ranked[], gain: number): number {
  let [low, high] = [0, pool.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pool[middle]?.gain ?? 0) <= gain) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Computes the gain of each entry, and sorts the best entry last, where it can be popped. */
export function computeGains(pool: Ranked[], gainOf: GainOf) {
  for (const entry of pool) entry.gain = gainOf(entry);
  pool.sort((x, y) => x.gain - y.gain || y.candidate.fact.order - x.candidate.fact.order);
}

/** Gains only decrease, so an entry is the best as long as its new gain exceeds the old gain of the next one. */
export function popBest(pool: Ranked[], gainOf: GainOf): Ranked | undefined {
  for (let moves = 0; moves < MIN_TRIES; moves++) {
    const best = pool.pop();
    if (!best) return undefined;
    best.gain = gainOf(best);
    const next = pool.at(-1);
    if (!next || best.gain >= next.gain) return best;
    pool.splice(insertionIndex(pool, best.gain), 0, best);
  }
  return pool.pop();
}
