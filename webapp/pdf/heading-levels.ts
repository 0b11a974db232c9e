import type { Passage } from "#shared/pdf/schema.ts";

/**
 * HTML heading levels by passage index: they start below the document's title and skip no level, as accessibility
 * requires.
 */
export function headingLevels(passages: readonly Pick<Passage, "kind" | "level">[]): ReadonlyMap<number, number> {
  const above: number[] = [];
  const levels = new Map<number, number>();
  for (const [at, { kind, level }] of passages.entries()) {
    if (kind !== "heading") continue;
    const own = level ?? 1;
    while ((above.at(-1) ?? 0) >= own) above.pop();
    above.push(own);
    levels.set(at, Math.min(6, 1 + above.length));
  }
  return levels;
}
