import { isGeneralWord, TermIndex } from "./terms.ts";
import type { PhraseFacts } from "./phrase-facts.ts";
import type { Token } from "#shared/text/tokens.ts";
import { phraseKey, singular } from "#shared/text/words.ts";

/** What was learnt from the whole source: its terms, and which words are names. */
export interface Lexicon {
  terms: TermIndex;
  /** Words that occur in lower case within sentences, and words that occur there capitalised. */
  lower: Set<string>;
  upper: Set<string>;
  /** How often each label and each labelled text occurs, because repeated ones are column headings. */
  labels: Map<string, number>;
  /** Abbreviations that the source spells out. */
  spelled: Map<string, string>;
  /** The share of its sentences with signs of code or formulas. */
  codeShare: number;
  /** Whether the source is a manual, a paper or notes, with much code or many formulas. */
  isTechnical: boolean;
  /** The arguments in the signatures of functions. */
  parameters: ReadonlySet<string>;
  /** How the source uses its phrases; undefined if the lexicon was made without an index. */
  phrases?: { factsOf: (phrase: string) => PhraseFacts };
}

export function createLexicon(): Lexicon {
  return {
    terms: new TermIndex(),
    lower: new Set(),
    upper: new Set(),
    labels: new Map(),
    spelled: new Map(),
    codeShare: 0,
    isTechnical: false,
    parameters: new Set(),
  };
}

export function learnWords(lexicon: Lexicon, tokens: readonly Token[]): void {
  if (tokens.length === 0) return;
  lexicon.terms.addSentence(tokens);
  for (const token of tokens.slice(1)) {
    if (token.text === token.lower) lexicon.lower.add(token.lower);
    else lexicon.upper.add(token.lower);
  }
}

export function learnLabel({ labels }: Lexicon, ...phrases: string[]): void {
  for (const key of phrases.map(phraseKey)) labels.set(key, (labels.get(key) ?? 0) + 1);
}

/** "Minor: …" before many bullet points explains nothing. */
export const isRecurringLabel = ({ labels }: Lexicon, label: string) => (labels.get(phraseKey(label)) ?? 0) > 2;

/** Records what abbreviations stand for, so that an abbreviation and its long form count as one term. */
export function learnShortForms(lexicon: Lexicon, forms: readonly { short: string; long: string }[]): void {
  for (const { short, long } of forms) {
    if (lexicon.spelled.has(short)) continue;
    lexicon.spelled.set(short, long);
    lexicon.terms.alias(short, long);
  }
}

/** "PRRs" becomes "pattern recognition receptors (PRRs)", because the student may not know the abbreviation. */
export function expandShortForms(text: string, { spelled }: Lexicon): string {
  const [, article = "", name = text] = /^((?:the|an?) )?(.+)$/i.exec(text) ?? [];
  const single = name.replace(/s$/, "");
  const long = spelled.get(name) ?? spelled.get(single) ?? spelled.get(`${name}s`);
  if (long === undefined) return text;
  const isSame = spelled.has(name);
  const base = long.replace(/^\p{Lu}(?=\p{Ll})/u, (c) => c.toLowerCase());
  const fit = isSame ? base : name === single ? base.replace(/s$/, "") : `${base.replace(/s$/, "")}s`;
  return `${article}${fit} (${name})`;
}

/** Whether a word occurs within sentences only with a capital. */
const isProper = (word: string, { upper, lower }: Lexicon) => upper.has(word) && !lower.has(word);

/** "Staphylococcus aureus": a first word that looks Latin and never occurs in lower case. */
const isLatin = (word: string, text: string, { lower }: Lexicon) =>
  /(?:us|um|ia|ella|cter|myces)$/.test(word) && /^\p{Lu}\p{Ll}+ \p{Ll}+/u.test(text) && !lower.has(word);

