import type { Hit } from "./port.ts";

/** Cormack, Clarke and Büttcher, Reciprocal Rank Fusion (2009), with their constant. */
const K = 60;

/** Several orders of hits as one: who stands high in any of them stands high. Scores of different kinds are not compared. */
export function fuse(orders: readonly (readonly Hit[])[], limit: number): Hit[] {
  const fused = new Map<string, Hit>();
  for (const order of orders)
    for (const [rank, hit] of order.entries()) {
      const key = `${hit.sourceId}\0${hit.place}`;
      const before = fused.get(key)?.score ?? 0;
      fused.set(key, { ...hit, score: before + 1 / (K + rank + 1) });
    }
  return [...fused.values()].toSorted((a, b) => b.score - a.score).slice(0, limit);
}
