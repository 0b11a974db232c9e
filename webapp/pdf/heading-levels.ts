import type { Passage } from "#shared/pdf/schema.ts";

/**
 * HTML heading levels by passage index: they start below the document's title and skip no level, as accessibility
 * requires.
 */
export function computeHeadingLevels(
  passages: readonly Pick<Passage, "kind" | "level">[],
): ReadonlyMap<number, number> {
  const ancestors: number[] = [];
  const levels = new Map<number, number>();
  for (const [index, { kind, level }] of passages.entries()) {
    if (kind !== "heading") continue;
    const headingLevel = level ?? 1;
    while ((ancestors.at(-1) ?? 0) >= headingLevel) ancestors.pop();
    ancestors.push(headingLevel);
    levels.set(index, Math.min(6, 1 + ancestors.length));
  }
  return levels;
}
