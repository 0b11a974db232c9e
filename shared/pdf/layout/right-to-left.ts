/** Shapes of Arabic and Hebrew letters by their position in a word; some fonts have only these. */
const PRESENTATION_FORMS = /[\uFB1D-\uFDFF\uFE70-\uFEFE]/gu;

/** The base letters of a form. `trim` is needed because a form of a vowel sign alone is normalised with a space. */
const toBaseLetters = (form: string) => form.normalize("NFKC").trim();

/** "اإل" for "الإ": the two letters of a ligature, reversed with the line. This order does not occur in Arabic. */
const REVERSED_LAM_ALEF = /\u0627([\u0622\u0623\u0625])\u0644/gu;

/** A full stop at the left edge of a line, which was extracted as the beginning of the line instead of its end. */
const MISPLACED_END = /^([.:،؛؟!])(?=[\p{Script=Arabic}\p{Script=Hebrew}])(.*[\p{L}\p{M}\p{N})])(\s*)$/su;

/** The text of a right-to-left run as base letters in logical order. */
export const toLogicalText = (text: string): string =>
  text
    .replaceAll(PRESENTATION_FORMS, toBaseLetters)
    .replaceAll(REVERSED_LAM_ALEF, "\u0627\u0644$1")
    .replace(MISPLACED_END, "$2$1$3");
