// The tagger's model as the package holds it, at a quarter of its size: the words front to front, what follows from a word
// left out, and the rest of their rows byte by byte. `extension/build/lean-tagger.ts` folds it, and this unfolds it.

/** What of the model is told here; all else of it stays as it is. */
export interface TaggerModel {
  /** Rows of four numbers of 32 bits (little-endian), one for each word, in base64. */
  lexicon: string;
  features: {
    lexeme: { list: string[] };
    /** The first two letters of words, and the last three; a row names them by their place. */
    prefix: { list: string[] };
    suffix: { list: string[] };
  };
}

export interface FoldedModel {
  /** Each word begins with a letter that says how much of the word before it begins with. */
  words: string;
  /** The bytes of the rows' other three numbers, all first bytes first; in base64. */
  rows: string;
  /** Rows in which the first number does not follow from the word. */
  odd: [row: number, first: number][];
}

/** The words hold none of these letters. */
export const FIRST_LENGTH = 0x01_00;
export const MOST_LENGTH = 31;
const LENGTH = /(?=[\u0100-\u011f])/;
export const ROW = 4;
/** In the last number of a row the lower bits name another word: most often itself, or one near. */
export const WORD_BITS = 20;
const WORD_MASK = 2 ** WORD_BITS - 1;
const SUFFIX_SHIFT = 13;

/** The word that a row names, told from its own place, and back again. */
export const fromOwn = (last: number, at: number) => ((last & ~WORD_MASK) | ((last - at) & WORD_MASK)) >>> 0;
const toNamed = (last: number, at: number) => ((last & ~WORD_MASK) | ((last + at) & WORD_MASK)) >>> 0;

/** How the first number of a row follows from its word. */
export function firstNumbers({ prefix, suffix }: TaggerModel["features"]): (word: string) => number {
  const [prefixes, suffixes] = [prefix, suffix].map(({ list }) => new Map(list.map((text, at) => [text, at])));
  return (word) =>
    ((prefixes?.get(word.slice(0, 2)) ?? 0) | ((suffixes?.get(word.slice(-3)) ?? 0) << SUFFIX_SHIFT)) >>> 0;
}

function unfoldWords(folded: string): string[] {
  let before = "";
  return folded.split(LENGTH).map((written) => {
    before = before.slice(0, written.charCodeAt(0) - FIRST_LENGTH) + written.slice(1);
    return before;
  });
}

const AT_ONCE = 30_000;

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE));
  return btoa(text);
}

/** The model as it was: every word and every row. */
export function unfoldModel<M extends TaggerModel>(rest: M, { words, rows, odd }: FoldedModel): M {
  const list = unfoldWords(words);
  const bytes = atob(rows);
  const numbers = new DataView(new ArrayBuffer(list.length * ROW * 4));
  const byteAt = (column: number, row: number) => bytes.charCodeAt(column * list.length + row);
  const first = firstNumbers(rest.features);
  const firsts = new Map(odd);
  for (const [row, word] of list.entries()) {
    const numberAt = (at: number) =>
      [0, 1, 2, 3].reduce((sum, byte) => sum + byteAt(at * 4 + byte, row) * 2 ** (8 * byte), 0);
    const place = row * ROW * 4;
    numbers.setUint32(place, firsts.get(row) ?? first(word), true);
    numbers.setUint32(place + 4, numberAt(0), true);
    numbers.setUint32(place + 8, numberAt(1), true);
    numbers.setUint32(place + 12, toNamed(numberAt(2), row), true);
  }
  const lexeme = { ...rest.features.lexeme, list };
  return { ...rest, lexicon: base64Of(new Uint8Array(numbers.buffer)), features: { ...rest.features, lexeme } };
}
