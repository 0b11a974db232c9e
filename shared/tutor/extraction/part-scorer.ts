import { groupBy } from "#shared/pages/rules.ts";
import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { definitionBonus, isDefinition } from "./definitions.ts";
import { type Excerpt, type FoundPassage, isPointerText, startsMidSentence } from "./excerpts.ts";
import { asksPerson, quantityCheckFor, asksWhy, labelledNames, requiredTerms, formCheckFor } from "./required-facts.ts";

/** Share of the question's terms that its excerpt must contain. */
export const MIN_COVERAGE = 0.6;
/** A question for a person needs more: any name would do, so the text must say what the person did. */
const MIN_PERSON_COVERAGE = 0.7;

/** How much each property of an excerpt counts, in shares of the question's terms. */
const QUANTITY_BONUS = 0.45;
const SUBJECT_BONUS = 0.15;
const FORM_BONUS = 0.2;
/** For a passage whose heading is the subject of the question: "The light reactions" for "Where do the light reactions happen?" */
const HEADING_BONUS = 0.2;
const PASSAGE_BONUS = 0.25;
const CONTEXT_SHARE = 0.4;
const HEADING_SHARE = 0.6;
const POINTER_COST = 0.8;
/** In a comparison, an excerpt about both things lists them instead of explaining one. */
const OTHER_SUBJECT_COST = 0.3;
/** An excerpt that begins with the other thing is about the other thing. */
const OTHER_OPENING_COST = 0.3;
/** A source usually explains a thing where it first mentions it. */
const FIRST_BONUS = 0.25;
/** "The variable costs are the costs of hiring barbers, which in our example …" */
const EXAMPLE_COST = 0.4;
const EXAMPLE =
  /\b(?:in (?:our|this|the|that) (?:example|case|figure|table|graph)|for (?:example|instance)|suppose|imagine|labell?ed [a-z])\b/iu;
/** "Meiosis II is not a reduction division": denies what the question asks about. */
const NEGATION_COST = 0.5;
const NEGATION = /\b(?:not|never|no|nor|neither)\b|n['’]t\b/iu;
const SENTENCE_COST = 0.07;
const WORD_COST = 0.0025;
const LABEL_COST = 0.3;
/** For an excerpt that begins in the middle of a sentence. */
const FRAGMENT_COST = 0.5;
/** For a card, because the text that it was made from says more. */
const CARD_COST = 0.25;

/** Common verbs and nouns of questions. A text with the answer may use other words. */
const LIGHT_TERMS = new Set(
  searchTerms(
    "begin began begun start started end ended happen happened occur occurred people person call called get become " +
      "became make made take took use used kind type part way first difference differ different compare cause effect role " +
      "function job purpose reason work works change lead number amount year date time long much last exist found come came up out",
  ),
);
const LIGHT_WEIGHT = 0.3;

const ASKS_WHAT = /^\s*(?:what|which|who|was|welche\p{L}*|wer)\s/iu;

/** The weight of each term; rare terms weigh more. */
export function createTermWeights(excerpts: readonly Excerpt[]): (term: string) => number {
  const single = excerpts.filter(({ sentences }) => sentences === 1);
  const counts = new Map<string, number>();
  for (const { terms } of single) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => {
    const rarity = Math.log(1 + Math.max(single.length, 20) / (1 + (counts.get(term) ?? 0)));
    return LIGHT_TERMS.has(term) ? LIGHT_WEIGHT * rarity : rarity;
  };
}

/** Whether an excerpt only refers to other material. */
export const isPointer = ({ text }: Excerpt): boolean => isPointerText(text);
const isLabel = ({ text, words }: Excerpt) => (words < 12 || text.includes("\n")) && !/[.!:;)"”’]$/u.test(text);
const isFragment = ({ text }: Excerpt) => startsMidSentence(text) || /^[^“"(]*["”]\)$/u.test(text);

export interface Scored {
  excerpt: Excerpt;
  score: number;
  coverage: number;
  /** Whether it contains enough of the terms, every name and year, and the requested quantity. */
  isComplete: boolean;
}

const lightWeight = (term: string) => (LIGHT_TERMS.has(term) ? LIGHT_WEIGHT : 1);
const sum = (terms: readonly string[], weight: (term: string) => number) =>
  terms.reduce((total, term) => total + weight(term), 0);
/** Words at the beginning of an excerpt that may name its subject. */
const OPENING_WORDS = 8;

const openingTerms = (text: string) => searchTerms(text.split(/\s+/u).slice(0, OPENING_WORDS).join(" "));

