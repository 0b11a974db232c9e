import { formatNumber, t } from "#shared/messages/translate.ts";
import { KATEX_LIMITS, MAX_FORMULA_CHARS } from "./formula-limits.ts";
import "./maths.css";

const loadKatex = async () => {
  const [{ default: katex }] = await Promise.all([import("katex"), import("katex/dist/katex.min.css")]);
  return katex;
};

const messageOf = (error: unknown): string => {
  // The stack ends at some thousand levels of nesting.
  if (error instanceof RangeError) return t("pages.equation_deep");
  return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, "") : String(error);
};

/**
 * Renders a formula into an element with KaTeX, which is loaded with the first formula. On errors it shows the
 * formula's source. Returns KaTeX's error message, null without an error, or undefined if `isActive` is false.
 */
export async function renderFormula(
  element: HTMLElement,
  latex: string,
  options: { display: boolean; isActive: () => boolean },
): Promise<string | null | undefined> {
  if (latex.length > MAX_FORMULA_CHARS) {
    element.textContent = latex;
    return t("pages.equation_long", { max: formatNumber(MAX_FORMULA_CHARS) });
  }
  const katex = await loadKatex();
  if (!options.isActive()) return undefined;
  try {
    katex.render(latex, element, { displayMode: options.display, throwOnError: true, ...KATEX_LIMITS });
    return null;
  } catch (error) {
    element.textContent = latex;
    return messageOf(error);
  }
}
