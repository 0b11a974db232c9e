import { toSpeech } from "../speech/to-speech.ts";
import type { ScriptChapter } from "./choose.ts";

const MAX_TERMS = 5;
/** One term alone is no round. */
const MIN_TERMS = 2;

/** Bold terms of a chapter that the host has asked about, or that a sentence of the guest begins with. */
function termsOfChapter({ parts }: ScriptChapter): string[] {
  const chosen = parts.flatMap((part) => part.chosen);
  const isTaught = (term: string) => {
    const named = new RegExp(`\\b${term}\\b`, "iu");
    const defined = new RegExp(`^(?:an?\\s|the\\s)?${term}s?\\s(?:is|are|means|refers)\\b`, "iu");
    return chosen.some(
      ({ kind, question, sentence }) => (kind === "question" && named.test(question)) || defined.test(sentence),
    );
  };
  // A term is letters, blanks, hyphens and apostrophes, which a pattern takes as they are.
  return parts.flatMap(({ section }) => section.terms).filter((term) => isTaught(term) && toSpeech(term) !== undefined);
}

/** What the host repeats at the end: one term of each chapter before a second of any. */
export function recapTerms(chapters: readonly ScriptChapter[]): string[] {
  const byChapter = chapters.map(termsOfChapter);
  const rounds = Array.from({ length: MAX_TERMS }, (_, round) => byChapter.flatMap((terms) => terms[round] ?? []));
  const terms = new Map(rounds.flat().map((term) => [term.toLowerCase(), term]));
  return terms.size < MIN_TERMS ? [] : [...terms.values()].slice(0, MAX_TERMS);
}
