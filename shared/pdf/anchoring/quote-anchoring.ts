import search from "approx-string-match";
import { foldForMatching, wordsIn, type Folded, type Word } from "./text-folding.ts";
import { matchAcrossBreak, matchWords, type LineWord, type WordMatch } from "./word-match.ts";

/**
 * The stored description of a passage, used to find it again (W3C TextQuoteSelector,
 * https://www.w3.org/TR/annotation-model/#text-quote-selector).
 */
export interface Anchor {
  quote: string;
  /** The text before and after the quote, which distinguishes several occurrences. */
  prefix?: string | undefined;
  suffix?: string | undefined;
  /** The page where it was, from 1. */
  page?: number | undefined;
}

/** A page of a document, or a passage of a text without pages. */
export interface AnchorPage {
  page: number;
  text: string;
}

/** A range within one page's text, half-open, in UTF-16 units. */
export interface AnchorRange {
  /** Index of the page. */
  at: number;
  page: number;
  start: number;
  end: number;
}

export interface AnchorMatch {
  /** Page of the first range. */
  page: number;
  /** One range, or two if a page or column ends within the quote. */
  ranges: AnchorRange[];
  /** From 0 to 1; 1 is a verbatim match with the same context, on the expected page. */
  score: number;
  isExact: boolean;
}

interface Candidate {
  at: number;
  /** In units of the page's folded text. */
  start: number;
  end: number;
  /** Differing letters. */
  errors: number;
}

/** The Hypothesis client's limit for its search; here matches are then verified word by word. */
const MAX_ERRORS = 256;
/** Shorter quotes occur often, so they are searched only near their page. */
const SHORT_QUOTE = 12;
/** Shorter quotes would give false matches across a break. */
const MIN_BROKEN_WORDS = 5;
const MAX_QUOTE = 4_000;
/** How many words are searched on each side of a page break, because headers, footers and notes may be in between. */
const BREAK_WORDS = 250;

const foldCache = new WeakMap<AnchorPage, Folded>();

function cachedFold(page: AnchorPage): Folded {
  const known = foldCache.get(page);
  if (known) return known;
  const made = foldForMatching(page.text);
  foldCache.set(page, made);
  return made;
}

/**
 * Weights of the Hypothesis client's quote anchoring
 * (https://github.com/hypothesis/client/blob/main/src/annotator/anchoring/match-quote.ts).
 */
const WEIGHTS = { quote: 50, prefix: 20, suffix: 20, position: 2 };

/** The similarity of two texts: the share of `expected` that is found in `pageText`; 1 if nothing is expected. */
function similarity(pageText: string, expected: string): number {
  if (expected === "") return 1;
  const errors = search(pageText, expected, expected.length)[0]?.errors ?? expected.length;
  return 1 - errors / expected.length;
}

class QuoteSearch {
  readonly #pages: readonly AnchorPage[];
  readonly #anchor: Anchor;
  readonly #quote: Folded;
  readonly #prefix: string;
  readonly #suffix: string;

  constructor(pages: readonly AnchorPage[], anchor: Anchor) {
    this.#pages = pages;
    this.#anchor = anchor;
    this.#quote = foldForMatching(anchor.quote.slice(0, MAX_QUOTE));
    this.#prefix = foldForMatching(anchor.prefix ?? "").text;
    this.#suffix = foldForMatching(anchor.suffix ?? "").text;
  }

  run(): AnchorMatch | null {
    if (this.#quote.text === "") return null;
    return this.#best(this.#exact()) ?? this.#best(this.#approximate()) ?? this.#findAcrossBreak();
  }

  #foldOf(at: number): Folded {
    const page = this.#pages[at];
    return page ? cachedFold(page) : foldForMatching("");
  }

