import type { Word } from "./folding.ts";

/** A word of a text with line breaks. */
export interface LineWord extends Word {
  endsLine?: boolean;
  beginsLine?: boolean;
}

/** The matched word ranges, half-open; two if the match crosses a break. */
export interface WordMatch {
  stretches: [first: number, end: number][];
  misses: number;
}

/** Omitting one of these reverses the meaning. */
const TURNING = new Set(
  (
    "not no never neither nor none nothing without cannot non except unless hardly rarely seldom barely few little " +
    "dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt havent hadnt mustnt " +
    "nicht kein keine nie ohne ne pas jamais sans nunca sin 不 没 無 无 非 未"
  ).split(" "),
);
/** Words that may be added without changing the meaning. */
const EMPTY = new Set("a an the of that also thus".split(" "));
const isEmpty = (word: Word | undefined) => EMPTY.has(word?.text ?? "");
const LIGATURES = /ffi|ffl|ff|fi|fl/g;
/** Words of a quote per allowed miss. */
const WORDS_PER_MISS = 8;
/** Shorter quotes must match exactly. */
const MIN_WORDS = 4;
const MAX_PARTS = 3;
const MAX_QUOTED = 400;
const MAX_HELD = 2_000;

/** Letters that OCR and broken fonts confuse. */
const confused = (word: string) =>
  word
    .replaceAll(/rn/g, "m")
    .replaceAll(/cl/g, "d")
    .replaceAll(/vv/g, "w")
    .replaceAll(/[il|!]/g, "1")
    .replaceAll("o", "0");

/** Whether two spellings are the same word: up to a lost ligature, an attached note number, or an OCR error. */
function isNearlySame(quoted: string, held: string): boolean {
  if (/\d/.test(quoted)) return false;
  if (quoted.length >= 4 && held.startsWith(quoted) && /^\d{1,2}$/.test(held.slice(quoted.length))) return true;
  const [longer, shorter] = quoted.length >= held.length ? [quoted, held] : [held, quoted];
  if (longer.replace(LIGATURES, "") === shorter.replace(LIGATURES, "") && shorter !== longer && longer.length >= 4)
    return longer.replaceAll(LIGATURES, "") === shorter;
  return quoted.length >= 4 && !/^[\d]+$/.test(held) && confused(quoted) === confused(held);
}

interface Cell {
  misses: number;
  /** The first matched word; -1 while nothing is matched. */
  first: number;
  /** For matches across a break: the end of the first part, and the first word of the second. */
  broken: [end: number, first: number] | null;
}

const NEVER: Cell = { misses: Number.POSITIVE_INFINITY, first: -1, broken: null };
const UNBEGUN: Cell = { misses: 0, first: -1, broken: null };
const better = (a: Cell, b: Cell): Cell => (b.misses < a.misses ? b : a);
const after = (cell: Cell, misses: number): Cell => ({ ...cell, misses: cell.misses + misses });

/** What may be skipped: words of the passage, function words of the quote, or words of the passage and one break. */
type Skips = "held" | "quoted" | "break";

const joined = (words: readonly Word[], end: number, count: number): string =>
  count === 1
    ? (words[end - 1]?.text ?? "")
    : words
        .slice(end - count, end)
        .map(({ text }) => text)
        .join("");

/** Aligns words by dynamic programming with the fewest misses; the whole quote must match, anywhere in the passage. */
class Aligning {
  readonly #quoted: readonly Word[];
  readonly #held: readonly LineWord[];
  readonly #skips: Skips;
  /** Indexed by matched words of the quote and of the passage: before a break, and after it. */
  readonly #before: Cell[][] = [];
  readonly #behind: Cell[][] = [];
  /** The best partial match that ends with a line, up to each position. */
  readonly #lineEnds: Cell[][] = [];

  constructor(quoted: readonly Word[], held: readonly LineWord[], skips: Skips) {
    this.#quoted = quoted;
    this.#held = held;
    this.#skips = skips;
  }

