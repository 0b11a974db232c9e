import "./maths.css";

const loadKatex = async () => {
  const [{ default: katex }] = await Promise.all([import("katex"), import("katex/dist/katex.min.css")]);
  return katex;
};

/** Limits a formula's expansion: a few letters could otherwise need gigabytes of memory. */
const LIMITS = { maxExpand: 1000, maxSize: 40, trust: false, strict: "ignore" } as const;

/**
 * Renders a formula into an element with KaTeX, which is loaded with the first one. Shows its source on errors, and
 * returns KaTeX's message, or null.
 */
export async function renderFormula(
  element: HTMLElement,
  latex: string,
  options: { display: boolean; isActive: () => boolean },
): Promise<string | null | undefined> {
  const katex = await loadKatex();
  if (!options.isActive()) return undefined;
  try {
    katex.render(latex, element, { displayMode: options.display, throwOnError: true, ...LIMITS });
    return null;
  } catch (error) {
    element.textContent = latex;
    return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, "") : String(error);
  }
}