  *#exact(): Generator<Candidate> {
    const { text: quote } = this.#quote;
    for (const at of this.#candidatePages()) {
      const pageText = this.#foldOf(at);
      for (let start = pageText.text.indexOf(quote); start >= 0; start = pageText.text.indexOf(quote, start + 1)) {
        const end = start + quote.length;
        if (isAtWordBoundaries(pageText, start, end)) yield { at, start, end, errors: 0 };
      }
    }
  }

  *#approximate(): Generator<Candidate> {
    const { text: quote } = this.#quote;
    const quoteWords = wordsIn(this.#quote);
    const maxErrors = Math.min(MAX_ERRORS, Math.floor(quote.length / 2));
    if (quote.length < SHORT_QUOTE) return;
    for (const at of this.#candidatePages()) {
      const pageText = this.#foldOf(at);
      for (const { start, end } of search(pageText.text, quote, maxErrors).slice(0, 8)) {
        const words = wordsIn(pageText, ...widenToWords(pageText, start, end));
        const match = matchWords(quoteWords, words);
        if (match) yield this.#candidate(at, words, match);
      }
    }
  }

  #candidate(at: number, words: readonly Word[], { ranges: [range], misses }: WordMatch): Candidate {
    const [first = 0, last = 0] = range ?? [];
    const [start, end] = [words[first]?.start ?? 0, words[last - 1]?.end ?? 0];
    return { at, start, end, errors: Math.abs(end - start - this.#quote.text.length) + misses };
  }

  /**
   * The pages to search. A quote of a word or two occurs often, so only its own page and the adjacent pages are
   * searched.
   */
  #candidatePages(): number[] {
    const { page } = this.#anchor;
    const all = [...this.#pages.keys()];
    if (page === undefined || this.#quote.text.length >= SHORT_QUOTE) return all;
    return all.filter((at) => Math.abs((this.#pages[at]?.page ?? 0) - page) <= 1);
  }

  #best(candidates: Iterable<Candidate>): AnchorMatch | null {
    let best: { candidate: Candidate; score: number } | undefined;
    for (const candidate of candidates) {
      const score = this.#score(candidate);
      if (!best || score > best.score) best = { candidate, score };
    }
    if (!best) return null;
    const toRange = this.#toRange(best.candidate);
    return { page: toRange.page, ranges: [toRange], score: best.score, isExact: best.candidate.errors === 0 };
  }

  #score({ at, start, end, errors }: Candidate): number {
    const { text } = this.#foldOf(at);
    const { prefix, suffix, quote, position } = WEIGHTS;
    const before = text.slice(Math.max(0, start - this.#prefix.length), start);
    const after = text.slice(end, end + this.#suffix.length);
    const pages = Math.max(1, this.#pages.length);
    const page = this.#pages[at]?.page ?? 0;
    const distance = this.#anchor.page === undefined ? 0 : Math.min(1, Math.abs(page - this.#anchor.page) / pages);
    const sum =
      quote * Math.max(0, 1 - errors / this.#quote.text.length) +
      prefix * similarity(before, this.#prefix) +
      suffix * similarity(after, this.#suffix) +
      position * (1 - distance);
    return sum / (quote + prefix + suffix + position);
  }

  #toRange({ at, start, end }: Omit<Candidate, "errors">): AnchorRange {
    const pageText = this.#foldOf(at);
    return { at, page: this.#pages[at]?.page ?? 0, start: pageText.from[start] ?? 0, end: pageText.to[end - 1] ?? 0 };
  }

  /**
   * Finds a quote that is split by a page or column break: its first part ends a line, and the other part starts a
   * line.
   */
  #findAcrossBreak(): AnchorMatch | null {
    const quoteWords = wordsIn(this.#quote);
    if (quoteWords.length < MIN_BROKEN_WORDS) return null;
    for (const at of this.#nearestPages())
      for (const next of [at, at + 1]) {
        const found = this.#couldContain(quoteWords, at, next)
          ? this.#matchAcrossBreak(quoteWords, at, next)
          : undefined;
        if (found) return found;
      }
    return null;
  }

  /** The expected page and the adjacent ones; all pages if none is expected. */
  #nearestPages(): number[] {
    const { page } = this.#anchor;
    const all = [...this.#pages.keys()];
    if (page === undefined) return all;
    const distance = (at: number) => Math.abs((this.#pages[at]?.page ?? 0) - page);
    return all.filter((at) => distance(at) <= 1).toSorted((a, b) => distance(a) - distance(b));
  }

  /**
   * Cheap check before alignment: part of the quote's beginning is on page `at`, and part of its end on page `next`.
   */
  #couldContain(quoteWords: readonly Word[], at: number, next: number): boolean {
    const [startText, endText] = [this.#foldOf(at).text, this.#foldOf(next).text];
    const size = this.#anchor.page === undefined ? 3 : 2;
    const containsSome = (words: readonly Word[], text: string) =>
      words.some((word, index) => {
        const last = words[index + size - 1];
        return last !== undefined && text.includes(this.#quote.text.slice(word.start, last.end));
      });
    const third = Math.max(size, Math.ceil(quoteWords.length / 3));
    return (
      containsSome(quoteWords.slice(0, third), startText) &&
      (at === next || containsSome(quoteWords.slice(-third), endText) || quoteWords.length < 12)
    );
  }

  #matchAcrossBreak(quoteWords: readonly Word[], at: number, next: number): AnchorMatch | undefined {
    const isSamePage = at === next;
    const startWords = isSamePage ? this.#lineWords(at) : this.#lineWords(at).slice(-BREAK_WORDS);
    const words = isSamePage ? startWords : [...startWords, ...this.#lineWords(next).slice(0, BREAK_WORDS)];
    const match = matchAcrossBreak(quoteWords, words);
    if (!match || match.ranges.some(([first, end]) => isFragment(words.slice(first, end), isSamePage)))
      return undefined;
    const ranges = match.ranges.flatMap(([first, end]): AnchorRange[] => {
      const pageIndex = first < startWords.length ? at : next;
      const [start, stop] = [words[first]?.start, words[end - 1]?.end];
      return start === undefined || stop === undefined ? [] : [this.#toRange({ at: pageIndex, start, end: stop })];
    });
    const { quote, prefix, suffix, position } = WEIGHTS;
    const all = quote + prefix + suffix + position;
    const score = (all - (quote * match.misses) / quoteWords.length) / all;
    return { page: ranges[0]?.page ?? 0, ranges, score, isExact: match.misses === 0 };
  }

  #lineWords(at: number): LineWord[] {
    const text = this.#pages[at]?.text ?? "";
    const pageText = this.#foldOf(at);
    return wordsIn(pageText).map((word) => ({
      ...word,
      isAtLineEnd: isAtLineEnd(text, pageText.to[word.end - 1] ?? 0),
      isAtLineStart: isAtLineStart(text, pageText.from[word.start] ?? 0),
    }));
  }
}

/** Whether one part of a split match is only a single word or number, which is a false match. */
function isFragment(words: readonly Word[], isOnePage: boolean): boolean {
  const text = words.map((word) => word.text).join("");
  return /^[\d.-]*$/.test(text) || (isOnePage && (words.length < 2 || text.length < 8));
}

const isAtLineEnd = (text: string, end: number) => /^[^\p{L}\p{N}\n]*(?:\n|$)/u.test(text.slice(end, end + 12));
const isAtLineStart = (text: string, start: number) =>
  /(?:^|\n)[^\p{L}\p{N}\n]*$/u.test(text.slice(Math.max(0, start - 12), start));

/** "art" must not match in "heart". */
function isAtWordBoundaries({ starts, text }: Folded, start: number, end: number): boolean {
  return starts[start] === 1 && (end === text.length || starts[end] === 1);
}

/** A range extended by a few words on both sides, at word boundaries. */
function widenToWords({ starts, text }: Folded, start: number, end: number): [number, number] {
  let [from, to] = [Math.max(0, start - 24), Math.min(text.length, end + 24)];
  while (from > 0 && starts[from] !== 1) from -= 1;
  while (to < text.length && starts[to] !== 1) to += 1;
  return [from, to];
}

/**
 * Finds a quote in the pages or passages of a source, in the order of the Hypothesis client: exact matches first, then
 * approximate matches, and last matches across a page or column break. The occurrence with the best score wins. Unlike
 * in that client, an approximate match must pass `matchWords`, so text that only resembles the quote is not found. Null
 * if there is no match.
 */
export function anchorQuote(pages: readonly AnchorPage[], anchor: Anchor): AnchorMatch | null {
  return new QuoteSearch(pages, anchor).run();
}
