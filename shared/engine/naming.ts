import type { Token } from "#shared/engine/tokens.ts";
import { isGeneralWord, TermIndex } from "#shared/engine/terms.ts";
import { singular } from "#shared/engine/words.ts";

/** What reading the whole source taught: its terms, and which words are names. */
export interface Lexicon {
  terms: TermIndex;
  /** Words met in lower case within a sentence, and words met there with a capital. */
  lower: Set<string>;
  upper: Set<string>;
}

export function newLexicon(): Lexicon {
  return { terms: new TermIndex(), lower: new Set(), upper: new Set() };
}

export function learnWords(lexicon: Lexicon, tokens: readonly Token[]): void {
  if (tokens.length === 0) return;
  lexicon.terms.addSentence(tokens);
  for (const token of tokens.slice(1)) {
    if (token.text === token.lower) lexicon.lower.add(token.lower);
    else lexicon.upper.add(token.lower);
  }
}

/** The phrase as it reads within a sentence: a capital stays only on a name or a short form. */
export function lowerFirst(text: string, lexicon: Lexicon): string {
  const word = /^[\p{L}\p{N}'’-]+/u.exec(text)?.[0] ?? "";
  const low = word.toLowerCase();
  if (word.slice(1) !== low.slice(1) || word.length < 1) return text;
  const plain = low.replace(/['’]s$/, "");
  const isName =
    (lexicon.upper.has(low) || lexicon.upper.has(plain)) && !lexicon.lower.has(low) && !lexicon.lower.has(plain);
  return isName || (word.length === 1 && !/^a$/i.test(word)) ? text : low + text.slice(word.length);
}

/** A sentence opens with a capital, but "mRNA" and "pH" keep their own form. */
export function upperFirst(text: string): string {
  return /^\p{Ll}+\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

const ANAPHOR =
  /^(?:it|its|they|them|their|this|these|those|such|he|she|his|her|another|other|others|same|that|former|latter|itself|themselves|here|there|both|one|ones|aforementioned|resulting|remaining|respective|first|second|third|fourth|fifth|next|last|final|previous|similar|different|new|additional|particular|certain|various|above|below|following)$/;

/** Whether the phrase names its thing to someone who did not read the sentence before. */
export function isNamed(tokens: readonly Token[], lexicon: Lexicon): boolean {
  const words = tokens.filter((t) => t.pos !== "PUNCT");
  if (words.length === 0) return false;
  const isFree = (t: Token, i: number) => (t.lower === "both" && i === 0) || (t.lower === "that" && i > 0);
  if (words.some((t, i) => ANAPHOR.test(t.lower) && !isFree(t, i))) return false;
  const matter = words.filter(
    (t) => t.pos !== "DET" && t.pos !== "ADP" && t.lower !== "both" && !isGeneralWord(singular(t.lower)),
  );
  const whole = lexicon.terms.get(
    words
      .filter((t) => t.pos !== "DET")
      .map((t) => t.text)
      .join(" "),
  );
  if (whole?.isMarked) return true;
  if (matter.length === 0) return false;
  if (words[0]?.lower === "each" && matter.length < 2) return false;
  if (words[0]?.lower !== "the") return true;
  const phrase = words.slice(1).map((t) => t.text);
  const isNoun = lexicon.terms.get(phrase.join(" "));
  if (isNoun && (isNoun.isMarked || phrase.length > 1 || isNoun.count > 5)) return true;
  const tail = words.findIndex((t, i) => i > 1 && t.pos === "ADP");
  const hasTail = tail !== -1 && matter.some((t) => words.indexOf(t) > tail);
  return hasTail || words.slice(1).some((t) => t.pos === "PROPN" && t.text !== t.lower) || matter.length > 2;
}
