import type { Word } from "./text-folding.ts";

/** A word of a text with line breaks. */
export interface LineWord extends Word {
  isAtLineEnd?: boolean;
  isAtLineStart?: boolean;
}

/** The matched word ranges, half-open; two if the match crosses a break. */
export interface WordMatch {
  ranges: [first: number, end: number][];
  misses: number;
}

/** Omitting one of these words reverses the meaning. */
const NEGATIONS = new Set(
  (
    "not no never neither nor none nothing without cannot non except unless hardly rarely seldom barely few little " +
    "dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt havent hadnt mustnt " +
    "nicht kein keine nie ohne ne pas jamais sans nunca sin 不 没 無 无 非 未"
  ).split(" "),
);
/** Words that may be added without changing the meaning. */
const FUNCTION_WORDS = new Set("a an the of that also thus".split(" "));
const isFunctionWord = (word: Word | undefined) => FUNCTION_WORDS.has(word?.text ?? "");
const LIGATURES = /ffi|ffl|ff|fi|fl/g;
/** Words of a quote per allowed miss. */
const WORDS_PER_MISS = 8;
/** Shorter quotes must match exactly. */
const MIN_WORDS = 4;
const MAX_PARTS = 3;
const MAX_QUOTE_WORDS = 400;
const MAX_PASSAGE_WORDS = 2_000;

/** Letters that OCR and broken fonts confuse. */
const foldConfusions = (word: string) =>
  word
    .replaceAll(/rn/g, "m")
    .replaceAll(/cl/g, "d")
    .replaceAll(/vv/g, "w")
    .replaceAll(/[il|!]/g, "1")
    .replaceAll("o", "0");

/** Whether two spellings are the same word: up to a lost ligature, an attached note number, or an OCR error. */
function isSameUpToOcr(quote: string, passage: string): boolean {
  if (/\d/.test(quote)) return false;
  if (quote.length >= 4 && passage.startsWith(quote) && /^\d{1,2}$/.test(passage.slice(quote.length))) return true;
  const [longer, shorter] = quote.length >= passage.length ? [quote, passage] : [passage, quote];
  if (longer.replace(LIGATURES, "") === shorter.replace(LIGATURES, "") && shorter !== longer && longer.length >= 4)
    return longer.replaceAll(LIGATURES, "") === shorter;
  return quote.length >= 4 && !/^[\d]+$/.test(passage) && foldConfusions(quote) === foldConfusions(passage);
}

interface Cell {
  misses: number;
  /** The first matched word; -1 while nothing is matched. */
  first: number;
  /** For matches across a break: the end of the first part, and the first word of the second. */
  broken: [end: number, first: number] | null;
}

const NO_MATCH: Cell = { misses: Number.POSITIVE_INFINITY, first: -1, broken: null };
const UNSTARTED: Cell = { misses: 0, first: -1, broken: null };
const withFewerMisses = (a: Cell, b: Cell): Cell => (b.misses < a.misses ? b : a);
const addMisses = (cell: Cell, misses: number): Cell => ({ ...cell, misses: cell.misses + misses });

/** What may be skipped: words of the passage, function words of the quote, or words of the passage and one break. */
type Skips = "passage" | "quote" | "break";

const joined = (words: readonly Word[], end: number, count: number): string =>
  count === 1
    ? (words[end - 1]?.text ?? "")
    : words
        .slice(end - count, end)
        .map(({ text }) => text)
        .join("");

/** Aligns words by dynamic programming with the fewest misses; the whole quote must match, anywhere in the passage. */
class WordAlignment {
  readonly #quote: readonly Word[];
  readonly #passage: readonly LineWord[];
  readonly #skips: Skips;
  /** Indexed by matched words of the quote and of the passage: before a break, and after it. */
  readonly #beforeBreak: Cell[][] = [];
  readonly #afterBreak: Cell[][] = [];
  /** The best partial match that ends with a line, up to each position. */
  readonly #lineEnds: Cell[][] = [];

  constructor(quote: readonly Word[], passage: readonly LineWord[], skips: Skips) {
    this.#quote = quote;
    this.#passage = passage;
    this.#skips = skips;
  }

