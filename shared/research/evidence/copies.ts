import { wordsOf } from "#shared/text/words.ts";

const SHINGLE_WORDS = 5;
const MIN_SHARED = 0.8;
/** Shorter texts share their phrases by chance. */
const MIN_SHINGLES = 8;
const MAX_SHINGLES = 20_000;

/** A number of 30 bits for a run of words, which takes less memory than the words. */
function hashOf(words: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < words.length; at += 1) hash = Math.imul(hash ^ words.charCodeAt(at), 16_777_619);
  return hash >>> 2;
}

/** Runs of five words, by which two texts are compared. */
function shinglesOf(text: string): ReadonlySet<number> {
  const words = wordsOf(text);
  const shingles = new Set<number>();
  for (let at = 0; at + SHINGLE_WORDS <= words.length && shingles.size < MAX_SHINGLES; at += 1)
    shingles.add(hashOf(words.slice(at, at + SHINGLE_WORDS).join(" ")));
  return shingles;
}

/** Whether a text has almost all of another one, or the other way round: mirrors and reposts are one source, not two. */
export interface TextRelation {
  isCopy: boolean;
  isOriginal: boolean;
}

const isContained = (size: number, shared: number) => size >= MIN_SHINGLES && shared >= size * MIN_SHARED;

/** Texts by their shingles. A text is compared with those that share words with it, and not with each of the others. */
export class CopyIndex {
  readonly #texts = new Map<number, ReadonlySet<number>>();
  /** The texts with a shingle; most shingles are in one text alone. */
  readonly #holders = new Map<number, number | number[]>();

  has(n: number): boolean {
    return this.#texts.has(n);
  }

  /** Adds a text, or replaces the earlier one of that number. */
  put(n: number, text: string): void {
    const earlier = this.#texts.get(n) ?? new Set();
    const shingles = shinglesOf(text);
    this.#texts.set(n, shingles);
    for (const shingle of earlier)
      if (!shingles.has(shingle))
        this.#holders.set(
          shingle,
          this.#holdersOf(shingle).filter((other) => other !== n),
        );
    for (const shingle of shingles) {
      if (earlier.has(shingle)) continue;
      const others = this.#holdersOf(shingle);
      this.#holders.set(shingle, others.length === 0 ? n : [...others, n]);
    }
  }

  #holdersOf(shingle: number): number[] {
    const holders = this.#holders.get(shingle) ?? [];
    return typeof holders === "number" ? [holders] : holders;
  }

  /** The texts of which this one is a copy, and those that are copies of it, by number. */
  compare(n: number): Map<number, TextRelation> {
    const own = this.#texts.get(n) ?? new Set();
    const shared = new Map<number, number>();
    for (const shingle of own)
      for (const other of this.#holdersOf(shingle)) shared.set(other, (shared.get(other) ?? 0) + 1);
    shared.delete(n);
    const related = new Map<number, TextRelation>();
    for (const [other, count] of shared) {
      const isCopy = isContained(own.size, count);
      const isOriginal = isContained(this.#texts.get(other)?.size ?? 0, count);
      if (isCopy || isOriginal) related.set(other, { isCopy, isOriginal });
    }
    return related;
  }
}
