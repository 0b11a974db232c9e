import type { Passage } from "#shared/pdf/schema.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { isStopWord } from "#shared/text/words.ts";
import type { SnapshotPassage } from "../schema.ts";
import { withoutAmounts } from "./amounts.ts";
import { hasNegation } from "./polarity.ts";
import { contradicts, hasAmountsOf } from "./same-claim.ts";

interface VerifiedQuote {
  passageId: string;
  /** The exact words of the snapshot. */
  quote: string;
}

/** The minimum share of a sentence's content words that its quote must contain. */
const MIN_SHARED_TERMS = 0.5;

const toPassage = ({ id, text, page }: SnapshotPassage): Passage => ({
  id,
  text,
  kind: "paragraph",
  bold: [],
  italic: [],
  locator: page === null ? {} : { page },
});

const withoutSeparators = (text: string) => text.replaceAll(/(?<=\d)[,\u00A0\u202F ](?=\d{3}(?!\d))/g, "");

/** The figures of a text, normalised: "1,250" and "1250" are equal. */
export function figuresOf(text: string): string[] {
  return withoutSeparators(text.normalize("NFKC")).match(/\d+(?:[.,]\d+)?/g) ?? [];
}

/** Capitalised words, including the first word of a sentence, which may be a name. */
export function namesOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu) ?? [];
  return words.filter((word) => /^\p{Lu}/u.test(word) && word.length > 1 && !isStopWord(word.toLowerCase()));
}

/** Finds the quote in one of the passages of a snapshot, word for word. */
export function findInSnapshot(passages: readonly SnapshotPassage[], quote: string): VerifiedQuote | undefined {
  for (const passage of passages) {
    // The tolerant comparison leaves out the last full stop and bracket.
    if (quote !== "" && passage.text.includes(quote)) return { passageId: passage.id, quote };
    const found = findExactQuote([toPassage(passage)], quote);
    if (found) return { passageId: passage.id, quote: passage.text.slice(found.start, found.end) };
  }
  return undefined;
}

/** The parts of names: "Watson-Crick’s" gives "watson" and "crick". */
const nameWords = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((part, at) => at === 0 || part !== "s");

/**
 * Whether the quote supports the sentence: it contains the sentence's figures with their units, its names and enough of
 * its words, and the sentence does not contradict it.
 */
export function isSupportedBy(sentence: string, quote: string): boolean {
  const figures = new Set(figuresOf(quote));
  if (figuresOf(withoutAmounts(sentence)).some((figure) => !figures.has(figure))) return false;
  if (!hasAmountsOf(sentence, quote)) return false;
  const quoteTerms = new Set(searchTerms(quote));
  const quoteWords = new Set(quote.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const hasName = (name: string) =>
    nameWords(name).every((word) => quoteWords.has(word)) || searchTerms(name).every((term) => quoteTerms.has(term));
  if (!namesOf(sentence).every(hasName)) return false;
  if (hasNegation(sentence) !== hasNegation(quote)) return false;
  if (contradicts(sentence, quote)) return false;
  const terms = [...new Set(searchTerms(sentence))];
  if (terms.length === 0) return false;
  return terms.filter((term) => quoteTerms.has(term)).length >= terms.length * MIN_SHARED_TERMS;
}
