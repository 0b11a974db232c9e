import { searchTerms } from "./search-terms.ts";
import { splitSentences } from "./sentences.ts";
import { wordsOf } from "./words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A sentence of a source, word for word, with how much of the source it stands for. */
export interface CentralSentence {
  text: string;
  passageId: string;
  page: number | undefined;
  /** 0 to 1, within the passages that were weighed together. */
  score: number;
}

interface Candidate extends CentralSentence {
  terms: ReadonlySet<string>;
  at: number;
}

/** Fewer words are a label, more are a table that was read as a sentence. */
const MIN_WORDS = 6;
const MAX_WORDS = 48;
/** What is weighed at once: ten pages hold about half of it. */
const MAX_CANDIDATES = 600;
const TOO_ALIKE = 0.5;
const MARKED_BONUS = 0.35;
const OPENING_BONUS = 0.15;

/** Sentences that say nothing by themselves: they refer to earlier text or to the document itself. */
const POINTS_BACK =
  /^["“‘(]?(?:this|that|these|those|it|its|they|their|he|she|his|her|such|here|there|however|therefore|thus|hence|also|moreover|furthermore|instead|another|both|and|but|or|so|then|for example|for instance|in addition|as a result|in contrast|similarly|in other words)\b/iu;
const SPEAKS_OF_ITSELF =
  /\b(?:figure|fig\.|table|chapter|section|page|slide|exercise|question|appendix|equation)s?\s*\(?\d|\b(?:this|the (?:following|next|previous)) (?:chapter|section|figure|table|page|lesson|lecture)\b|\b(?:click|visit|see also|https?:|www\.|©|all rights reserved)/iu;

/** Whether a sentence says something by itself. */
export const isSound = (text: string): boolean => isSoundInContext(text) && !POINTS_BACK.test(text);

/** Whether a sentence says something after the one before it. */
export function isSoundInContext(text: string): boolean {
  const words = wordsOf(text).length;
  if (words < MIN_WORDS || words > MAX_WORDS) return false;
  if (!/^["“‘(]?[\p{Lu}\p{Lo}\p{N}]/u.test(text)) return false;
  return /[.!。！]["”’)]?$/u.test(text) && isWorded(text) && !SPEAKS_OF_ITSELF.test(text);
}

/** Lists of other works, whose titles are no sentences of this one. */
const IS_REFERENCES =
  /^(?:[\dIVX]+\.?\s+)?(?:references|bibliography|works cited|further reading|acknowledge?ments?|index)\W*$/iu;

const isProse = ({ kind, locator }: Passage) =>
  (kind === "paragraph" || kind === "list_item") && !IS_REFERENCES.test(locator.heading ?? "");

/** Whether at least half of the words are words, not figures. */
const isWorded = (text: string) => (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= wordsOf(text).length / 2;

function candidatesOf(passages: readonly Passage[]): Candidate[] {
  const found: Candidate[] = [];
  let isListing = false;
  for (const passage of passages) {
    if (passage.kind === "heading") isListing = IS_REFERENCES.test(passage.text);
    if (isListing || !isProse(passage)) continue;
    for (const [index, { text, start, end }] of splitSentences(passage.text).entries()) {
      if (!isSound(text)) continue;
      const isMarked = passage.bold.some(([from, to]) => from < end && to > start);
      found.push({
        text,
        passageId: passage.id,
        page: passage.locator.page,
        terms: new Set(searchTerms(text)),
        at: found.length,
        score: (isMarked ? MARKED_BONUS : 0) + (index === 0 && passage.kind === "paragraph" ? OPENING_BONUS : 0),
      });
      if (found.length >= MAX_CANDIDATES) return found;
    }
  }
  return found;
}

/** What a text keeps coming back to: terms that many sentences share, by how far each is from being in all of them. */
function weigh(candidates: readonly Candidate[]): void {
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
  const most = raw.reduce((a, b) => Math.max(a, b), Number.EPSILON);
  const best = 1 + MARKED_BONUS + OPENING_BONUS;
  for (const [i, candidate] of candidates.entries()) candidate.score = (candidate.score + (raw[i] ?? 0) / most) / best;
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let common = 0;
  for (const term of a) if (b.has(term)) common += 1;
  return common / Math.max(1, Math.min(a.size, b.size)) >= TOO_ALIKE;
}

/**
 * The sentences that stand for a source best, no two of them alike, in reading order; what the reader asked for
 * (`wishes`) counts. The same passages give the same sentences.
 */
export function centralSentences(passages: readonly Passage[], count: number, wishes = ""): CentralSentence[] {
  const candidates = candidatesOf(passages);
  weigh(candidates);
  const requestedCount = new Set(searchTerms(wishes));
  if (requestedCount.size > 0)
    for (const candidate of candidates)
      candidate.score = (candidate.score + ([...candidate.terms].some((term) => requestedCount.has(term)) ? 1 : 0)) / 2;
  const taken: Candidate[] = [];
  for (const one of candidates.toSorted((a, b) => b.score - a.score || a.at - b.at)) {
    if (taken.length >= count) break;
    if (!taken.some((other) => areAlike(one.terms, other.terms))) taken.push(one);
  }
  return taken
    .toSorted((a, b) => a.at - b.at)
    .map(({ text, passageId, page, score }) => ({ text, passageId, page, score }));
}
