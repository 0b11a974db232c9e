/** A text normalised for comparison, with a mapping back to the source. */
export interface Folded {
  /** Lower case, no white space, no diacritics; ligatures and presentation forms are expanded. */
  text: string;
  /** For each unit of `text`, the source index where its character starts. */
  from: Uint32Array;
  /** For each unit of `text`, the source index where its character ends. */
  to: Uint32Array;
  /** 1 at the start of a word. */
  starts: Uint8Array;
}

const DASH = /[-\u00AD\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/u;
/** Characters inside words that do not separate them. */
const WORD_JOINER = /^(?:['\u2019\u02BC\u0640\u200B-\u200D\uFEFF\u00AD]|[-\u2010\u2011]\s*)*$/u;
const DIGIT = /\p{Nd}/u;
const WORD = /[\p{L}\p{N}\p{M}]/u;
/** Symbols change the meaning: "< 5" is not "> 5". Quotation marks do not. */
const SYMBOL = /[\p{Sm}\p{Sc}\p{So}%‰]/u;
/** Accents, and the Arabic tatweel. */
const ACCENT = /[\u0300-\u036F\u0640]/u;
/** Scripts without spaces between words. Each character counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const isPlain = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
const isCapital = (code: number) => code >= 65 && code <= 90;

class TextFolder {
  readonly #source: string;
  #text = "";
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #starts: number[] = [];
  /** End of the last character added. */
  #end = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Folded {
    const source = this.#source;
    for (let at = 0; at < source.length;) {
      const code = source.codePointAt(at) ?? 0;
      const end = at + (code > 0xffff ? 2 : 1);
      if (isPlain(code)) this.#append(source.charAt(at), at, end);
      else if (isCapital(code)) this.#append(String.fromCharCode(code + 32), at, end);
      else if (code > 32) this.#appendFolded(source.slice(at, end), at, end);
      at = end;
    }
    const { length } = this.#text;
    return {
      text: this.#text,
      from: Uint32Array.from(this.#from),
      to: Uint32Array.from(this.#to),
      starts: Uint8Array.from({ length }, (_, i) => this.#starts[i] ?? 0),
    };
  }

  #appendFolded(character: string, at: number, end: number): void {
    if (this.#isSign(character, at, end)) return this.#append("-", at, end);
    if (this.#isSeparator(character, at, end)) return this.#append(".", at, end);
    for (const part of character.normalize("NFKD").toLowerCase())
      if ((WORD.test(part) && !ACCENT.test(part)) || (SYMBOL.test(part) && !DASH.test(part)))
        this.#append(part, at, end);
    return undefined;
  }

  /** A minus before a number, or the dash of a range. No other dash changes the meaning. */
  #isSign(character: string, at: number, end: number): boolean {
    if (!DASH.test(character) || !DIGIT.test(this.#source.charAt(end))) return false;
    return !/\p{L}/u.test(this.#source.charAt(at - 1));
  }

  /** The decimal point in 3.5; the comma in 1,000 is dropped like any other. */
  #isSeparator(character: string, at: number, end: number): boolean {
    if (character !== "." && character !== ",") return false;
    if (!DIGIT.test(this.#source.charAt(at - 1)) || !DIGIT.test(this.#source.charAt(end))) return false;
    return character === "." || !/^\d{3}(?!\d)/u.test(this.#source.slice(end, end + 4));
  }

  #append(part: string, at: number, end: number): void {
    const isFirst = this.#end === 0 && this.#text === "";
    const between = this.#source.slice(this.#end, at);
    const begins = isFirst || UNSPACED.test(part) || !(at <= this.#end || WORD_JOINER.test(between));
    for (let unit = 0; unit < part.length; unit += 1) {
      this.#from.push(at);
      this.#to.push(end);
      this.#starts.push(begins && unit === 0 ? 1 : 0);
    }
    this.#text += part;
    this.#end = end;
  }
}

/** Normalises a text for comparison; linear in its length. */
export function foldForMatching(source: string): Folded {
  return new TextFolder(source).run();
}

export interface Word {
  text: string;
  /** Half-open, in units of the folded text. */
  start: number;
  end: number;
}

/** The words of a range of a folded text; words cut by the range are omitted. */
export function wordsIn({ text, starts }: Folded, start = 0, end = text.length): Word[] {
  const words: Word[] = [];
  let wordStart = -1;
  for (let at = start; at <= end; at += 1) {
    const isEdge = at === text.length || starts[at] === 1;
    if (!isEdge) continue;
    if (wordStart >= 0) words.push({ text: text.slice(wordStart, at), start: wordStart, end: at });
    wordStart = at;
  }
  return words;
}
