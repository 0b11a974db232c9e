import { createCipheriv, createHash } from "node:crypto";

/** Random numbers that depend only on the seed: mulberry32 (public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Repeatable random numbers: SEED=n repeats them. The seed is printed at the start. */
export function seededDraws(name: string) {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  process.stdout.write(`  ${name}: SEED=${seed}\n`);
  const random = seededRandom(seed);
  /** An integer from `min` (default 0) to below `max`, like node:crypto's. */
  return function randomInt(...range: [max: number] | [min: number, max: number]): number {
    const [min, max] = range.length === 1 ? [0, range[0]] : range;
    return min + Math.floor(random() * (max - min));
  };
}

/** Bytes without a pattern, which do not compress, the same in every run. Another seed gives other bytes. */
export function noise(size: number, seed = 1): Buffer {
  const key = createHash("sha256").update(`noise ${seed}`).digest();
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(size));
}
