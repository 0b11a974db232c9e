import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { definitionBonus } from "./definitions.ts";
import type { Excerpt, FoundPassage } from "./excerpts.ts";
import { askedQuantity, requiredTerms } from "./required-facts.ts";

/** Share of the question's terms that its excerpt must contain. */
export const MIN_COVERAGE = 0.6;

/** How much each property of an excerpt counts, in shares of the question's terms. */
const QUANTITY_BONUS = 0.45;
const SUBJECT_BONUS = 0.15;
const PASSAGE_BONUS = 0.25;
const CONTEXT_SHARE = 0.4;
const POINTER_COST = 0.8;
/** In a comparison, an excerpt about both things lists them instead of explaining one. */
const OTHER_SUBJECT_COST = 0.3;
const SENTENCE_COST = 0.07;
const WORD_COST = 0.0025;
const LABEL_COST = 0.3;
/** It begins in the middle of a sentence. */
const FRAGMENT_COST = 0.15;
/** The text that a card was made from says more than the card. */
const CARD_COST = 0.25;

/** Common verbs and nouns of questions: a text that answers may use others. */
const LIGHT_TERMS = new Set(
  searchTerms(
    "begin began begun start started end ended happen happened occur occurred people person human call called get become " +
      "became make made take took use used kind type part way first difference differ different compare cause effect role " +
      "function job purpose reason work works change lead number amount year date time long much last exist found",
  ),
);
const LIGHT_WEIGHT = 0.3;

/** A sentence that says where to look, or where the reader has come to, says nothing of the matter. */
const POINTER =
  /\b(?:see|refer to|shown in|seen in|listed in|depicted in|illustrated in|summari[sz]ed in|review)\s+(?:the\s+|this\s+)?(?:figure|table|fig\.|chapter|section|link|video|website)|^(?:you have now|at this point,? you|in this (?:chapter|section|module)|now that you|recall that we)\b|^for (?:a summary|more|an overview) (?:of|on|about)\b/iu;

/** Weight of a term: rare ones tell more. */
export function weigher(excerpts: readonly Excerpt[]): (term: string) => number {
  const single = excerpts.filter(({ sentences }) => sentences === 1);
  const counts = new Map<string, number>();
  for (const { terms } of single) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => {
    const rarity = Math.log(1 + Math.max(single.length, 20) / (1 + (counts.get(term) ?? 0)));
    return LIGHT_TERMS.has(term) ? LIGHT_WEIGHT * rarity : rarity;
  };
}

/** Whether it only says where to look. */
export const isPointer = ({ text }: Excerpt): boolean => POINTER.test(text);
const isLabel = ({ text, words }: Excerpt) => words < 12 && !/[.!:;)"”’]$/u.test(text);
const isFragment = ({ text }: Excerpt) => /^["“(]?\p{Ll}/u.test(text);

export interface Scored {
  excerpt: Excerpt;
  score: number;
  coverage: number;
  /** It contains enough of the terms, every name and year, and the asked quantity. */
  isComplete: boolean;
}

const lightWeight = (term: string) => (LIGHT_TERMS.has(term) ? LIGHT_WEIGHT : 1);
const sum = (terms: readonly string[], weight: (term: string) => number) =>
  terms.reduce((total, term) => total + weight(term), 0);
/** Words at the beginning of an excerpt that may name its subject. */
const OPENING_WORDS = 8;

/** Costs of an excerpt's form, whatever was asked. */
function costOf(excerpt: Excerpt, isCard: boolean): number {
  const costs: [boolean, number][] = [
    [isPointer(excerpt), POINTER_COST],
    [isLabel(excerpt), LABEL_COST],
    [isFragment(excerpt), FRAGMENT_COST],
    [isCard, CARD_COST],
  ];
  const length = SENTENCE_COST * (excerpt.sentences - 1) + WORD_COST * excerpt.words;
  return costs.reduce((total, [applies, cost]) => total + (applies ? cost : 0), length);
}

/** Scores excerpts against one part of a question. */
export class PartScorer {
  readonly terms: readonly string[];
  readonly #weight: (term: string) => number;
  readonly #passages: readonly FoundPassage[];
  readonly #contexts: readonly ReadonlySet<string>[];
  readonly #definitionBonus: (text: string) => number;
  readonly #hasQuantity: ((text: string) => boolean) | undefined;
  readonly #named: readonly string[];
  readonly #otherTerms: readonly string[];
  readonly #bestScore: number;

  constructor(
    { part, others }: { part: string; others: readonly string[] },
    passages: readonly FoundPassage[],
    excerpts: readonly Excerpt[],
  ) {
    this.terms = [...new Set(searchTerms(contentQuery(part)))];
    this.#otherTerms = searchTerms(contentQuery(others.join(" "))).filter((term) => !this.terms.includes(term));
    this.#weight = weigher(excerpts);
    this.#passages = passages;
    this.#contexts = passages.map(({ text, context = "" }) => new Set(searchTerms(`${context} ${text}`)));
    this.#definitionBonus = definitionBonus(part);
    this.#hasQuantity = askedQuantity(part);
    this.#named = requiredTerms(part);
    this.#bestScore = Math.max(...passages.map(({ score }) => score), Number.EPSILON);
  }

  /** Share of the terms that occur in some excerpts. */
  share(excerpts: readonly Excerpt[]): number {
    return this.#shareOf(lightWeight, (term) => excerpts.some(({ terms }) => terms.has(term)));
  }

  #shareOf(weight: (term: string) => number, occurs: (term: string) => boolean): number {
    return sum(this.terms.filter(occurs), weight) / Math.max(Number.EPSILON, sum(this.terms, weight));
  }

  score(excerpt: Excerpt): Scored {
    const { terms } = excerpt;
    const passage = this.#passages[excerpt.passage];
    const context = this.#contexts[excerpt.passage] ?? new Set<string>();
    const shareWith = (weight: (term: string) => number) =>
      this.#shareOf(weight, (term) => terms.has(term)) +
      CONTEXT_SHARE * this.#shareOf(weight, (term) => !terms.has(term) && context.has(term));
    const coverage = shareWith(this.#weight);
    const hasQuantity = this.#hasQuantity?.(excerpt.text) ?? true;
    const hasNames = this.#named.every((term) => context.has(term));
    const score =
      coverage +
      PASSAGE_BONUS * ((passage?.score ?? 0) / this.#bestScore) +
      this.#bonusOf(excerpt, hasQuantity) -
      (hasNames ? 0 : QUANTITY_BONUS) -
      costOf(excerpt, passage?.isCard === true);
    const isComplete = hasQuantity && hasNames && shareWith(lightWeight) >= MIN_COVERAGE;
    return { excerpt, score, coverage, isComplete };
  }

  #bonusOf({ text, terms }: Excerpt, hasQuantity: boolean): number {
    const opening = new Set(searchTerms(text.split(/\s+/u).slice(0, OPENING_WORDS).join(" ")));
    const isSubject = this.terms.some((term) => terms.has(term) && opening.has(term));
    const quantityBonus = hasQuantity ? QUANTITY_BONUS : -QUANTITY_BONUS;
    return (
      this.#definitionBonus(text) +
      (this.#hasQuantity ? quantityBonus : 0) +
      (isSubject ? SUBJECT_BONUS : 0) -
      (this.#otherTerms.some((term) => terms.has(term)) ? OTHER_SUBJECT_COST : 0)
    );
  }
}
