/** "DPR", "MHC", "TCRs": letters that somebody has to spell out once. */
const SHORT_FORM = /(?<![\p{L}\p{N}-])(\p{Lu}{2,6})s?(?![\p{L}\p{N}])/gu;
/** Everybody has heard of them. */
const COMMON = new Set(
  "DNA RNA USA US UK EU UN NASA NATO HIV AIDS PDF TV CD DVD GPS AM PM BC AD BCE CE IQ GDP CEO FBI CIA OK II III IV VI VII VIII IX XI XII PC IT ID ATM NBA NFL TB UV".split(
    " ",
  ),
);

const shortFormsOf = (text: string): string[] => [
  ...new Set([...text.matchAll(SHORT_FORM)].flatMap(([, form = ""]) => (COMMON.has(form) ? [] : [form]))),
];

/** Whether words begin with the letters, in their order: "Dense Passage Retriever" for DPR, "major histocompatibility complex". */
function spells(words: string, form: string): boolean {
  const letters = words.toLowerCase();
  let at = 0;
  for (const letter of form.toLowerCase()) {
    const found = letters.indexOf(letter, at);
    if (found === -1) return false;
    at = found + 1;
  }
  return letters.startsWith(form.charAt(0).toLowerCase());
}

/** "Dense passage retriever (DPR)". */
const BRACKETED = /[(“"](\p{Lu}{2,6})s?[)”"]/gu;
/** "DPR (dense passage retriever)". */
const EXPLAINED = /(?<![\p{L}\p{N}-])(\p{Lu}{2,6})s? \(([\p{L}’' -]{3,120})\)/gu;
const MAX_NAME_CHARS = 120;
/** A name has at most this many words more than its short form has letters: "University of the Arts of …". */
const MORE_WORDS = 2;

const nameWords = (text: string) => text.split(/[ -]/u).filter((word) => word !== "");

/** The short forms that a text spells out. */
function spelledIn(text: string): Set<string> {
  const spelled = new Set<string>();
  for (const { 1: form = "", index } of text.matchAll(BRACKETED)) {
    const before = text.slice(Math.max(0, index - MAX_NAME_CHARS), index);
    const words = nameWords(/[\p{L}’' -]*$/u.exec(before)?.[0] ?? "").slice(-form.length - MORE_WORDS);
    // The name may begin at any of the words before the bracket.
    if (words.some((_, at) => spells(words.slice(at).join(" "), form))) spelled.add(form);
  }
  for (const { 1: form = "", 2: name = "" } of text.matchAll(EXPLAINED)) {
    const count = nameWords(name).length;
    if (count > 1 && count <= form.length + MORE_WORDS && spells(name, form)) spelled.add(form);
  }
  return spelled;
}

interface Sayable {
  sentence: string;
  score: number;
}

const INTRODUCES_SCORE = 1.5;
const UNKNOWN_SCORE = -3;

/**
 * The sentences in reading order with scores by what a listener knows: the first that spells out a short form which
 * others use is worth more; one with a short form that the source spells out, but no sentence before it, comes last. What
 * a source spells out nowhere, its listeners know.
 */
export function scoreShortForms<T extends Sayable>(candidates: readonly T[], texts: readonly string[]): T[] {
  const spelled = new Set(texts.flatMap((text) => [...spelledIn(text)]));
  const uses = new Map<string, number>();
  for (const { sentence } of candidates)
    for (const form of shortFormsOf(sentence)) uses.set(form, (uses.get(form) ?? 0) + 1);
  const known = new Set<string>();
  return candidates.map((candidate) => {
    const forms = shortFormsOf(candidate.sentence).filter((form) => !known.has(form) && spelled.has(form));
    const here = spelledIn(candidate.sentence);
    const introduced = forms.filter((form) => here.has(form));
    const isUnknown = introduced.length < forms.length;
    // A sentence with another unknown short form is no good place to learn one.
    if (isUnknown) return { ...candidate, score: candidate.score + UNKNOWN_SCORE };
    for (const form of introduced) known.add(form);
    const isUseful = introduced.some((form) => (uses.get(form) ?? 0) > 1);
    return isUseful ? { ...candidate, score: candidate.score + INTRODUCES_SCORE } : candidate;
  });
}