/** "Marie Curie": two capitalised words in a row are a name; "Moran's index". */
function isPersonWord(text: string, low: string, lexicon: Lexicon): boolean {
  const bare = low.replace(/['’]s$/, "");
  const isName = /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}|['’]s )/u.test(text) && !lexicon.lower.has(bare);
  return isName || isProper(bare, lexicon);
}

/** The phrase as within a sentence: only names and abbreviations keep a capital. */
export function lowerFirst(text: string, lexicon: Lexicon): string {
  const word = /^[\p{L}\p{N}'’-]+/u.exec(text)?.[0] ?? "";
  const low = word.toLowerCase();
  // "mRNA", "T cells", "P680".
  const isMixed = word.slice(1) !== low.slice(1) || (word.length < 2 && low !== "a") || /^\p{Lu}\d/u.test(word);
  if (isMixed || isPersonWord(text, low, lexicon) || isLatin(low, text, lexicon)) return text;
  return low + text.slice(word.length);
}

/** A sentence opens with a capital, but "mRNA", "pH" and "sqlite3" keep their own form. */
export function upperFirst(text: string): string {
  return /^\p{Ll}+(?:\p{Lu}|\d)/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

const ANAPHOR =
  /^(?:it|its|they|them|their|this|these|those|such|he|she|his|her|another|other|others|same|that|former|latter|itself|themselves|here|there|both|one|ones|aforementioned|resulting|remaining|respective|first|second|third|fourth|fifth|next|last|final|previous|similar|different|new|additional|particular|certain|various|above|below|following)$/;

/** Words within the phrase that refer to another sentence. */
const refersBack = (words: readonly Token[]) =>
  words.some((t, i) => ANAPHOR.test(t.lower) && !(t.lower === "both" && i === 0) && !(t.lower === "that" && i > 0));

const isContentWord = (t: Token) =>
  t.pos !== "DET" && t.pos !== "ADP" && t.lower !== "both" && !isGeneralWord(singular(t.lower));

const joined = (words: readonly Token[]) => words.map((t) => t.text).join(" ");

/** "the nucleus", "the wall of the cell": a known term or a complement justifies the article. */
function isDefiniteNamed(words: readonly Token[], contentWords: readonly Token[], lexicon: Lexicon): boolean {
  const phrase = words.slice(1);
  const tail = words.findIndex((t, i) => i > 1 && t.pos === "ADP");
  if (contentWords.length > 2 || (tail !== -1 && contentWords.some((t) => words.indexOf(t) > tail))) return true;
  if (phrase.some((t) => t.pos === "PROPN" && t.text !== t.lower)) return true;
  // "the cells", "the enzymes": which ones?
  if (phrase.length === 1 && /[^sui]s$/.test(phrase[0]?.lower ?? "")) return false;
  const term = lexicon.terms.get(joined(phrase));
  return term !== undefined && (term.isMarked || phrase.length > 1 || term.count > 5);
}

/** "the piston", "the fuel rod": a noun with "the" and without words that refer to another sentence. */
const isKnownThing = ([the, ...named]: readonly Token[]) =>
  the?.lower === "the" &&
  named.some(isContentWord) &&
  !refersBack(named) &&
  named.every((t) => /^(?:NOUN|ADJ|PROPN)$/.test(t.pos));

const LOCATION_OPENING = /^(?:in|within|inside|during|at|on)$/;

/** "In a steam engine, the piston moves": the piston belongs to the opening. */
export function isIdentifiedByOpening(
  { lead, subject }: { lead: readonly Token[]; subject: readonly Token[] },
  lexicon: Lexicon,
): boolean {
  const [opens, article] = lead;
  if (!isKnownThing(subject) || !LOCATION_OPENING.test(opens?.lower ?? "") || refersBack(lead)) return false;
  const words = lead.slice(1).filter((t) => t.pos !== "DET");
  const isKind = /^an?$/.test(article?.lower ?? "") && words.filter(isContentWord).length > 1;
  return isKind || lexicon.terms.get(joined(words))?.isMarked === true;
}

/** Whether the phrase is clear without the previous sentence. */
export function isNamed(tokens: readonly Token[], lexicon: Lexicon): boolean {
  const words = tokens.filter((t) => t.pos !== "PUNCT");
  const contentWords = words.filter(isContentWord);
  const first = words[0]?.lower ?? "";
  if (words.length === 0 || refersBack(words)) return false;
  if (first === "the") return isDefiniteNamed(words, contentWords, lexicon);
  if (lexicon.terms.get(joined(words.filter((t) => t.pos !== "DET")))?.isMarked) return true;
  return contentWords.length > (first === "each" ? 1 : 0);
}
