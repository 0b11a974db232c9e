import { searchTerms } from "./search-terms.ts";
import { splitSentences } from "./sentences.ts";
import { isUnspaced, spaceWords } from "./unspaced-words.ts";
import { wordsOf } from "./words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A sentence of a source, word for word, with a score for how central it is. */
export interface CentralSentence {
  text: string;
  passageId: string;
  page: number | undefined;
  /** 0 to 1, relative to the passages that were scored together. */
  score: number;
}

interface Candidate extends CentralSentence {
  terms: ReadonlySet<string>;
  order: number;
}

/** A shorter sentence is probably a label; a longer one, a table row that was read as a sentence. */
const MIN_WORDS = 6;
const MAX_WORDS = 48;
/** Only this many sentences from the beginning of a source are scored: about twenty pages. */
const MAX_CANDIDATES = 600;
/** Share of the shorter sentence's terms that another one contains. */
const TOO_ALIKE = 0.5;
const MARKED_BONUS = 0.35;
const OPENING_BONUS = 0.15;

/** Sentences that cannot stand alone, because they refer to earlier text or to the document itself. */
const POINTS_BACK =
  /^["“‘(]?(?:this|that|these|those|it|its|they|their|he|she|his|her|such|here|there|however|therefore|thus|hence|also|moreover|furthermore|instead|another|both|and|but|or|so|then|for example|for instance|in addition|as a result|in contrast|similarly|in other words)\b/iu;
const REFERS_TO_DOCUMENT =
  /\b(?:figure|fig\.|table|chapter|section|page|slide|exercise|question|appendix|equation)s?\s*\(?\d|\b(?:this|the (?:following|next|previous)) (?:chapter|section|figure|table|page|lesson|lecture)\b|\b(?:click|visit|see also|https?:|www\.|all rights reserved)|©/iu;

/** Whether a sentence is complete and can be understood alone. */
export const isStandaloneSentence = (text: string): boolean => isCompleteSentence(text) && !POINTS_BACK.test(text);

/** Whether a sentence is complete and can be understood after the previous sentence. */
export function isCompleteSentence(text: string): boolean {
  const words = wordsOf(spaceWords(text));
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return false;
  if (!/^["“‘(]?[\p{Lu}\p{Lo}\p{N}]/u.test(text)) return false;
  return /[.!。！]["”’)]?$/u.test(text) && isMostlyWords(words) && !REFERS_TO_DOCUMENT.test(text);
}

/** Headings of lists of other works, whose titles are not sentences of this source. */
const REFERENCES_HEADING =
  /^(?:[\dIVX]+\.?\s+)?(?:references|bibliography|works cited|further reading|acknowledge?ments?|index)\W*$/iu;

const isProse = ({ kind, locator }: Passage) =>
  (kind === "paragraph" || kind === "list_item") && !REFERENCES_HEADING.test(locator.heading ?? "");

/** Whether at least half of the words have letters rather than digits. A single letter is probably a symbol. */
const isMostlyWords = (words: readonly string[]) =>
  words.filter((word) => isUnspaced(word) || /\p{L}{2}/u.test(word)).length >= words.length / 2;

function candidatesOf(passages: readonly Passage[]): Candidate[] {
  const found: Candidate[] = [];
  let isInReferences = false;
  for (const passage of passages) {
    if (passage.kind === "heading") isInReferences = REFERENCES_HEADING.test(passage.text);
    if (isInReferences || !isProse(passage)) continue;
    for (const [index, { text, start, end }] of splitSentences(passage.text).entries()) {
      if (!isStandaloneSentence(text)) continue;
      const isMarked = passage.bold.some(([from, to]) => from < end && to > start);
      found.push({
        text,
        passageId: passage.id,
        page: passage.locator.page,
        terms: new Set(searchTerms(text)),
        order: found.length,
        score: (isMarked ? MARKED_BONUS : 0) + (index === 0 && passage.kind === "paragraph" ? OPENING_BONUS : 0),
      });
      if (found.length >= MAX_CANDIDATES) return found;
    }
  }
  return found;
}

/** Scores sentences by their terms. A term counts more the more sentences share it, but each further one adds less. */
function scoreCandidates(candidates: readonly Candidate[]): void {
  const counts = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const value = (term: string) => {
    const count = counts.get(term) ?? 1;
    return (count - 1) * Math.log(1 + candidates.length / count);
  };
  const raw = candidates.map(({ terms }) => {
    let sum = 0;
    for (const term of terms) sum += value(term);
    return sum / Math.sqrt(Math.max(4, terms.size));
  });
  const highest = raw.reduce((a, b) => Math.max(a, b), Number.EPSILON);
  const best = 1 + MARKED_BONUS + OPENING_BONUS;
  for (const [i, candidate] of candidates.entries())
    candidate.score = (candidate.score + (raw[i] ?? 0) / highest) / best;
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let common = 0;
  for (const term of a) if (b.has(term)) common += 1;
  return common / Math.max(1, Math.min(a.size, b.size)) >= TOO_ALIKE;
}

/**
 * The most central sentences of a source, without similar ones, in reading order. Sentences that match the reader's
 * `instructions` score higher. The same passages give the same sentences.
 */
export function centralSentences(passages: readonly Passage[], count: number, instructions = ""): CentralSentence[] {
  const candidates = candidatesOf(passages);
  scoreCandidates(candidates);
  const requestedTerms = new Set(searchTerms(instructions));
  if (requestedTerms.size > 0)
    for (const candidate of candidates)
      candidate.score = (candidate.score + ([...candidate.terms].some((term) => requestedTerms.has(term)) ? 1 : 0)) / 2;
  const taken: Candidate[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.score - a.score || a.order - b.order)) {
    if (taken.length >= count) break;
    if (!taken.some((other) => areAlike(candidate.terms, other.terms))) taken.push(candidate);
  }
  return taken
    .toSorted((a, b) => a.order - b.order)
    .map(({ text, passageId, page, score }) => ({ text, passageId, page, score }));
}
