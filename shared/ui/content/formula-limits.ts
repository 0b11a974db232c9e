import type katex from "katex";

/** Limits a formula's expansion: a few letters could otherwise need gigabytes of memory. */
export const KATEX_LIMITS = { maxExpand: 1000, maxSize: 40, trust: false, strict: "ignore" } as const;

/** The time for a formula grows faster than its length; real ones have some hundred characters. */
export const MAX_FORMULA_CHARS = 10_000;

/** A formula as MathML; undefined if it is too long or KaTeX rejects it. KaTeX escapes everything that it writes. */
export function toMathml(
  renderToString: typeof katex.renderToString,
  latex: string,
  displayMode: boolean,
): string | undefined {
  if (latex.length > MAX_FORMULA_CHARS) return undefined;
  try {
    return renderToString(latex, { displayMode, output: "mathml", throwOnError: true, ...KATEX_LIMITS });
  } catch {
    return undefined;
  }
}
