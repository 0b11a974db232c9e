export interface TextPiece {
  /** The text, or the source of a formula without its dollars. */
  text: string;
  isFormula: boolean;
}

/** `$x$` on one line, as in Pandoc: no space inside the dollars, no digit behind them. */
const FORMULA = /(?<![\\$])\$(?![\s$])([^$\n]{0,999}[^\s$\\])\$(?![$\d])/g;
/** An amount and a word, as in "$5 and 10$". */
const MONEY = /^\d[\d.,]*\s+\p{L}{2,}/u;

/** Whether a source that is put between dollars is read back as a formula. */
export const isFormulaSource = (latex: string): boolean =>
  /^(?!\s)[^$\n]{0,999}[^\s$\\]$/.test(latex) && !MONEY.test(latex);

const FORMULA_AT_START = new RegExp(FORMULA.source, "y");

/** The source of the formula at the start of a text; undefined if there is none. */
export function formulaAtStart(text: string): string | undefined {
  FORMULA_AT_START.lastIndex = 0;
  const latex = FORMULA_AT_START.exec(text)?.[1];
  return latex === undefined || MONEY.test(latex) ? undefined : latex;
}

/** Splits a text into formulas and what is between them. */
export function splitFormulas(text: string): TextPiece[] {
  if (!text.includes("$")) return text === "" ? [] : [{ text, isFormula: false }];
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(FORMULA)) {
    const [whole, latex = ""] = match;
    if (MONEY.test(latex)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), isFormula: false });
    pieces.push({ text: latex, isFormula: true });
    from = match.index + whole.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isFormula: false });
  return pieces;
}
