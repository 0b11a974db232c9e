import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { wordsOf } from "#shared/text/words.ts";
import { definitionBonus, isDefinition } from "./definitions.ts";
import type { Excerpt, FoundPassage } from "./excerpts.ts";
import { createTermWeights, type Scored } from "./part-scorer.ts";
import { asksPerson, formCheckFor, hasNameBesideAction, isNumberWord, requiredTerms } from "./required-facts.ts";

const flag = (isSet: boolean) => (isSet ? 1 : 0);
const capped = (value: number, most: number) => Math.min(1, Math.max(0, value / most));

/** The search term of each word; "" for words without one. */
const termSequence = (text: string): string[] => wordsOf(text).map((word) => searchTerms(word)[0] ?? "");

const ASKS_WHAT_IS = /^\s*(?:what|who)\s+(?:is|are|was|were)\b/iu;
const COUNTED = /\bhow (?:many|much)\s+(\p{L}+(?:\s\p{L}+)?)/iu;
/** Words from a number to what it counts: "20,000 protein-coding genes". */
const NUMBER_DISTANCE = 4;
/** Two words of a question with at most one word between them count as a pair: "genome of humans". */
const PAIR_DISTANCE = 2;

interface PartFacts {
  passages: readonly FoundPassage[];
  /** All excerpts of the passages. */
  excerpts: readonly Excerpt[];
  /** All excerpts with a score, best first. */
  sorted: readonly Scored[];
  /** Whether the best excerpt, with what is shown beside it, contains what is asked about. */
  isCovered: boolean;
}

/** How near to each other the question's words occur in a text: the share of its pairs of words that are pairs there. */
function pairShare(question: string, terms: readonly string[], text: string): number {
  const asked = termSequence(question);
  const pairs = asked.flatMap((term, at) => {
    const next = asked[at + 1] ?? "";
    return terms.includes(term) && terms.includes(next) ? [{ term, next }] : [];
  });
  if (pairs.length === 0) return 0.5;
  const sequence = termSequence(text);
  const isPaired = ({ term, next }: { term: string; next: string }) =>
    sequence.some((other, at) => other === term && sequence.slice(at + 1, at + 1 + PAIR_DISTANCE).includes(next));
  return pairs.filter(isPaired).length / pairs.length;
}

/** For "how many genes": whether a number stands near "genes"; undefined if nothing is counted. */
function hasNumberNear(question: string, text: string): boolean | undefined {
  const counted = searchTerms(contentQuery(COUNTED.exec(question)?.[1] ?? ""));
  if (counted.length === 0) return undefined;
  const sequence = termSequence(text);
  return wordsOf(text).some(
    (word, at) =>
      isNumberWord(word) && sequence.slice(at + 1, at + 1 + NUMBER_DISTANCE).some((term) => counted.includes(term)),
  );
}

/** Which of the question's terms are in the excerpt, and which are not even in its passage. */
function coverageFeatures(part: string, { text, terms: own, passage }: Excerpt, { passages, excerpts }: PartFacts) {
  const terms = [...new Set(searchTerms(contentQuery(part)))];
  const weight = createTermWeights(excerpts);
  const sum = (some: readonly string[]) => some.reduce((total, term) => total + weight(term), 0);
  const shareOf = (applies: (term: string) => boolean) =>
    sum(terms.filter(applies)) / Math.max(Number.EPSILON, sum(terms));
  const { heading = "", title = "", text: context = "" } = passages[passage] ?? {};
  const around = new Set(searchTerms(`${heading} ${title} ${context}`));
  const everywhere = new Set(excerpts.flatMap((excerpt) => [...excerpt.terms]));
  return {
    oneTerm: flag(terms.length === 1),
    twoTerms: flag(terms.length === 2),
    coverage: shareOf((term) => own.has(term)),
    absent: shareOf((term) => !own.has(term) && !around.has(term)),
    nowhere: shareOf((term) => !everywhere.has(term)),
    lastMissing: flag(!own.has(terms.at(-1) ?? "")),
    nameMissing: flag(requiredTerms(part).some((term) => !own.has(term))),
    pairs: pairShare(part, terms, text),
  };
}

/** Whether the excerpt has the definition, number or form that is asked for. */
function factFeatures(part: string, text: string) {
  const isDefined = isDefinition(definitionBonus(part)(text));
  const isNumberNear = hasNumberNear(part, text);
  const isNamed = asksPerson(part) ? hasNameBesideAction(text, part) : undefined;
  return {
    definition: flag(isDefined),
    noDefinition: flag(ASKS_WHAT_IS.test(part) && !isDefined),
    numberNear: flag(isNumberNear === true),
    numberFar: flag(isNumberNear === false),
    nameNear: flag(isNamed === true),
    nameFar: flag(isNamed === false),
    form: flag(formCheckFor(part)?.(text) === true),
  };
}

/** What is known about whether the best excerpt answers a part of a question, as numbers from 0 to 1 by name. */
export function answerFeatures(part: string, { excerpt, score }: Scored, facts: PartFacts): Record<string, number> {
  const { passages, sorted, isCovered } = facts;
  const rival = sorted.find((other) => other.excerpt.passage !== excerpt.passage)?.score ?? 0;
  const bestSearch = Math.max(...passages.map((passage) => passage.score), Number.EPSILON);
  return {
    ...coverageFeatures(part, excerpt, facts),
    ...factFeatures(part, excerpt.text),
    score: capped(score, 2.5),
    gap: capped(score - rival, 0.5),
    search: (passages[excerpt.passage]?.score ?? 0) / bestSearch,
    isCovered: flag(isCovered),
  };
}
