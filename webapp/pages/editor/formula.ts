import { Node } from "@tiptap/core";
import { Fragment, Slice, type Mark as PmMark, type Node as PmNode, type Schema } from "@tiptap/pm/model";
import { isFormulaSource, splitFormulas } from "#shared/text/formulas.ts";
import { renderFormula } from "#shared/ui/content/katex.ts";

const latexOf = (node: PmNode) => String(node.attrs["latex"]);

/** The stored text of a leaf node: a formula between dollar signs, or a line break for any other leaf. */
export const leafText = (node: PmNode): string => (node.type.name === "formula" ? `$${latexOf(node)}$` : "\n");

/** Renders a formula. The element shows the LaTeX source until KaTeX is loaded. */
function createFormulaView(node: PmNode) {
  const dom = document.createElement("span");
  dom.className = "page-formula maths";
  dom.dir = "ltr";
  dom.contentEditable = "false";
  dom.dataset["latex"] = latexOf(node);
  const inner = document.createElement("span");
  inner.textContent = latexOf(node);
  dom.append(inner);
  let isActive = true;
  renderFormula(inner, latexOf(node), { display: false, isActive: () => isActive })
    .then((error) => dom.classList.toggle("page-formula-broken", typeof error === "string"))
    .catch(() => undefined);
  return {
    dom,
    ignoreMutation: () => true,
    destroy: () => {
      isActive = false;
    },
  };
}

/**
 * A formula within a line, stored as `$latex$` in its run. Not selectable by itself, because the editor treats every
 * selected node as a whole block.
 */
export const Formula = Node.create({
  name: "formula",
  group: "inline",
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({ latex: { default: "", rendered: false } }),
  parseHTML: () => [
    {
      tag: "span[data-latex]",
      getAttrs: (dom) => {
        const latex = dom.dataset["latex"] ?? "";
        return isFormulaSource(latex) ? { latex } : false;
      },
    },
  ],
  renderHTML: ({ node }) => ["span", { "data-latex": latexOf(node) }, leafText(node)],
  // One character, as long as the node, because input rules count positions in this text.
  renderText: () => "\uFFFC",
  extendNodeSchema: ({ name }) => (name === "formula" ? { leafText } : {}),
  addNodeView:
    () =>
    ({ node }) =>
      createFormulaView(node),
});

export const createFormula = (schema: Schema, latex: string, marks: readonly PmMark[] = []): PmNode =>
  schema.node("formula", { latex }, undefined, marks);

function replaceInFragment(schema: Schema, fragment: Fragment): Fragment {
  const nodes: PmNode[] = [];
  fragment.forEach((node) => {
    if (!node.isText) return void nodes.push(node.copy(replaceInFragment(schema, node.content)));
    const pieces = node.marks.some(({ type }) => type.name === "inline_code") ? [] : splitFormulas(node.text ?? "");
    if (!pieces.some(({ isFormula }) => isFormula)) return void nodes.push(node);
    for (const { text, isFormula } of pieces)
      nodes.push(isFormula ? createFormula(schema, text, node.marks) : schema.text(text, node.marks));
    return undefined;
  });
  return Fragment.fromArray(nodes);
}

/** Turns `$…$` in pasted text into formulas. */
export const withFormulas = (schema: Schema, { content, openStart, openEnd }: Slice): Slice =>
  new Slice(replaceInFragment(schema, content), openStart, openEnd);
