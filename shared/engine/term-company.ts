import type { Fact } from "./facts.ts";
import type { TermIndex } from "./terms.ts";
import { contentStems, phraseKey } from "./words.ts";

/** Where a term is set off it is mostly explained: what stands there counts more than what stands elsewhere. */
const WHERE_SET_OFF = 3;

/**
 * Which words keep company with each term the author set off. A sentence that holds many of them says what is typical
 * of the term, and a card made of it explains the term better than one that merely names it.
 */
export class TermCompany {
  readonly #company = new Map<string, Map<string, number>>();
  readonly #spread = new Map<string, number>();
  #facts = 0;
  #readable = 0;

  constructor(facts: readonly Fact[], terms: TermIndex) {
    for (const fact of facts) this.#read(fact, terms);
  }

  #read({ raw, marked, tokens }: Fact, terms: TermIndex) {
    this.#facts++;
    if (tokens.length > 0) this.#readable++;
    const stems = new Set(contentStems(raw));
    for (const stem of stems) this.#spread.set(stem, (this.#spread.get(stem) ?? 0) + 1);
    const setOff = new Set(marked.map(phraseKey));
    for (const { key, isMarked } of terms.within(raw)) {
      if (!isMarked) continue;
      const company = this.#company.get(key) ?? new Map<string, number>();
      const weight = setOff.has(key) ? WHERE_SET_OFF : 1;
      for (const stem of stems) company.set(stem, (company.get(stem) ?? 0) + weight);
      this.#company.set(key, company);
    }
  }

  /** How many of the sentences say something: a form or a register is mostly lines that do not. */
  get size(): number {
    return this.#readable;
  }

  /** How much of what is typical of the term the words say. */
  aptness(key: string, stems: ReadonlySet<string>): number {
    const company = this.#company.get(key);
    if (!company) return 0;
    const own = new Set(contentStems(key));
    let sum = 0;
    for (const stem of stems) {
      if (own.has(stem)) continue;
      const rarity = Math.log(1 + this.#facts / (1 + (this.#spread.get(stem) ?? 0)));
      sum += Math.sqrt(company.get(stem) ?? 0) * rarity;
    }
    return sum;
  }
}
