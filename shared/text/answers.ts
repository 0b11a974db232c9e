import { splitSentences } from "./sentences.ts";
import { contentQuery } from "./query-stopwords.ts";
import { searchTerms } from "./search-terms.ts";
import { wordsOf } from "./words.ts";

/** A passage that was found for a question, the best first. */
export interface FoundPassage {
  text: string;
  /** Of the search that found it; higher is better. */
  score: number;
  /** Passages of one number stand together; each stands alone where it is left out. */
  stretch?: number;
}

/** A sentence of a passage, word for word. */
export interface PickedSentence {
  passage: number;
  text: string;
}

export interface PickedAnswer {
  sentences: PickedSentence[];
  /** How much of what was asked about stands in the passages: 0 nothing, 1 all of it. */
  coverage: number;
}

interface Candidate extends PickedSentence {
  stretch: number;
  terms: ReadonlySet<string>;
  at: number;
  score: number;
}

/** Fewer words are a label, more are a table that was read as a sentence. */
const MIN_WORDS = 5;
const MAX_WORDS = 70;
const MAX_CANDIDATES = 240;
const MAX_PER_PASSAGE = 1;
const MAX_PER_WINDOW = 2;
const TOO_ALIKE = 0.6;
const CENTRALITY_WEIGHT = 0.1;
const PASSAGE_WEIGHT = 1.5;
const DEFINITION_WEIGHT = 2;
const POINTER_COST = 2;

const share = (a: ReadonlySet<string>, b: ReadonlySet<string>) => {
  let common = 0;
  for (const term of a) if (b.has(term)) common += 1;
  return common / Math.max(1, Math.min(a.size, b.size));
};

function candidatesOf(passages: readonly FoundPassage[]): Candidate[] {
  const best = Math.max(...passages.map((passage) => passage.score), Number.EPSILON);
  return passages
    .flatMap(({ text, score, stretch: window }, passage) =>
      splitSentences(text).flatMap(({ text: sentence }, at): Candidate[] => {
        const words = wordsOf(sentence).length;
        const isSound = words >= MIN_WORDS && words <= MAX_WORDS && !sentence.endsWith("?");
        const terms = new Set(searchTerms(sentence));
        return isSound ? [{ passage, stretch: window ?? passage, text: sentence, terms, at, score: score / best }] : [];
      }),
    )
    .slice(0, MAX_CANDIDATES);
}

/** How rare a term is among the sentences; rare ones tell more. */
function weigher(candidates: readonly Candidate[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => Math.log(1 + candidates.length / (1 + (counts.get(term) ?? 0)));
}

/** How much a sentence has in common with the others: what a text keeps coming back to. */
function centralities(candidates: readonly Candidate[], weight: (term: string) => number): number[] {
  const mass = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) mass.set(term, (mass.get(term) ?? 0) + 1);
  const raw = candidates.map(({ terms }) => {
    let sum = 0;
    for (const term of terms) sum += ((mass.get(term) ?? 1) - 1) * weight(term);
    return sum / Math.sqrt(Math.max(1, terms.size));
  });
  const most = Math.max(...raw, Number.EPSILON);
  return raw.map((value) => value / most);
}

function coverageOf(
  questionTerms: readonly string[],
  candidates: readonly Candidate[],
  weight: (term: string) => number,
) {
  const known = new Set(candidates.flatMap(({ terms }) => [...terms]));
  const total = questionTerms.reduce((sum, term) => sum + weight(term), 0);
  const covered = questionTerms.reduce((sum, term) => sum + (known.has(term) ? weight(term) : 0), 0);
  return total === 0 ? 1 : covered / total;
}

/** A sentence that says where to look, or where the reader has come to, says nothing of the matter. */
const POINTS =
  /\b(?:see|refer to|shown in|seen in|listed in|depicted in|illustrated in|summari[sz]ed in|review)\s+(?:the\s+|this\s+)?(?:figure|table|fig\.|chapter|section|link|video|website)|^(?:you have now|at this point,? you|in this (?:chapter|section|module)|now that you|recall that we)\b|^for (?:a summary|more|an overview) (?:of|on|about)\b/iu;

