import search from "approx-string-match";
import { fold, wordsIn, type Folded, type Word } from "./folding.ts";
import { matchOverBreak, matchWords, type LineWord, type WordMatch } from "./word-match.ts";

/**
 * The stored description of a passage, used to find it again (W3C TextQuoteSelector,
 * https://www.w3.org/TR/annotation-model/#text-quote-selector).
 */
export interface Anchor {
  quote: string;
  /** The text before and after it, which distinguishes several occurrences. */
  prefix?: string | undefined;
  suffix?: string | undefined;
  /** The page where it was, from 1. */
  page?: number | undefined;
}

/** A page of a document, or a passage of a text without pages. */
export interface Place {
  page: number;
  text: string;
}

/** A range within one page's text, half-open, in UTF-16 units. */
export interface Piece {
  /** Index of the page. */
  at: number;
  page: number;
  start: number;
  end: number;
}

export interface Found {
  /** Of the first range. */
  page: number;
  /** One range, or two if a page or column ends within the quote. */
  pieces: Piece[];
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
/** Quotes this short occur often: they count only near their page. */
const SHORT_QUOTE = 12;
/** Shorter quotes would give false matches across a break. */
const MIN_BROKEN_WORDS = 5;
const MAX_QUOTE = 4_000;
/** Words searched on both sides of a page break: headers, footers and notes may be in between. */
const BREAK_WORDS = 250;

const folds = new WeakMap<Place, Folded>();

function foldedOf(place: Place): Folded {
  const known = folds.get(place);
  if (known) return known;
  const made = fold(place.text);
  folds.set(place, made);
  return made;
}

/**
 * Weights of the Hypothesis client's quote anchoring
 * (https://github.com/hypothesis/client/blob/main/src/annotator/anchoring/match-quote.ts).
 */
const WEIGHTS = { quote: 50, prefix: 20, suffix: 20, place: 2 };

/** Similarity of two texts: the share of `wanted` found in `held`; 1 if nothing is wanted. */
function likeness(held: string, wanted: string): number {
  if (wanted === "") return 1;
  const errors = search(held, wanted, wanted.length)[0]?.errors ?? wanted.length;
  return 1 - errors / wanted.length;
}

class Finding {
  readonly #places: readonly Place[];
  readonly #anchor: Anchor;
  readonly #quote: Folded;
  readonly #prefix: string;
  readonly #suffix: string;

  constructor(places: readonly Place[], anchor: Anchor) {
    this.#places = places;
    this.#anchor = anchor;
    this.#quote = fold(anchor.quote.slice(0, MAX_QUOTE));
    this.#prefix = fold(anchor.prefix ?? "").text;
    this.#suffix = fold(anchor.suffix ?? "").text;
  }

  run(): Found | null {
    if (this.#quote.text === "") return null;
    return this.#best(this.#exact()) ?? this.#best(this.#approximate()) ?? this.#overBreak();
  }

  #foldOf(at: number): Folded {
    const place = this.#places[at];
    return place ? foldedOf(place) : fold("");
  }

  *#exact(): Generator<Candidate> {
    const { text: quote } = this.#quote;
    for (const at of this.#reachable()) {
      const held = this.#foldOf(at);
      for (let start = held.text.indexOf(quote); start >= 0; start = held.text.indexOf(quote, start + 1)) {
        const end = start + quote.length;
        if (isWhole(held, start, end)) yield { at, start, end, errors: 0 };
      }
    }
  }

  *#approximate(): Generator<Candidate> {
    const { text: quote } = this.#quote;
    const quoted = wordsIn(this.#quote);
    const maxErrors = Math.min(MAX_ERRORS, Math.floor(quote.length / 2));
    if (quote.length < SHORT_QUOTE) return;
    for (const at of this.#reachable()) {
      const held = this.#foldOf(at);
      for (const { start, end } of search(held.text, quote, maxErrors).slice(0, 8)) {
        const words = wordsIn(held, ...widened(held, start, end));
        const match = matchWords(quoted, words);
        if (match) yield this.#candidate(at, words, match);
      }
    }
  }

