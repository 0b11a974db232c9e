import type { Candidate } from "../generate/candidates.ts";
import type { Ranked } from "../features/ranked-candidates.ts";
import type { Collocations } from "../features/collocations.ts";
import type { Fact } from "../source/facts.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { phraseKey } from "#shared/text/words.ts";
import { BLANK_WEIGHT, FREE_CARDS_PER_TERM, MIN_SCORE_GROWTH, TRIES_PER_TERM, type Tier } from "./selection-limits.ts";

/** Whether a candidate explains its term or asks for it where the author emphasised it. */
export function isIntroduction({ termKey, style, fact, isLastResort }: Candidate): boolean {
  if (isLastResort) return false;
  if (style === "definition" || style === "term") return true;
  return (style === "cloze" || style === "fact") && fact.emphasised.some((text) => phraseKey(text) === termKey);
}

const countUp = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** Which terms the selected cards introduce, and how much they say about each. */
export class TermCoverage {
  readonly #lexicon: Lexicon;
  readonly #collocations: Collocations;
  readonly #introduced = new Set<string>();
  /** The best score that a selected card has for each term. */
  readonly #bestScores = new Map<string, number>();
  /** How many selected cards are about each term. */
  readonly #cardsAbout = new Map<string, number>();
  /** How many selected cards mention each term. */
  readonly #mentions = new Map<string, number>();
  /** Terms emphasised in the sections so far. */
  readonly #markedTerms = new Set<string>();
  #titleTerms: ReadonlySet<string> = new Set();

  constructor(lexicon: Lexicon, collocations: Collocations) {
    this.#lexicon = lexicon;
    this.#collocations = collocations;
  }

  startSection(facts: readonly Fact[], title: string) {
    this.#titleTerms = new Set(this.#lexicon.terms.findIn(title).map(({ key }) => key));
    for (const { emphasised } of facts) for (const text of emphasised) this.#markedTerms.add(phraseKey(text));
  }

  isMarked(key: string): boolean {
    return this.#markedTerms.has(key);
  }

  fitsTier({ candidate }: Ranked, tier: Tier): boolean {
    const { termKey, style } = candidate;
    if (termKey === undefined) return false;
    // A title names what its section explains, as bold text does.
    const isTitleTerm = style === "definition" && tier === "introduced" && this.#titleTerms.has(termKey);
    if (!isTitleTerm && !this.#lexicon.terms.byKey(termKey)?.isMarked) return false;
    if (tier === "introduced") return !this.#introduced.has(termKey) && isIntroduction(candidate);
    return this.#markedTerms.has(termKey) && !this.#bestScores.has(termKey);
  }

  /** A candidate's score plus what it adds. A term that many cards already mention adds little. */
  gainOf({ score, terms }: Ranked): number {
    let added = 0;
    for (const { key, weight } of terms) added += weight / (1 + (this.#mentions.get(key) ?? 0));
    return score + 0.5 * added;
  }

  /** Terms emphasised in this section first, then those with the fewest cards. */
  leastCovered(keys: readonly string[], facts: readonly Fact[]): string[] {
    const sectionTerms = new Set(facts.flatMap(({ emphasised }) => emphasised.map(phraseKey)));
    const rank = (key: string) => (sectionTerms.has(key) ? 0 : 100) + (this.#cardsAbout.get(key) ?? 0);
    return keys.toSorted((a, b) => rank(a) - rank(b));
  }

  /** The candidates that say more about a term than its cards so far, best first. */
  bestForTerm(key: string, candidates: readonly Ranked[]): Ranked[] {
    const cards = this.#cardsAbout.get(key) ?? 0;
    const least = cards >= FREE_CARDS_PER_TERM ? (this.#bestScores.get(key) ?? 0) * MIN_SCORE_GROWTH : 0;
    return candidates
      .map((entry) => ({ entry, score: this.#scoreFor(key, entry) }))
      .filter(({ score }) => score > least)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, TRIES_PER_TERM)
      .map(({ entry }) => entry);
  }

  add({ candidate, askedTermKeys, terms, stems }: Ranked) {
    for (const key of askedTermKeys) {
      countUp(this.#cardsAbout, key);
      const score = this.#scoreFor(key, { candidate, stems });
      this.#bestScores.set(key, Math.max(score, this.#bestScores.get(key) ?? 0));
    }
    for (const { key } of terms) countUp(this.#mentions, key);
    if (candidate.termKey !== undefined && isIntroduction(candidate)) this.#introduced.add(candidate.termKey);
  }

  #scoreFor(key: string, { candidate, stems }: Pick<Ranked, "candidate" | "stems">): number {
    return this.#collocations.scoreFor(key, stems) * (candidate.style === "cloze" ? BLANK_WEIGHT : 1);
  }
}
