import { wordsOf } from "#shared/text/words.ts";

const SHINGLE_WORDS = 5;
const MIN_SHARED = 0.8;
/** Shorter texts may share their word runs by chance. */
const MIN_SHINGLES = 8;
const MAX_SHINGLES = 20_000;

/** A number of 30 bits for a run of words, which takes less memory than the words. */
function hashOf(words: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < words.length; at += 1) hash = Math.imul(hash ^ words.charCodeAt(at), 16_777_619);
  return hash >>> 2;
}

/** The runs of five words of a text, for comparing texts. */
function shinglesOf(text: string): ReadonlySet<number> {
  const words = wordsOf(text);
  const shingles = new Set<number>();
  for (let at = 0; at + SHINGLE_WORDS <= words.length && shingles.size < MAX_SHINGLES; at += 1)
    shingles.add(hashOf(words.slice(at, at + SHINGLE_WORDS).join(" ")));
  return shingles;
}

/** Whether a text is contained almost completely in another, or contains it: mirrors and reposts count as one source. */
export interface TextRelation {
  isCopy: boolean;
  isOriginal: boolean;
}

const isContained = (size: number, shared: number) => size >= MIN_SHINGLES && shared >= size * MIN_SHARED;

/** Texts by their shingles. A text is compared only with those that share words with it. */
export class CopyIndex {
  readonly #texts = new Map<number, ReadonlySet<number>>();
  /** The texts that contain a shingle; most shingles are in one text only. */
  readonly #textsWith = new Map<number, number | number[]>();

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
        this.#textsWith.set(
          shingle,
          this.#textsWithShingle(shingle).filter((other) => other !== n),
        );
    for (const shingle of shingles) {
      if (earlier.has(shingle)) continue;
      const others = this.#textsWithShingle(shingle);
      this.#textsWith.set(shingle, others.length === 0 ? n : [...others, n]);
    }
  }

  #textsWithShingle(shingle: number): number[] {
    const texts = this.#textsWith.get(shingle) ?? [];
    return typeof texts === "number" ? [texts] : texts;
  }

  /** The texts of which this one is a copy, and those that are copies of it, by number. */
  compare(n: number): Map<number, TextRelation> {
    const own = this.#texts.get(n) ?? new Set();
    const shared = new Map<number, number>();
    for (const shingle of own)
      for (const other of this.#textsWithShingle(shingle)) shared.set(other, (shared.get(other) ?? 0) + 1);
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
