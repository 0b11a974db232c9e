import type { Fact } from "../source/facts.ts";
import type { TermIndex } from "../source/terms.ts";
import { contentStems, phraseKey } from "#shared/text/words.ts";

/** A sentence that emphasises a term mostly explains it, so the words of that sentence count more. */
const EMPHASIS_WEIGHT = 3;

/**
 * The words that typically occur with each emphasised term. A sentence with many of them explains the term better than
 * one that only mentions it.
 */
export class Collocations {
  readonly #collocates = new Map<string, Map<string, number>>();
  readonly #documentCounts = new Map<string, number>();
  #facts = 0;
  #sentences = 0;

  constructor(facts: readonly Fact[], terms: TermIndex) {
    for (const fact of facts) this.#addFact(fact, terms);
  }

  #addFact({ original, emphasised, tokens }: Fact, terms: TermIndex) {
    this.#facts++;
    if (tokens.length > 0) this.#sentences++;
    const stems = new Set(contentStems(original));
    for (const stem of stems) this.#documentCounts.set(stem, (this.#documentCounts.get(stem) ?? 0) + 1);
    const emphasisedKeys = new Set(emphasised.map(phraseKey));
    for (const { key, isMarked } of terms.findIn(original)) {
      if (!isMarked) continue;
      const collocates = this.#collocates.get(key) ?? new Map<string, number>();
      const weight = emphasisedKeys.has(key) ? EMPHASIS_WEIGHT : 1;
      for (const stem of stems) collocates.set(stem, (collocates.get(stem) ?? 0) + weight);
      this.#collocates.set(key, collocates);
    }
  }

  /** The number of sentences; most lines of forms and registers are not sentences. */
  get size(): number {
    return this.#sentences;
  }

  /** How much of what is typical of the term these stems contain. */
  scoreFor(key: string, stems: ReadonlySet<string>): number {
    const collocates = this.#collocates.get(key);
    if (!collocates) return 0;
    const termStems = new Set(contentStems(key));
    let sum = 0;
    for (const stem of stems) {
      if (termStems.has(stem)) continue;
      const rarity = Math.log(1 + this.#facts / (1 + (this.#documentCounts.get(stem) ?? 0)));
      sum += Math.sqrt(collocates.get(stem) ?? 0) * rarity;
    }
    return sum;
  }
}
