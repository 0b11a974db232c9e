import { seeded } from "#tests/pdf/quote-edits.ts";

/** Draws that can be repeated: SEED=n draws the same again. The seed is printed where the draws begin. */
export function seededDraws(name: string) {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  process.stdout.write(`  ${name}: SEED=${seed}\n`);
  const random = seeded(seed);
  /** A whole number from `min` (0 where it is left out) to below `max`, as node:crypto's. */
  return function randomInt(...range: [max: number] | [min: number, max: number]): number {
    const [min, max] = range.length === 1 ? [0, range[0]] : range;
    return min + Math.floor(random() * (max - min));
  };
}
