import { toSpeech } from "../speech/to-speech.ts";
import type { ScriptCandidate } from "./candidates.ts";
import type { ScriptChapter } from "./choose.ts";

const MAX_TERMS = 5;
/** One term alone is no round. */
const MIN_TERMS = 2;

/** A term that the host repeats at the end, and the sentence of the episode that answers it. */
export interface RecapTerm {
  term: string;
  /** The term, or the question about it if its sentence is no definition. */
  asked: string;
  answer: ScriptCandidate;
}

function findAnswer(term: string, chosen: readonly ScriptCandidate[]): RecapTerm | undefined {
  // A term is letters, blanks, hyphens and apostrophes, which a pattern takes as they are.
  const named = new RegExp(`\\b${term}\\b`, "iu");
  const defined = new RegExp(`^(?:an?\\s|the\\s)?${term}s?\\s(?:is|are|means|refers)\\b`, "iu");
  const definition = chosen.find(({ sentence }) => defined.test(sentence));
  if (definition) return { term, asked: `${term.charAt(0).toUpperCase()}${term.slice(1)}.`, answer: definition };
  const answer = chosen.find(({ kind, question }) => kind === "question" && named.test(question));
  return answer && { term, asked: answer.question, answer };
}

/** Bold terms of a chapter that a sentence of the guest begins with, or that the host has asked about. */
function termsOfChapter({ parts }: ScriptChapter): RecapTerm[] {
  const chosen = parts.flatMap((part) => part.chosen);
  return parts
    .flatMap(({ section }) => section.terms)
    .filter((term) => toSpeech(term) !== undefined)
    .flatMap((term) => findAnswer(term, chosen) ?? []);
}

/** What the host repeats at the end: one term of each chapter before a second of any, and no sentence twice. */
export function recapTerms(chapters: readonly ScriptChapter[]): RecapTerm[] {
  const byChapter = chapters.map(termsOfChapter);
  const rounds = Array.from({ length: MAX_TERMS }, (_, round) => byChapter.flatMap((terms) => terms[round] ?? []));
  const terms = new Map(rounds.flat().map((term) => [term.answer.sentence, term]));
  return terms.size < MIN_TERMS ? [] : [...terms.values()].slice(0, MAX_TERMS);
}
