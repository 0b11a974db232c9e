import type { Passage } from "#shared/pdf/schema.ts";
import { NewWords } from "./new-words.ts";

/** "DPR", "TCRs", "mRNA", "RuBP", "3-PGA": abbreviations that a source has to spell out. */
const FORM = String.raw`(?:\p{N}-)?\p{Ll}?\p{Lu}[\p{L}\p{N}]{1,6}`;
const SHORT_FORM = new RegExp(String.raw`(?<![\p{L}\p{N}-])${FORM}(?![\p{L}\p{N}])`, "gu");
/**
 * With the article before it, because the spoken words may need another one: "an RNN", but "a recurrent neural
 * network".
 */
const WITH_ARTICLE = new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:([Aa]n?) )?(${FORM})(?![\p{L}\p{N}])`, "gu");
/** Abbreviations that everybody knows. */
const COMMON = new Set(
  "DNA RNA USA US UK EU UN NASA NATO HIV AIDS PDF TV CD DVD GPS AM PM BC AD BCE CE IQ GDP CEO FBI CIA OK II III IV VI VII VIII IX XI XII PC IT ID ATM NBA NFL TB UV".split(
    " ",
  ),
);

const singular = (form: string) => form.replace(/s$/u, "");

/** An abbreviation has several capitals or digits; a name such as "Maya" has one capital. */
const isShortForm = (form: string) => (form.match(/[\p{Lu}\p{N}]/gu)?.length ?? 0) > 1 && !COMMON.has(form);

const shortFormsOf = (text: string): string[] =>
  (text.match(SHORT_FORM) ?? []).map(singular).filter((form) => isShortForm(form));

/**
 * Whether words begin with the letters of a short form, in order: "Dense Passage Retriever" for DPR, "major
 * histocompatibility complex".
 */
function spells(words: string, form: string): boolean {
  const letters = words.toLowerCase();
  let at = 0;
  for (const letter of form.toLowerCase().replaceAll("-", "")) {
    const found = letters.indexOf(letter, at);
    if (found === -1) return false;
    at = found + 1;
  }
  return letters.startsWith(form.charAt(0).toLowerCase());
}

/** "Dense passage retriever (DPR)". */
const BRACKETED = new RegExp(String.raw`[(“"](${FORM})[)”"]`, "gu");
/** "DPR (dense passage retriever)". */
const EXPLAINED = new RegExp(String.raw`(?<![\p{L}\p{N}-])(${FORM}) \(([\p{L}’' -]{3,120})\)`, "gu");
const MAX_NAME_CHARS = 120;
/** The maximum number of words of a name beyond the letters of its short form: "University of the Arts of …". */
const MORE_WORDS = 2;

const nameWords = (text: string) => text.split(/[ -]/u).filter((word) => word !== "");

/** The short forms that a text spells out, with their words. */
function spelledIn(text: string): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const { 1: bracketed = "", index } of text.matchAll(BRACKETED)) {
    const form = singular(bracketed);
    const before = text.slice(Math.max(0, index - MAX_NAME_CHARS), index);
    const words = nameWords(/[\p{L}\p{N}’' -]*$/u.exec(before)?.[0] ?? "").slice(-form.length - MORE_WORDS);
    // The name may begin at any word before the bracket; the shortest match is the likeliest.
    const name = words.map((_, at) => words.slice(at).join(" ")).findLast((one) => spells(one, form));
    if (name !== undefined) spelled.set(form, name);
  }
  for (const { 1: explained = "", 2: name = "" } of text.matchAll(EXPLAINED)) {
    const form = singular(explained);
    const count = nameWords(name).length;
    if (count > 1 && count <= form.length + MORE_WORDS && spells(name, form)) spelled.set(form, name);
  }
  return spelled;
}

const WORD_START = String.raw`(?<![\p{L}\p{N}’'-])`;
const SURNAME = String.raw`\p{Lu}\p{Ll}{2,}(?:-\p{Lu}\p{Ll}+)?(?![\p{L}-])`;
/** "Karl Lashley", "Karl S. Lashley", "K. S. Lashley". */
const FULL_NAME = new RegExp(String.raw`${WORD_START}(\p{Lu}(?:\.|\p{Ll}+))\s(?:\p{Lu}\.\s)*(${SURNAME})`, "gu");
/** "Great Britain", "New York", "Soviet Union", "European Union": places and institutions. */
const PLACE_OR_INSTITUTION =
  /^(?:New|Old|Great|North|South|East|West|Central|Upper|Lower|United|Soviet|Nazi|San|Santa|Los|Las|Saint|St|Mount|Lake|Fort|Port|Cape|Gulf|River|University|Republic|Kingdom|Bank|\p{Lu}\p{Ll}+(?:ern|ish|ian|ean|ese|can))\.?$/u;
/** Words after a name that show a person: "Lashley trained", "Lashley did not find", "Lashley’s research". */
const VERB_OF_PERSON = String.raw`(?:[’']s\s\p{Ll}|\s(?:\p{Ll}+ly\s|also\s|then\s|first\s)?(?:was|had|has|did|does|found|finds|showed|shows|thought|wrote|writes|said|says|saw|began|gave|made|chose|held|led|taught|believes|argues|claims|notes|\p{Ll}{2,}ed)\b)`;
const SURNAME_ALONE = new RegExp(String.raw`${WORD_START}(${SURNAME})(?=${VERB_OF_PERSON})`, "gu");
/** "the Calvin cycle", "the Supreme Court": not a person. */
const AFTER_ARTICLE = /\b(?:the|an?)\s$/iu;
const WORD_BEFORE = /(\p{Lu}(?:\.|\p{Ll}+\.?))\s$/u;

/** Whether a sentence contains the full name of a person whom another sentence calls by the surname. */
function isNamedFor(sentence: string, others: readonly string[]): boolean {
  const named = new Set([...sentence.matchAll(FULL_NAME)].map(({ 2: surname = "" }) => surname));
  return (
    named.size > 0 &&
    others.some((other) => [...other.matchAll(SURNAME_ALONE)].some(({ 1: one = "" }) => named.has(one)))
  );
}

/** Persons whom a source names in full and elsewhere by the surname alone. */
class Surnames {
  readonly #common: ReadonlySet<string>;
  #surnames: ReadonlySet<string>;

  constructor(text: string, sentences: readonly string[]) {
    // A word that also occurs in lower case is not a name.
    this.#common = new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu));
    this.#surnames = new Set(this.#listFullNames(text));
    this.#surnames = new Set(sentences.flatMap((sentence) => this.listAlone(sentence)));
  }

  /** The surnames that follow a given name or a title in a sentence. */
  listNamed(sentence: string): string[] {
    return this.#listFullNames(sentence).filter((surname) => this.#surnames.has(surname));
  }

  /** The surnames that occur in a sentence without a given name or title. */
  listAlone(sentence: string): string[] {
    return [...sentence.matchAll(SURNAME_ALONE)].flatMap(({ 1: surname = "", index }) => {
      const before = sentence.slice(0, index);
      const given = WORD_BEFORE.exec(before)?.[1];
      const isFull = given !== undefined && this.#isName(given);
      return !this.#surnames.has(surname) || isFull || AFTER_ARTICLE.test(before) ? [] : [surname];
    });
  }

  #listFullNames(text: string): string[] {
    return [...text.matchAll(FULL_NAME)].flatMap(({ 1: given = "", 2: surname = "" }) =>
      this.#isName(given) && this.#isName(surname) && !PLACE_OR_INSTITUTION.test(given) ? [surname] : [],
    );
  }

  #isName(word: string): boolean {
    const isInitial = /^\p{Lu}\.$/u.test(word);
    return isInitial || !this.#common.has(word.toLowerCase().replace(".", ""));
  }
}

/**
 * Whether a sentence spells out a short form, or contains the full name of a person, that one of the other sentences
 * uses in short.
 */
export function isSpelledOutFor(sentence: string, others: readonly string[]): boolean {
  if (isNamedFor(sentence, others)) return true;
  const forms = spelledIn(sentence);
  return forms.size > 0 && others.some((other) => shortFormsOf(other).some((form) => forms.has(form)));
}

export const spellsOutShortForm = (sentence: string): boolean => spelledIn(sentence).size > 0;

/** Words that a listener takes a name for, behind it: "the BERT model". */
const KINDS = "models?|methods?|systems?|algorithms?|scores?|protocols?|formats?|languages?|tests?|scales?|benchmarks?";
const NAMED_BEFORE = String.raw`(?:called|named|known as|with the name|such as|like|including)\s(?:[^.;]{0,40}\s)?`;
const EXPLAINED_AFTER = String.raw`(?:,? (?:is|are|was|were|means|which|an?)\s|,? the\s|\s(?:\p{Ll}+\s)?(?:${KINDS})(?!\p{L}))`;

/** "A model called BERT", "BERT is a model", "methods such as TF-IDF or BM25", "the BERT model", "the tower (OPQ)". */
const explainsForm = (form: string, sentence: string): boolean =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}-])(?:${NAMED_BEFORE}${form}(?![\p{L}\p{N}])|${form}${EXPLAINED_AFTER}|\p{Ll}{3,} \(${form}\))`,
    "u",
  ).test(sentence);

/** Tracks which short forms, terms and surnames the listener already knows. */
export class ShortForms {
  readonly #spelled: ReadonlySet<string>;
  /** The full names of short forms that are spelled out only in sentences that cannot be spoken. */
  readonly #fullNames: ReadonlyMap<string, string>;
  readonly #surnames: Surnames;
  /** The sentence in which the source first names what it never spells out: "ORQA". */
  readonly #firstNamed = new Map<string, string>();
  /** The short forms of which a sentence says what they are. */
  readonly #explained = new Set<string>();
  readonly #newWords: NewWords;

  /** `text` is the text of the whole source, including what cannot be spoken. */
  constructor(sentences: readonly string[], text: string, newWords = new NewWords([], "", [])) {
    this.#newWords = newWords;
    this.#spelled = new Set(sentences.flatMap((sentence) => [...spelledIn(sentence).keys()]));
    this.#fullNames = new Map([...spelledIn(text)].filter(([form]) => !this.#spelled.has(form)));
    this.#surnames = new Surnames(text, sentences);
    for (const sentence of sentences)
      for (const form of shortFormsOf(sentence))
        if (!this.#spelled.has(form) && !this.#fullNames.has(form) && this.#isBetterNaming(form, sentence))
          this.#firstNamed.set(form, sentence);
  }

  /**
   * The first sentence that says what a short form is names it best, otherwise the first one that contains it. Marks the
   * form as explained.
   */
  #isBetterNaming(form: string, sentence: string): boolean {
    if (this.#explained.has(form)) return false;
    if (explainsForm(form, sentence)) this.#explained.add(form);
    return this.#explained.has(form) || !this.#firstNamed.has(form);
  }

  /** The short forms that the source never explains. They are spoken only if nothing else fills an episode. */
  listUnexplained(): string[] {
    return [...this.#firstNamed.keys()].filter((form) => !this.#explained.has(form));
  }

  /** Marks the short forms that a sentence spells out, and the persons it names, as known. */
  introduce(sentence: string, introduced: Set<string>): void {
    for (const form of [...spelledIn(sentence).keys(), ...this.#surnames.listNamed(sentence)]) introduced.add(form);
    for (const form of shortFormsOf(sentence)) if (this.#isExplainedBy(form, sentence)) introduced.add(form);
    for (const word of this.#newWords.listIntroduced(sentence)) introduced.add(word);
  }

  #isExplainedBy(form: string, sentence: string): boolean {
    return this.#explained.has(form) && this.#firstNamed.get(form) === sentence;
  }

  /** The spoken sentence, with the full words of short forms that no spoken sentence can introduce. */
  spellOut(sentence: string): string {
    if (this.#fullNames.size === 0) return sentence;
    return sentence.replace(WITH_ARTICLE, (whole, article: string | undefined, form: string) => {
      const name = this.#fullNames.get(singular(form));
      if (name === undefined) return whole;
      const words = form.endsWith("s") && !name.endsWith("s") ? `${name}s` : name;
      return article === undefined ? words : `${article.charAt(0)}${/^[aeiou]/iu.test(words) ? "n" : ""} ${words}`;
    });
  }

  /**
   * Whether a sentence contains a short form that is not known yet and that another sentence spells out, or a surname
   * before the full name. Short forms that no sentence can spell out are spoken in full, or unchanged after a sentence
   * that says what they are.
   */
  hasUnknown(sentence: string, introduced: ReadonlySet<string>): boolean {
    if (this.#surnames.listAlone(sentence).some((surname) => !introduced.has(surname))) return true;
    if (this.#newWords.listNeeded(sentence).some((word) => !introduced.has(word))) return true;
    const here = spelledIn(sentence);
    const isUnknown = (form: string) =>
      this.#spelled.has(form) ? !here.has(form) : this.#firstNamed.has(form) && !this.#isExplainedBy(form, sentence);
    return shortFormsOf(sentence).some((form) => !introduced.has(form) && isUnknown(form));
  }
}

const joinTexts = (passages: readonly Passage[]) => passages.map(({ text }) => text).join("\n");

/** The short forms of sources, and the terms that they introduce; `sentences` are those that can be spoken. */
export function readShortForms(sentences: readonly string[], passages: readonly Passage[]): ShortForms {
  const prose = passages.filter(({ kind }) => kind !== "heading");
  const terms = prose.flatMap(({ text, bold }) => bold.map(([start, end]) => text.slice(start, end)));
  return new ShortForms(sentences, joinTexts(passages), new NewWords(sentences, joinTexts(prose), terms));
}
