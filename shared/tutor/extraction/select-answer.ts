import { wordsAskedAbout } from "#shared/text/query-stopwords.ts";
import { type Excerpt, excerptsOfAll, type FoundPassage, withContinuation, withNeighbours } from "./excerpts.ts";
import { isPointer, MIN_COVERAGE, PartScorer, type Scored, createTermWeights } from "./part-scorer.ts";
import { answerFeatures } from "./answer-features.ts";
import { answerProbability, MIN_PROBABILITY } from "./answer-probability.ts";
import { asksSeparately, splitQuestion } from "./question-parts.ts";
import { correctTypos, expandChatSpellings } from "./typos.ts";

interface SelectedAnswer {
  /** The excerpts that answer the question: one for each of its parts. */
  best: Excerpt[];
  /** Further excerpts that score nearly as well, best first. */
  more: Excerpt[];
  /** Whether the best excerpts contain what was asked about. */
  isCovered: boolean;
}

/** An excerpt below this share of the best score is not shown. */
const MIN_SCORE_SHARE = 0.7;
const MAX_MORE = 4;
/** A supplement must add at least this share of the question's terms. */
const MIN_GAIN = 0.2;
const TOO_ALIKE = 0.6;
/** The words of an answer, which its parts share equally. */
const MAX_ANSWER_WORDS = 100;
/** Each part may have this many, even if the parts have more than `MAX_ANSWER_WORDS` together. */
const MIN_PART_WORDS = 45;
/** A second excerpt for one part must have at least this share of the first one's score. */
const CLOSE_SCORE = 0.85;

const areAlike = (a: Excerpt, b: Excerpt) => {
  if (a.passage === b.passage && a.at < b.at + b.sentences && b.at < a.at + a.sentences) return true;
  const common = [...a.terms].filter((term) => b.terms.has(term)).length;
  return common / Math.max(1, Math.min(a.terms.size, b.terms.size)) > TOO_ALIKE;
};

const isContainedIn = (inner: Excerpt, outer: Excerpt) =>
  inner.passage === outer.passage && inner.at >= outer.at && inner.at + inner.sentences <= outer.at + outer.sentences;

const ASIDES =
  /\b(?:pls|plz|please|thx|thanks|lol|again|exactly|actually|really|hey|ok|okay|so like|so|like|btw)\b,?/giu;

/** Spells out chat spellings and removes fillers: "wats a codon pls" becomes "what is a codon". */
function normaliseQuestion(question: string): string {
  const asked = wordsAskedAbout(question);
  return expandChatSpellings(question)
    .replaceAll(ASIDES, (aside) => (asked.has(aside.replace(",", "").toLowerCase()) ? aside : ""))
    .trim();
}

const mean = (values: readonly number[]) =>
  values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);

/** The answer to one part of a question. */
export interface AnsweredPart {
  /** One excerpt, or two if the first lacks something. */
  chosen: Excerpt[];
  /** All excerpts, best first. */
  sorted: Scored[];
  /** Whether the chosen excerpts contain what the part asks about. */
  isCovered: boolean;
  features: Record<string, number>;
}

/** Answers each part of a question by itself; `undefined` stands for a part with no word in common with any excerpt. */
export function answerParts(question: string, passages: readonly FoundPassage[]): (AnsweredPart | undefined)[] {
  const excerpts = excerptsOfAll(passages);
  const corrected = correctTypos(
    normaliseQuestion(question),
    passages.map(({ text, heading = "", title = "" }) => `${heading} ${title} ${text}`),
  );
  const parts = splitQuestion(corrected);
  const isSeparate = asksSeparately(corrected);
  return parts.map((part) => {
    const others = isSeparate ? [] : parts.filter((other) => other !== part);
    const scorer = new PartScorer({ part, others }, passages, excerpts);
    const maxWords = Math.max(MIN_PART_WORDS, Math.floor(MAX_ANSWER_WORDS / parts.length));
    return answerPart(part, { excerpts, passages, scorer, maxWords });
  });
}

function answerPart(part: string, context: PartContext): AnsweredPart | undefined {
  const { excerpts, passages, scorer } = context;
  const scored = excerpts.map((excerpt) => scorer.score(excerpt)).filter(({ coverage }) => coverage > 0);
  const sorted = scored.toSorted((a, b) => b.score - a.score || a.excerpt.passage - b.excerpt.passage);
  const [first] = sorted;
  if (!first) return undefined;
  const chosen = [extend(first.excerpt, context)];
  const second = first.isComplete ? findAlternative(chosen, sorted, context) : findSupplement(chosen, sorted, scorer);
  if (second) chosen.push(second.excerpt);
  // The sentences around an excerpt may contain the terms that it lacks.
  const isComplete = first.isComplete || chosen.some((excerpt) => scorer.score(excerpt).isComplete);
  const isCovered = isComplete || (second !== undefined && scorer.share(chosen) >= MIN_COVERAGE);
  const features = answerFeatures(part, first, { passages, excerpts, sorted, isCovered });
  return { chosen, sorted, isCovered, features };
}