  run(): WordMatch | null {
    for (let q = 0; q <= this.#quote.length; q += 1) this.#fillRow(q);
    const last = this.#skips === "break" ? this.#afterBreak : this.#beforeBreak;
    let best: WordMatch | null = null;
    for (const [h, { misses, first, broken }] of (last.at(-1) ?? []).entries()) {
      if (h === 0 || first < 0 || misses >= (best?.misses ?? Number.POSITIVE_INFINITY)) continue;
      const ranges: WordMatch["ranges"] = broken
        ? [
            [first, broken[0]],
            [broken[1], h],
          ]
        : [[first, h]];
      best = { ranges, misses };
    }
    return best;
  }

  #fillRow(q: number): void {
    const [beforeBreak, afterBreak, lineEnds]: Cell[][] = [[], [], []];
    if (!beforeBreak || !afterBreak || !lineEnds) return;
    this.#beforeBreak.push(beforeBreak);
    this.#afterBreak.push(afterBreak);
    this.#lineEnds.push(lineEnds);
    let best = NO_MATCH;
    for (let h = 0; h <= this.#passage.length; h += 1) {
      const cell =
        q === 0
          ? UNSTARTED
          : withFewerMisses(this.#matched(this.#beforeBreak, q, h), this.#skipped(this.#beforeBreak, q, h));
      beforeBreak.push(cell);
      if (this.#skips !== "break") continue;
      afterBreak.push(this.#cellAfterBreak(q, h));
      if (cell.first >= 0 && this.#passage[h - 1]?.isAtLineEnd === true)
        best = withFewerMisses(best, { ...cell, broken: [h, -1] });
      lineEnds.push(best);
    }
  }

  #cellAfterBreak(q: number, h: number): Cell {
    if (q === 0) return NO_MATCH;
    const inside = withFewerMisses(this.#matched(this.#afterBreak, q, h), this.#skipped(this.#afterBreak, q, h));
    const word = this.#passage[h - 1];
    if (word?.isAtLineStart !== true || word.text !== this.#quote[q - 1]?.text) return inside;
    const start = this.#lineEnds[q - 1]?.[h - 1];
    if (!start?.broken) return inside;
    return withFewerMisses(inside, { ...start, broken: [start.broken[0], h - 1] });
  }

  #skipped(rows: readonly Cell[][], q: number, h: number): Cell {
    if (this.#skips === "quote")
      return isFunctionWord(this.#quote[q - 1]) ? addMisses(rows[q - 1]?.[h] ?? NO_MATCH, 1) : NO_MATCH;
    const word = this.#passage[h - 1];
    // Nothing is skipped after the last word, because a match ends with a word.
    if (!word || q === this.#quote.length || NEGATIONS.has(word.text)) return NO_MATCH;
    const cell = rows[q]?.[h - 1] ?? NO_MATCH;
    return cell.first >= 0 ? addMisses(cell, 1) : NO_MATCH;
  }

  /** Matches one word with one word, or one word with several if only one text has a hyphen or space. */
  #matched(rows: readonly Cell[][], q: number, h: number): Cell {
    if (h === 0) return NO_MATCH;
    let best = this.#pair(rows, [q, 1], [h, 1]);
    for (let parts = 2; parts <= MAX_PARTS; parts += 1) {
      best = withFewerMisses(best, this.#pair(rows, [q, parts], [h, 1]));
      best = withFewerMisses(best, this.#pair(rows, [q, 1], [h, parts]));
    }
    return best;
  }

  #pair(rows: readonly Cell[][], [q, quoteParts]: [number, number], [h, passageParts]: [number, number]): Cell {
    if (q < quoteParts || h < passageParts) return NO_MATCH;
    const previous = rows[q - quoteParts]?.[h - passageParts] ?? NO_MATCH;
    if (previous === NO_MATCH) return NO_MATCH;
    const [quoteText, passageText] = [joined(this.#quote, q, quoteParts), joined(this.#passage, h, passageParts)];
    const first = previous.first >= 0 ? previous.first : h - passageParts;
    if (quoteText === passageText) return { ...previous, first };
    const isSingleWord = quoteParts === 1 && passageParts === 1;
    return isSingleWord && isSameUpToOcr(quoteText, passageText)
      ? { ...previous, first, misses: previous.misses + 1 }
      : NO_MATCH;
  }
}

/** Maximum number of missing or misspelt words of a match. */
function allowedMisses(wordCount: number): number {
  return wordCount < MIN_WORDS ? 0 : Math.max(1, Math.floor(wordCount / WORDS_PER_MISS));
}

function align(quote: readonly Word[], passage: readonly LineWord[], skips: Skips): WordMatch | null {
  if (quote.length > MAX_QUOTE_WORDS || passage.length > MAX_PASSAGE_WORDS) return null;
  const found = new WordAlignment(quote, passage, skips).run();
  return found && found.misses <= allowedMisses(quote.length) ? found : null;
}

/**
 * Verifies an approximate match: the passage must have the quote's words in order. A few of the passage's words may be
 * missing from the quote, but none may differ: "increases" is not "decreases", however similar they look. Null if it
 * does not match.
 */
export function matchWords(quote: readonly Word[], passage: readonly Word[]): WordMatch | null {
  if (allowedMisses(quote.length) === 0) return null;
  return align(quote, passage, "passage") ?? align(quote, passage, "quote");
}

/** Like `matchWords`, but across a page or column break: the first part ends a line, and the second part starts one. */
export function matchAcrossBreak(quote: readonly Word[], passage: readonly LineWord[]): WordMatch | null {
  return align(quote, passage, "break");
}