  #candidate(at: number, words: readonly Word[], { stretches: [stretch], misses }: WordMatch): Candidate {
    const [first = 0, last = 0] = stretch ?? [];
    const [start, end] = [words[first]?.start ?? 0, words[last - 1]?.end ?? 0];
    return { at, start, end, errors: Math.abs(end - start - this.#quote.text.length) + misses };
  }

  /** A word or two occurs everywhere: it is searched only on its own page and the adjacent ones. */
  #reachable(): number[] {
    const { page } = this.#anchor;
    const all = [...this.#places.keys()];
    if (page === undefined || this.#quote.text.length >= SHORT_QUOTE) return all;
    return all.filter((at) => Math.abs((this.#places[at]?.page ?? 0) - page) <= 1);
  }

  #best(candidates: Iterable<Candidate>): Found | null {
    let best: { candidate: Candidate; score: number } | undefined;
    for (const candidate of candidates) {
      const score = this.#score(candidate);
      if (!best || score > best.score) best = { candidate, score };
    }
    if (!best) return null;
    const piece = this.#piece(best.candidate);
    return { page: piece.page, pieces: [piece], score: best.score, isExact: best.candidate.errors === 0 };
  }

  #score({ at, start, end, errors }: Candidate): number {
    const { text } = this.#foldOf(at);
    const { prefix, suffix, quote, place } = WEIGHTS;
    const before = text.slice(Math.max(0, start - this.#prefix.length), start);
    const behind = text.slice(end, end + this.#suffix.length);
    const pages = Math.max(1, this.#places.length);
    const page = this.#places[at]?.page ?? 0;
    const away = this.#anchor.page === undefined ? 0 : Math.min(1, Math.abs(page - this.#anchor.page) / pages);
    const sum =
      quote * Math.max(0, 1 - errors / this.#quote.text.length) +
      prefix * likeness(before, this.#prefix) +
      suffix * likeness(behind, this.#suffix) +
      place * (1 - away);
    return sum / (quote + prefix + suffix + place);
  }

  #piece({ at, start, end }: Omit<Candidate, "errors">): Piece {
    const held = this.#foldOf(at);
    return { at, page: this.#places[at]?.page ?? 0, start: held.from[start] ?? 0, end: held.to[end - 1] ?? 0 };
  }

  /** Handles a page or column break within the quote: the first part ends a line and the rest starts another. */
  #overBreak(): Found | null {
    const quoted = wordsIn(this.#quote);
    if (quoted.length < MIN_BROKEN_WORDS) return null;
    for (const at of this.#nearest())
      for (const next of [at, at + 1]) {
        const found = this.#mayHold(quoted, at, next) ? this.#brokenBetween(quoted, at, next) : undefined;
        if (found) return found;
      }
    return null;
  }

  /** The expected page and the adjacent ones; all pages if none is expected. */
  #nearest(): number[] {
    const { page } = this.#anchor;
    const all = [...this.#places.keys()];
    if (page === undefined) return all;
    const away = (at: number) => Math.abs((this.#places[at]?.page ?? 0) - page);
    return all.filter((at) => away(at) <= 1).toSorted((a, b) => away(a) - away(b));
  }

  /** Cheap pre-check for alignment: part of the quote's beginning is here and part of its end there. */
  #mayHold(quoted: readonly Word[], at: number, next: number): boolean {
    const [here, there] = [this.#foldOf(at).text, this.#foldOf(next).text];
    const size = this.#anchor.page === undefined ? 3 : 2;
    const some = (words: readonly Word[], text: string) =>
      words.some((word, index) => {
        const last = words[index + size - 1];
        return last !== undefined && text.includes(this.#quote.text.slice(word.start, last.end));
      });
    const third = Math.max(size, Math.ceil(quoted.length / 3));
    return (
      some(quoted.slice(0, third), here) && (at === next || some(quoted.slice(-third), there) || quoted.length < 12)
    );
  }

  #brokenBetween(quoted: readonly Word[], at: number, next: number): Found | undefined {
    const isOne = at === next;
    const here = isOne ? this.#lineWords(at) : this.#lineWords(at).slice(-BREAK_WORDS);
    const words = isOne ? here : [...here, ...this.#lineWords(next).slice(0, BREAK_WORDS)];
    const match = matchOverBreak(quoted, words);
    if (!match || match.stretches.some(([first, end]) => isScrap(words.slice(first, end), isOne))) return undefined;
    const pieces = match.stretches.flatMap(([first, end]): Piece[] => {
      const place = first < here.length ? at : next;
      const [start, stop] = [words[first]?.start, words[end - 1]?.end];
      return start === undefined || stop === undefined ? [] : [this.#piece({ at: place, start, end: stop })];
    });
    const { quote, prefix, suffix, place } = WEIGHTS;
    const all = quote + prefix + suffix + place;
    const score = (all - (quote * match.misses) / quoted.length) / all;
    return { page: pieces[0]?.page ?? 0, pieces, score, isExact: match.misses === 0 };
  }

  #lineWords(at: number): LineWord[] {
    const text = this.#places[at]?.text ?? "";
    const held = this.#foldOf(at);
    return wordsIn(held).map((word) => ({
      ...word,
      endsLine: endsLine(text, held.to[word.end - 1] ?? 0),
      beginsLine: beginsLine(text, held.from[word.start] ?? 0),
    }));
  }
}

/** A single word or number far from the rest is a false match. */
function isScrap(words: readonly Word[], isOnePage: boolean): boolean {
  const text = words.map((word) => word.text).join("");
  return /^[\d.-]*$/.test(text) || (isOnePage && (words.length < 2 || text.length < 8));
}

const endsLine = (text: string, end: number) => /^[^\p{L}\p{N}\n]*(?:\n|$)/u.test(text.slice(end, end + 12));
const beginsLine = (text: string, start: number) =>
  /(?:^|\n)[^\p{L}\p{N}\n]*$/u.test(text.slice(Math.max(0, start - 12), start));

/** "art" must not match in "heart". */
function isWhole({ starts, text }: Folded, start: number, end: number): boolean {
  return starts[start] === 1 && (end === text.length || starts[end] === 1);
}

/** A range extended by a few words on both sides, at word boundaries. */
function widened({ starts, text }: Folded, start: number, end: number): [number, number] {
  let [from, to] = [Math.max(0, start - 24), Math.min(text.length, end + 24)];
  while (from > 0 && starts[from] !== 1) from -= 1;
  while (to < text.length && starts[to] !== 1) to += 1;
  return [from, to];
}

/**
 * Finds a quote in the pages or passages of a source, in the order of the Hypothesis client: exact matches first, then
 * approximate ones, the best-scored occurrence winning, and last across a page or column break. Unlike there, an
 * approximate match must pass `matchWords`, so text that only resembles the quote is not found. Null if there is no
 * match.
 */
export function findQuote(places: readonly Place[], anchor: Anchor): Found | null {
  return new Finding(places, anchor).run();
}