  run(): WordMatch | null {
    for (let q = 0; q <= this.#quoted.length; q += 1) this.#fillRow(q);
    const last = this.#skips === "break" ? this.#behind : this.#before;
    let best: WordMatch | null = null;
    for (const [h, { misses, first, broken }] of (last.at(-1) ?? []).entries()) {
      if (h === 0 || first < 0 || misses >= (best?.misses ?? Number.POSITIVE_INFINITY)) continue;
      const stretches: WordMatch["stretches"] = broken
        ? [
            [first, broken[0]],
            [broken[1], h],
          ]
        : [[first, h]];
      best = { stretches, misses };
    }
    return best;
  }

  #fillRow(q: number): void {
    const [before, behind, ends]: Cell[][] = [[], [], []];
    if (!before || !behind || !ends) return;
    this.#before.push(before);
    this.#behind.push(behind);
    this.#lineEnds.push(ends);
    let best = NEVER;
    for (let h = 0; h <= this.#held.length; h += 1) {
      const cell = q === 0 ? UNBEGUN : better(this.#matched(this.#before, q, h), this.#skipped(this.#before, q, h));
      before.push(cell);
      if (this.#skips !== "break") continue;
      behind.push(this.#cellBehind(q, h));
      if (cell.first >= 0 && this.#held[h - 1]?.endsLine === true) best = better(best, { ...cell, broken: [h, -1] });
      ends.push(best);
    }
  }

  #cellBehind(q: number, h: number): Cell {
    if (q === 0) return NEVER;
    const inside = better(this.#matched(this.#behind, q, h), this.#skipped(this.#behind, q, h));
    const word = this.#held[h - 1];
    if (word?.beginsLine !== true || word.text !== this.#quoted[q - 1]?.text) return inside;
    const start = this.#lineEnds[q - 1]?.[h - 1];
    if (!start?.broken) return inside;
    return better(inside, { ...start, broken: [start.broken[0], h - 1] });
  }

  #skipped(rows: readonly Cell[][], q: number, h: number): Cell {
    if (this.#skips === "quoted") return isEmpty(this.#quoted[q - 1]) ? after(rows[q - 1]?.[h] ?? NEVER, 1) : NEVER;
    const held = this.#held[h - 1];
    // Nothing is skipped after the last word: a match ends with a word.
    if (!held || q === this.#quoted.length || TURNING.has(held.text)) return NEVER;
    const cell = rows[q]?.[h - 1] ?? NEVER;
    return cell.first >= 0 ? after(cell, 1) : NEVER;
  }

  /** Matches one word with one, or one with several if only one text has a hyphen or space. */
  #matched(rows: readonly Cell[][], q: number, h: number): Cell {
    if (h === 0) return NEVER;
    let best = this.#pair(rows, [q, 1], [h, 1]);
    for (let parts = 2; parts <= MAX_PARTS; parts += 1) {
      best = better(best, this.#pair(rows, [q, parts], [h, 1]));
      best = better(best, this.#pair(rows, [q, 1], [h, parts]));
    }
    return best;
  }

  #pair(rows: readonly Cell[][], [q, quotedParts]: [number, number], [h, heldParts]: [number, number]): Cell {
    if (q < quotedParts || h < heldParts) return NEVER;
    const before = rows[q - quotedParts]?.[h - heldParts] ?? NEVER;
    if (before === NEVER) return NEVER;
    const [quoted, held] = [joined(this.#quoted, q, quotedParts), joined(this.#held, h, heldParts)];
    const first = before.first >= 0 ? before.first : h - heldParts;
    if (quoted === held) return { ...before, first };
    const isOne = quotedParts === 1 && heldParts === 1;
    return isOne && isNearlySame(quoted, held) ? { ...before, first, misses: before.misses + 1 } : NEVER;
  }
}

/** Maximum number of missing or misspelt words of a match. */
function allowedMisses(wordCount: number): number {
  return wordCount < MIN_WORDS ? 0 : Math.max(1, Math.floor(wordCount / WORDS_PER_MISS));
}

function align(quoted: readonly Word[], held: readonly LineWord[], skips: Skips): WordMatch | null {
  if (quoted.length > MAX_QUOTED || held.length > MAX_HELD) return null;
  const found = new Aligning(quoted, held, skips).run();
  return found && found.misses <= allowedMisses(quoted.length) ? found : null;
}

/**
 * Verifies an approximate match: the passage must have the quote's words in order. A few of the passage's words may be
 * missing from the quote, but none may differ: "increases" is not "decreases", however similar they look. Null if it
 * does not match.
 */
export function matchWords(quoted: readonly Word[], held: readonly Word[]): WordMatch | null {
  if (allowedMisses(quoted.length) === 0) return null;
  return align(quoted, held, "held") ?? align(quoted, held, "quoted");
}

/** The same across a page or column break: the first part ends with a line, the rest starts another. */
export function matchOverBreak(quoted: readonly Word[], held: readonly LineWord[]): WordMatch | null {
  return align(quoted, held, "break");
}