const ASKS_WHAT =
  /^\s*(?:what|who)\s+(?:is|are|was|were)\s+(?:an?\s+|the\s+)?(\p{L}[\p{L}\p{N}\s-]{1,60}?)\s*\?*\s*$/iu;

/** Whether a sentence says what the thing is that was asked about: "A codon is …". */
function definitionOf(question: string): (sentence: string) => boolean {
  const term = ASKS_WHAT.exec(question)?.[1];
  if (term === undefined) return () => false;
  const words = term.trim().replaceAll(/\s+/g, String.raw`\s+`);
  const matchesTerm = new RegExp(
    `^(?:an?\\s+|the\\s+)?${words}(?:e?s)?(?:\\s+\\([^)]*\\))?,?\\s+(?:is|are|was|were|means|refers)\\b`,
    "iu",
  );
  return (sentence) => matchesTerm.test(sentence);
}

/**
 * The sentences of the passages that say most about what was asked, none twice, within about `maxWords` words: the best
 * first, and those of one stretch together. Without words to go by, the sentences that the passages turn around.
 */
export function selectAnswerSentences(
  question: string,
  passages: readonly FoundPassage[],
  maxWords: number,
): PickedAnswer {
  const candidates = candidatesOf(passages);
  const questionTerms = [...new Set(searchTerms(contentQuery(question)))];
  if (candidates.length === 0) return { sentences: [], coverage: questionTerms.length === 0 ? 1 : 0 };
  const weight = weigher(candidates);
  const central = centralities(candidates, weight);
  const questionWeight = Math.max(
    Number.EPSILON,
    questionTerms.reduce((sum, term) => sum + weight(term), 0),
  );
  const defines = definitionOf(question);
  const scored = candidates.map((candidate, i) => {
    const matched =
      questionTerms.reduce((sum, term) => sum + (candidate.terms.has(term) ? weight(term) : 0), 0) / questionWeight;
    const definition = defines(candidate.text) ? DEFINITION_WEIGHT : POINTS.test(candidate.text) ? -POINTER_COST : 0;
    const total = matched + definition + PASSAGE_WEIGHT * candidate.score + CENTRALITY_WEIGHT * (central[i] ?? 0);
    return { ...candidate, score: total };
  });
  const picked: Candidate[] = [];
  let words = 0;
  for (const candidate of scored.toSorted((a, b) => b.score - a.score || a.passage - b.passage || a.at - b.at)) {
    const length = wordsOf(candidate.text).length;
    if (picked.length > 0 && (words + length > maxWords || POINTS.test(candidate.text))) continue;
    if (picked.filter((other) => other.passage === candidate.passage).length >= MAX_PER_PASSAGE) continue;
    if (picked.filter((other) => other.stretch === candidate.stretch).length >= MAX_PER_WINDOW) continue;
    if (picked.some((other) => share(other.terms, candidate.terms) > TOO_ALIKE)) continue;
    picked.push(candidate);
    words += length;
  }
  const order = [...new Set(picked.map(({ stretch: window }) => window))];
  const sentences = picked
    .toSorted((a, b) => order.indexOf(a.stretch) - order.indexOf(b.stretch))
    .map(({ passage, text }) => ({ passage, text }));
  return { sentences, coverage: coverageOf(questionTerms, candidates, weight) };
}

/** Whether what a student wrote holds the answer: the share of its words that are there; numbers must all be. */
export function answerShare(studentAnswer: string, expected: string): number {
  const expectedWords = [...new Set(searchTerms(expected))];
  const studentWords = new Set(searchTerms(studentAnswer));
  if (expectedWords.length === 0) return studentAnswer.trim().toLowerCase() === expected.trim().toLowerCase() ? 1 : 0;
  if (expectedWords.some((term) => /^\d+$/.test(term) && !studentWords.has(term))) return 0;
  return expectedWords.filter((term) => studentWords.has(term)).length / expectedWords.length;
}
