/** "DPR", "TCRs", "mRNA", "RuBP", "3-PGA": letters that somebody has to spell out once. */
const FORM = String.raw`(?:\p{N}-)?\p{Ll}?\p{Lu}[\p{L}\p{N}]{1,6}`;
const SHORT_FORM = new RegExp(String.raw`(?<![\p{L}\p{N}-])${FORM}(?![\p{L}\p{N}])`, "gu");
/** Everybody has heard of them. */
const COMMON = new Set(
  "DNA RNA USA US UK EU UN NASA NATO HIV AIDS PDF TV CD DVD GPS AM PM BC AD BCE CE IQ GDP CEO FBI CIA OK II III IV VI VII VIII IX XI XII PC IT ID ATM NBA NFL TB UV".split(
    " ",
  ),
);

const singular = (form: string) => form.replace(/s$/u, "");

/** A name such as "Maya" has one capital, and no figure. */
const isShortForm = (form: string) => (form.match(/[\p{Lu}\p{N}]/gu)?.length ?? 0) > 1 && !COMMON.has(form);

const shortFormsOf = (text: string): string[] =>
  (text.match(SHORT_FORM) ?? []).map(singular).filter((form) => isShortForm(form));

/** Whether words begin with the letters, in their order: "Dense Passage Retriever" for DPR, "major histocompatibility complex". */
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
/** A name has at most this many words more than its short form has letters: "University of the Arts of …". */
const MORE_WORDS = 2;

const nameWords = (text: string) => text.split(/[ -]/u).filter((word) => word !== "");

/** The short forms that a text spells out. */
function spelledIn(text: string): Set<string> {
  const spelled = new Set<string>();
  for (const { 1: bracketed = "", index } of text.matchAll(BRACKETED)) {
    const form = singular(bracketed);
    const before = text.slice(Math.max(0, index - MAX_NAME_CHARS), index);
    const words = nameWords(/[\p{L}\p{N}’' -]*$/u.exec(before)?.[0] ?? "").slice(-form.length - MORE_WORDS);
    // The name may begin at any of the words before the bracket.
    if (words.some((_, at) => spells(words.slice(at).join(" "), form))) spelled.add(form);
  }
  for (const { 1: explained = "", 2: name = "" } of text.matchAll(EXPLAINED)) {
    const form = singular(explained);
    const count = nameWords(name).length;
    if (count > 1 && count <= form.length + MORE_WORDS && spells(name, form)) spelled.add(form);
  }
  return spelled;
}

/** Whether a sentence spells out a short form that one of the others has. */
export function isSpelledOutFor(sentence: string, others: readonly string[]): boolean {
  const forms = spelledIn(sentence);
  return forms.size > 0 && others.some((other) => shortFormsOf(other).some((form) => forms.has(form)));
}

/** The short forms of sentences that can be spoken, and what a listener must hear before them. */
export class ShortForms {
  readonly #spelled: ReadonlySet<string>;

  constructor(sentences: readonly string[]) {
    this.#spelled = new Set(sentences.flatMap((sentence) => [...spelledIn(sentence)]));
  }

  /** Adds what a sentence spells out to what was heard. */
  hear(sentence: string, introduced: Set<string>): void {
    for (const form of spelledIn(sentence)) introduced.add(form);
  }

  /**
   * Whether a sentence has a short form that another sentence spells out, but neither this one nor one that was heard.
   * What no sentence can spell out is spoken as it is.
   */
  hasUnknown(sentence: string, introduced: ReadonlySet<string>): boolean {
    const here = spelledIn(sentence);
    return shortFormsOf(sentence).some((form) => this.#spelled.has(form) && !introduced.has(form) && !here.has(form));
  }
}
