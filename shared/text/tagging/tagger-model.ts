// The tagger's model, compressed to a quarter of its size: words are front-coded, derivable numbers are left out, and
// the other numbers are stored byte by byte. `webapp/build/lean-tagger.ts` compresses the model; this file restores it.

/** The parts of the model that are compressed. */
export interface TaggerModel {
  /** Rows of four 32-bit numbers (little-endian), one per word, in base64. */
  lexicon: string;
  features: {
    lexeme: { list: string[] };
    /** The first two and the last three letters of words; rows refer to them by index. */
    prefix: { list: string[] };
    suffix: { list: string[] };
  };
}

export interface FoldedModel {
  /** Each word starts with a character that encodes how many letters it shares with the previous word. */
  words: string;
  /** The other three numbers of all rows, grouped by byte position, in base64. */
  rows: string;
  /** First numbers that cannot be derived from the word. */
  odd: [row: number, first: number][];
}

/** Characters that do not occur in the words. */
export const PREFIX_LENGTH_BASE = 0x01_00;
export const MAX_PREFIX_LENGTH = 31;
const LENGTH = /(?=[\u0100-\u011f])/;
export const NUMBERS_PER_ROW = 4;
/** The lower bits of a row's last number refer to another word, usually itself or a near one. */
export const WORD_BITS = 20;
const WORD_MASK = 2 ** WORD_BITS - 1;
const SUFFIX_SHIFT = 13;

/** Converts the reference in a row's last number from absolute to relative; `toAbsolute` is the inverse. */
export const toRelative = (last: number, index: number) => ((last & ~WORD_MASK) | ((last - index) & WORD_MASK)) >>> 0;
const toAbsolute = (last: number, index: number) => ((last & ~WORD_MASK) | ((last + index) & WORD_MASK)) >>> 0;

/** Derives the first number of a row from its word. */
export function createFirstNumber({ prefix, suffix }: TaggerModel["features"]): (word: string) => number {
  const [prefixes, suffixes] = [prefix, suffix].map(({ list }) => new Map(list.map((text, index) => [text, index])));
  return (word) =>
    ((prefixes?.get(word.slice(0, 2)) ?? 0) | ((suffixes?.get(word.slice(-3)) ?? 0) << SUFFIX_SHIFT)) >>> 0;
}

function unfoldWords(folded: string): string[] {
  let previous = "";
  return folded.split(LENGTH).map((written) => {
    previous = previous.slice(0, written.charCodeAt(0) - PREFIX_LENGTH_BASE) + written.slice(1);
    return previous;
  });
}

const CHUNK_SIZE = 30_000;

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += CHUNK_SIZE)
    text += String.fromCharCode(...bytes.subarray(from, from + CHUNK_SIZE));
  return btoa(text);
}

/** Restores the complete model. */
export function unfoldModel<M extends TaggerModel>(rest: M, { words, rows, odd }: FoldedModel): M {
  const list = unfoldWords(words);
  const bytes = atob(rows);
  const numbers = new DataView(new ArrayBuffer(list.length * NUMBERS_PER_ROW * 4));
  const byteAt = (column: number, row: number) => bytes.charCodeAt(column * list.length + row);
  const first = createFirstNumber(rest.features);
  const firsts = new Map(odd);
  for (const [row, word] of list.entries()) {
    const numberAt = (index: number) =>
      [0, 1, 2, 3].reduce((sum, byte) => sum + byteAt(index * 4 + byte, row) * 2 ** (8 * byte), 0);
    const offset = row * NUMBERS_PER_ROW * 4;
    numbers.setUint32(offset, firsts.get(row) ?? first(word), true);
    numbers.setUint32(offset + 4, numberAt(0), true);
    numbers.setUint32(offset + 8, numberAt(1), true);
    numbers.setUint32(offset + 12, toAbsolute(numberAt(2), row), true);
  }
  const lexeme = { ...rest.features.lexeme, list };
  return { ...rest, lexicon: base64Of(new Uint8Array(numbers.buffer)), features: { ...rest.features, lexeme } };
}
