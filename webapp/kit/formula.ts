import { renderToString } from "katex";

/** A formula as markup. What is wrong in it is shown as it was written; no command in it loads or links anything. */
export function renderFormula(tex: string, isBlock: boolean): string {
  return renderToString(tex, {
    displayMode: isBlock,
    throwOnError: false,
    trust: false,
    strict: false,
    maxSize: 20,
    maxExpand: 200,
    output: "mathml",
  });
}
