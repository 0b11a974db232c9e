import search from "approx-string-match";
import { fold, wordsIn, type Folded, type Word } from "./folding.ts";
import { matchOverBreak, matchWords, type LineWord, type WordMatch } from "./word-match.ts";

/** What is kept of a passage so that it can be found again. */
export interface Anchor {
  quote: string;
  /** What stood before and after it: tells one occurrence from another. */
  prefix?: string | undefined;
  suffix?: string | undefined;
  /** The page where it stood, from 1. */
  page?: number | undefined;
}

/** A page of a document, or a passage of a text without pages. */
export interface Place {
  page: number;
  text: string;
}

/** A stretch of one place's text, half-open, in UTF-16 units. */
export interface Piece {
  /** Which of the places. */
  at: number;
  page: number;
  start: number;
  end: number;
}

export interface Found {
  /** Of the first piece. */
  page: number;
  /** One stretch, or two where a page or a column ends within the quote. */
  pieces: Piece[];
  /** From 0 to 1; 1 is a passage word for word, with its surroundings, on its page. */
  score: number;
  isExact: boolean;
}

interface Candidate {
  at: number;
  /** In units of the place's folded text. */
  start: number;
  end: number;
  /** Letters that differ. */
  errors: number;
}

/** Hypothesis accepts so many errors in its search; ours are judged word by word afterwards. */
const MAX_ERRORS = 256;
/** Quotes as short as this stand in many places: they count near their page alone. */
const SHORT_QUOTE = 12;
/** Over a break shorter quotes would be found where they are not. */
const MIN_BROKEN_WORDS = 5;
const MAX_QUOTE = 4_000;
/** A page's last words and the next one's first: heads, feet and notes may stand between. */
const BREAK_WORDS = 250;

const folds = new WeakMap<Place, Folded>();

function foldedOf(place: Place): Folded {
  const known = folds.get(place);
  if (known) return known;
  const made = fold(place.text);
  folds.set(place, made);
  return made;
}

/** Weights of the Hypothesis client's quote anchoring (src/annotator/anchoring/match-quote.ts). */
const WEIGHTS = { quote: 50, prefix: 20, suffix: 20, place: 2 };

/** How far apart two texts are, as the share of `wanted` that is not in `held`; 1 where nothing was asked. */
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

  /** A word or two stands everywhere: only on its own page, and the ones beside it, does it mean this place. */
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

  /** A page or column may end within the quote: then its first part ends a line and the rest begins another. */
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

  /** Where the quote is said to stand and the pages beside it; everywhere, where nothing is said. */
  #nearest(): number[] {
    const { page } = this.#anchor;
    const all = [...this.#places.keys()];
    if (page === undefined) return all;
    const away = (at: number) => Math.abs((this.#places[at]?.page ?? 0) - page);
    return all.filter((at) => away(at) <= 1).toSorted((a, b) => away(a) - away(b));
  }

  /** Some of the beginning stands here and some of the end there: without that the words need not be aligned. */
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

/** A word or a number by itself, far from the rest, is no part of it. */
function isScrap(words: readonly Word[], isOnePage: boolean): boolean {
  const text = words.map((word) => word.text).join("");
  return /^[\d.-]*$/.test(text) || (isOnePage && (words.length < 2 || text.length < 8));
}

const endsLine = (text: string, end: number) => /^[^\p{L}\p{N}\n]*(?:\n|$)/u.test(text.slice(end, end + 12));
const beginsLine = (text: string, start: number) =>
  /(?:^|\n)[^\p{L}\p{N}\n]*$/u.test(text.slice(Math.max(0, start - 12), start));

/** "art" does not stand in "heart". */
function isWhole({ starts, text }: Folded, start: number, end: number): boolean {
  return starts[start] === 1 && (end === text.length || starts[end] === 1);
}

/** A stretch and some words on both sides of it, from the beginning of a word to the end of one. */
function widened({ starts, text }: Folded, start: number, end: number): [number, number] {
  let [from, to] = [Math.max(0, start - 24), Math.min(text.length, end + 24)];
  while (from > 0 && starts[from] !== 1) from -= 1;
  while (to < text.length && starts[to] !== 1) to += 1;
  return [from, to];
}

/**
 * Finds a quote again in the pages or passages of a source, in the order of the Hypothesis client: word for word first,
 * then approximately, the best-placed occurrence winning; and last over the end of a page or column. Unlike there,
 * an approximate match must pass `matchWords`: what only resembles the quote is not found. Null where it is not there.
 */
export function findQuote(places: readonly Place[], anchor: Anchor): Found | null {
  return new Finding(places, anchor).run();
}
