import { seeded } from "#tests/pdf/quote-edits.ts";

/** Repeatable random numbers: SEED=n repeats them. The seed is printed at the start. */
export function seededDraws(name: string) {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  process.stdout.write(`  ${name}: SEED=${seed}\n`);
  const random = seeded(seed);
  /** An integer from `min` (default 0) to below `max`, like node:crypto's. */
  return function randomInt(...range: [max: number] | [min: number, max: number]): number {
    const [min, max] = range.length === 1 ? [0, range[0]] : range;
    return min + Math.floor(random() * (max - min));
  };
}
