import type { Hit } from "./port.ts";

/** Reciprocal rank fusion, with the constant of Cormack, Clarke and Büttcher (2009). */
const K = 60;

/** Merges several rankings by rank alone, because their scores are not comparable. */
export function fuseRankings(rankings: readonly (readonly Hit[])[], limit: number): Hit[] {
  const fused = new Map<string, Hit>();
  for (const ranking of rankings)
    for (const [rank, hit] of ranking.entries()) {
      const key = `${hit.sourceId}\0${hit.position}`;
      const before = fused.get(key)?.score ?? 0;
      fused.set(key, { ...hit, score: before + 1 / (K + rank + 1) });
    }
  return [...fused.values()].toSorted((a, b) => b.score - a.score).slice(0, limit);
}
