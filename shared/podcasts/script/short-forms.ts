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

const WORD = String.raw`\p{L}[\p{L}’'-]*`;

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

/** Whether a sentence spells a short form out: "dense passage retriever (DPR)", "DPR (dense passage retriever)". */
function spellsOut(sentence: string, form: string): boolean {
  const before = new RegExp(String.raw`((?:${WORD}[ -]){1,${form.length + 2}})[(“"]${form}s?[)”"]`, "u").exec(
    sentence,
  )?.[1];
  const after = new RegExp(String.raw`${form}s? \(((?:${WORD}[ -]?){2,${form.length + 2}})\)`, "u").exec(sentence)?.[1];
  // The name may begin at any of the words before the bracket.
  const words = before?.trim().split(/[ -]/u) ?? [];
  return words.some((_, at) => spells(words.slice(at).join(" "), form)) || (after !== undefined && spells(after, form));
}

/** Whether texts spell a short form out anywhere. */
function spelledIn(texts: readonly string[]): (form: string) => boolean {
  const spelled = new Map<string, boolean>();
  return (form) => {
    const isSpelled = spelled.get(form) ?? texts.some((text) => text.includes(form) && spellsOut(text, form));
    spelled.set(form, isSpelled);
    return isSpelled;
  };
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
  const isSpelled = spelledIn(texts);
  const uses = new Map<string, number>();
  for (const { sentence } of candidates)
    for (const form of shortFormsOf(sentence)) uses.set(form, (uses.get(form) ?? 0) + 1);
  const known = new Set<string>();
  return candidates.map((candidate) => {
    const forms = shortFormsOf(candidate.sentence).filter((form) => !known.has(form) && isSpelled(form));
    const introduced = forms.filter((form) => spellsOut(candidate.sentence, form));
    const isUnknown = introduced.length < forms.length;
    // A sentence with another unknown short form is no good place to learn one.
    if (isUnknown) return { ...candidate, score: candidate.score + UNKNOWN_SCORE };
    for (const form of introduced) known.add(form);
    const isUseful = introduced.some((form) => (uses.get(form) ?? 0) > 1);
    return isUseful ? { ...candidate, score: candidate.score + INTRODUCES_SCORE } : candidate;
  });
}