/**
 * The excerpts that answer a question: one for each thing it asks about, and a second one only if the first lacks
 * something. Names, years and the requested quantity must occur in them; otherwise the question is not covered. Neither
 * is a question that they probably do not answer.
 */
export function selectAnswer(question: string, passages: readonly FoundPassage[]): SelectedAnswer {
  const parts = answerParts(question, passages);
  const answered = parts.filter((part) => part !== undefined);
  const best: Excerpt[] = [];
  for (const excerpt of answered.flatMap(({ chosen }) => chosen))
    if (!best.some((other) => isContainedIn(excerpt, other))) best.push(excerpt);
  const threshold = Math.max(0, ...answered.map(({ sorted }) => (sorted[0]?.score ?? 0) * MIN_SCORE_SHARE));
  const probabilities = answered.map(({ features }) => answerProbability(features));
  const isLikely = mean(probabilities) >= MIN_PROBABILITY;
  const isCovered = isLikely && parts.every((part) => part?.isCovered === true);
  return {
    best,
    more: selectMore(
      best,
      answered.flatMap(({ sorted }) => sorted),
      threshold,
    ),
    isCovered,
  };
}

interface PartContext {
  excerpts: readonly Excerpt[];
  passages: readonly FoundPassage[];
  scorer: PartScorer;
  maxWords: number;
}

/** Extends a complete answer by sentences that continue it, and any other excerpt by the sentences around it. */
function extend(excerpt: Excerpt, { excerpts, passages, scorer, maxWords }: PartContext): Excerpt {
  const continued = withContinuation(excerpt, excerpts, scorer.terms);
  return scorer.isClosed(continued) ? continued : withNeighbours(continued, passages, maxWords);
}

/** If the first excerpt is not certainly the answer: a second excerpt that scores nearly as well and still fits. */
function findAlternative(
  [first]: readonly Excerpt[],
  sorted: readonly Scored[],
  { scorer, maxWords }: Pick<PartContext, "scorer" | "maxWords">,
): Scored | undefined {
  const top = sorted[0]?.score ?? 0;
  if (!first || scorer.isClosed(first)) return undefined;
  // What another section says in the same words is about another thing.
  const mustBeAbout = scorer.isAbout(first);
  return sorted.find(
    ({ excerpt, score, isComplete }) =>
      isComplete &&
      (!mustBeAbout || scorer.isAbout(excerpt)) &&
      score >= top * CLOSE_SCORE &&
      excerpt.words + first.words <= maxWords &&
      !isPointer(excerpt) &&
      !areAlike(excerpt, first),
  );
}

/** A further excerpt with terms that the chosen excerpts lack; it must contain every name and the requested quantity. */
function findSupplement(chosen: readonly Excerpt[], sorted: readonly Scored[], scorer: PartScorer): Scored | undefined {
  const known = scorer.share(chosen);
  const top = sorted[0]?.score ?? 0;
  return sorted.find(
    ({ excerpt, score, isComplete }) =>
      isComplete && score >= top * MIN_SCORE_SHARE && scorer.share([...chosen, excerpt]) - known >= MIN_GAIN,
  );
}

function selectMore(best: readonly Excerpt[], ranked: readonly Scored[], threshold: number): Excerpt[] {
  const more: Excerpt[] = [];
  for (const { excerpt, score } of ranked.toSorted((a, b) => b.score - a.score)) {
    if (more.length >= MAX_MORE || score < threshold) break;
    if ([...best, ...more].some((other) => areAlike(excerpt, other))) continue;
    if (!isPointer(excerpt)) more.push(excerpt);
  }
  return more;
}

const MAX_CENTRAL = 5;

/** The most central sentences of the passages, in reading order, for a question about a whole source. */
export function selectCentral(passages: readonly FoundPassage[], maxWords: number): Excerpt[] {
  const single = excerptsOfAll(passages).filter((excerpt) => excerpt.sentences === 1 && !isPointer(excerpt));
  const weight = createTermWeights(single);
  const sentenceCounts = new Map<string, number>();
  for (const { terms } of single)
    for (const term of terms) sentenceCounts.set(term, (sentenceCounts.get(term) ?? 0) + 1);
  const scored = single.map((excerpt) => {
    const sum = [...excerpt.terms].reduce(
      (total, term) => total + ((sentenceCounts.get(term) ?? 1) - 1) * weight(term),
      0,
    );
    return { excerpt, centrality: sum / Math.sqrt(Math.max(1, excerpt.terms.size)) };
  });
  const chosen: Excerpt[] = [];
  let words = 0;
  for (const { excerpt } of scored.toSorted((a, b) => b.centrality - a.centrality)) {
    if (chosen.length >= MAX_CENTRAL) break;
    if (chosen.length > 0 && words + excerpt.words > maxWords) continue;
    if (chosen.some((other) => areAlike(excerpt, other))) continue;
    chosen.push(excerpt);
    words += excerpt.words;
  }
  return chosen.toSorted((a, b) => a.passage - b.passage || a.at - b.at);
}