/** Costs of an excerpt's form, for every question. */
function costOf(excerpt: Excerpt, isCard: boolean): number {
  const costs: [boolean, number][] = [
    [isPointer(excerpt), POINTER_COST],
    [isLabel(excerpt), LABEL_COST],
    [isFragment(excerpt), FRAGMENT_COST],
    [EXAMPLE.test(excerpt.text), EXAMPLE_COST],
    [isCard, CARD_COST],
  ];
  const length = SENTENCE_COST * (excerpt.sentences - 1) + WORD_COST * excerpt.words;
  return costs.reduce((total, [applies, cost]) => total + (applies ? cost : 0), length);
}

/** The check that an excerpt denies a term of a question that asks for no denial: "is not a reduction division". */
function negationCheckFor(question: string, terms: readonly string[]): (text: string) => boolean {
  if (NEGATION.test(question)) return () => false;
  return (text) =>
    [...text.matchAll(DENIED)].some(([, denied = ""]) => searchTerms(denied).some((term) => terms.includes(term)));
}
/** The two words after "is not", without an article. */
const DENIED = /\b(?:is|are|was|were)(?: not|n['’]t) (?:an? |the )?(\p{L}+(?: \p{L}+)?)/giu;

/** Scores excerpts against one part of a question. */
export class PartScorer {
  readonly terms: readonly string[];
  readonly #weight: (term: string) => number;
  readonly #passages: readonly FoundPassage[];
  readonly #contexts: readonly ReadonlySet<string>[];
  readonly #headings: readonly ReadonlySet<string>[];
  /** Of each passage, whether its heading is the subject of the question. */
  readonly #aboutPassages: readonly boolean[];
  readonly #first: ReadonlySet<Excerpt>;
  readonly #definitionBonus: (text: string) => number;
  readonly #asksWhy: boolean;
  readonly #asksWhat: boolean;
  readonly #hasForm: ((text: string) => boolean) | undefined;
  readonly #hasQuantity: ((text: string) => boolean) | undefined;
  readonly #labels: readonly RegExp[];
  readonly #named: readonly string[];
  readonly #ownTerms: readonly string[];
  readonly #otherTerms: readonly string[];
  readonly #bestScore: number;
  readonly #minCoverage: number;
  readonly #isNegated: (text: string) => boolean;

  constructor(
    { part, others }: { part: string; others: readonly string[] },
    passages: readonly FoundPassage[],
    excerpts: readonly Excerpt[],
  ) {
    this.terms = [...new Set(searchTerms(contentQuery(part)))];
    const otherTerms = new Set(searchTerms(contentQuery(others.join(" "))));
    this.#ownTerms = this.terms.filter((term) => !otherTerms.has(term));
    this.#otherTerms = [...otherTerms].filter((term) => !this.terms.includes(term));
    this.#weight = createTermWeights(excerpts);
    this.#passages = passages;
    this.#headings = passages.map(({ heading = "" }) => new Set(searchTerms(heading)));
    this.#aboutPassages = this.#headings.map(
      (heading) => heading.size > 0 && [...heading].every((term) => this.terms.includes(term)),
    );
    this.#contexts = passages.map(
      ({ text, heading = "", title = "" }) => new Set(searchTerms(`${heading} ${title} ${text}`)),
    );
    this.#definitionBonus = definitionBonus(part);
    this.#hasForm = formCheckFor(part);
    this.#asksWhy = asksWhy(part);
    this.#asksWhat = ASKS_WHAT.test(part);
    this.#hasQuantity = quantityCheckFor(part);
    this.#named = requiredTerms(part);
    this.#labels = labelledNames(
      part,
      passages.map(({ text, heading = "" }) => `${heading}\n${text}`),
    );
    this.#isNegated = negationCheckFor(part, this.terms);
    this.#minCoverage = asksPerson(part) ? MIN_PERSON_COVERAGE : MIN_COVERAGE;
    this.#bestScore = Math.max(...passages.map(({ score }) => score), Number.EPSILON);
    this.#first = this.#findFirst(excerpts);
  }

  /** The share of the question's terms that occur in the given excerpts. */
  share(excerpts: readonly Excerpt[]): number {
    return this.#shareOf(lightWeight, (term) => excerpts.some(({ terms }) => terms.has(term)));
  }

  #shareOf(weight: (term: string) => number, occurs: (term: string) => boolean): number {
    return sum(this.terms.filter(occurs), weight) / Math.max(Number.EPSILON, sum(this.terms, weight));
  }

  /**
   * Whether an excerpt answers completely: it gives the definition, reason, number, date or name, or has every term.
   */
  isClosed(excerpt: Excerpt): boolean {
    const { text, terms } = excerpt;
    const isWhole = !this.#hasForm && this.terms.length > 1 && this.terms.every((term) => terms.has(term));
    if (isWhole && this.#asksWhat) return true;
    const isReason = this.#asksWhy && this.#hasForm?.(text) === true && this.score(excerpt).isComplete;
    return isReason || isDefinition(this.#definitionBonus(text)) || this.#hasQuantity?.(text) === true;
  }

  /** Share of the terms in an excerpt; terms of its heading and its surroundings count less. */
  #coverageOf({ terms, passage }: Excerpt, weight: (term: string) => number): number {
    const context = this.#contexts[passage] ?? new Set<string>();
    const heading = this.#headings[passage] ?? new Set<string>();
    return (
      this.#shareOf(weight, (term) => terms.has(term)) +
      CONTEXT_SHARE * this.#shareOf(weight, (term) => !terms.has(term) && !heading.has(term) && context.has(term)) +
      HEADING_SHARE * this.#shareOf(weight, (term) => !terms.has(term) && heading.has(term))
    );
  }

  score(excerpt: Excerpt): Scored {
    const passage = this.#passages[excerpt.passage];
    const context = this.#contexts[excerpt.passage] ?? new Set<string>();
    const coverage = this.#coverageOf(excerpt, this.#weight);
    const hasQuantity = this.#hasQuantity?.(excerpt.text) ?? true;
    const hasNames =
      this.#named.every((term) => context.has(term)) && this.#labels.every((label) => label.test(excerpt.text));
    const score =
      coverage +
      PASSAGE_BONUS * ((passage?.score ?? 0) / this.#bestScore) +
      this.#bonusOf(excerpt, hasQuantity) +
      this.#positionBonusOf(excerpt) -
      (hasNames ? 0 : QUANTITY_BONUS) -
      costOf(excerpt, passage?.isCard === true);
    const isComplete = hasQuantity && hasNames && this.#coverageOf(excerpt, lightWeight) >= this.#minCoverage;
    return { excerpt, score, coverage, isComplete };
  }

  /** For where in its source an excerpt is. */
  #positionBonusOf(excerpt: Excerpt): number {
    return (this.isAbout(excerpt) ? HEADING_BONUS : 0) + (this.#first.has(excerpt) ? FIRST_BONUS : 0);
  }

  /** Whether the heading of an excerpt is the subject of the question: all its words are the question's. */
  isAbout({ passage }: Excerpt): boolean {
    return this.#aboutPassages[passage] === true;
  }

  /** The first excerpts of each source that open with the subject of the question. */
  #findFirst(excerpts: readonly Excerpt[]): ReadonlySet<Excerpt> {
    const opens = ({ text }: Excerpt) => {
      const opening = new Set(openingTerms(text));
      return (
        isDefinition(this.#definitionBonus(text)) ||
        (this.terms.length > 0 && this.terms.every((term) => opening.has(term)))
      );
    };
    const positionOf = ({ passage, at }: Excerpt) => (this.#passages[passage]?.position ?? 0) * 1000 + at;
    const candidates = groupBy(excerpts.filter(opens), ({ passage }) => this.#passages[passage]?.sourceId ?? "");
    return new Set(
      [...candidates.values()].flatMap((group) => {
        const first = Math.min(...group.map(positionOf));
        return group.filter((excerpt) => positionOf(excerpt) === first);
      }),
    );
  }

  #bonusOf({ text, terms }: Excerpt, hasQuantity: boolean): number {
    const opening = openingTerms(text);
    const isSubject = this.terms.some((term) => terms.has(term) && opening.includes(term));
    const otherPosition = opening.findIndex((term) => this.#otherTerms.includes(term));
    const ownPosition = opening.findIndex((term) => this.#ownTerms.includes(term));
    const opensWithOther = otherPosition !== -1 && (ownPosition === -1 || otherPosition < ownPosition);
    const quantityBonus = hasQuantity ? QUANTITY_BONUS : -QUANTITY_BONUS;
    return (
      this.#definitionBonus(text) +
      (this.#hasQuantity ? quantityBonus : 0) +
      (isSubject ? SUBJECT_BONUS : 0) +
      (this.#hasForm?.(text) === true ? FORM_BONUS : 0) -
      (this.#otherTerms.some((term) => terms.has(term)) ? OTHER_SUBJECT_COST : 0) -
      (opensWithOther ? OTHER_OPENING_COST : 0) -
      (this.#isNegated(text) ? NEGATION_COST : 0)
    );
  }
}
