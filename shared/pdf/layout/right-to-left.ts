/** Shapes of Arabic and Hebrew letters by their position in a word; some fonts have only these. */
const PRESENTATION_FORMS = /[\uFB1D-\uFDFF\uFE70-\uFEFE]/gu;

/** The base letters: a form that shows a mark alone has a space before it. */
const toBaseLetters = (form: string) => form.normalize("NFKC").trim();

/** "اإل" for "الإ": the two letters of a ligature, reversed with the line. This order does not occur in Arabic. */
const REVERSED_LAM_ALEF = /\u0627([\u0622\u0623\u0625])\u0644/gu;

/** The end of a sentence, at the left edge of its line, read as its beginning. */
const MISPLACED_END = /^([.:،؛؟!])(?=[\p{Script=Arabic}\p{Script=Hebrew}])(.*[\p{L}\p{M}\p{N})])(\s*)$/su;

/** The text of a right-to-left run as it is written: base letters in logical order. */
export const toLogicalText = (text: string): string =>
  text
    .replaceAll(PRESENTATION_FORMS, toBaseLetters)
    .replaceAll(REVERSED_LAM_ALEF, "\u0627\u0644$1")
    .replace(MISPLACED_END, "$2$1$3");
