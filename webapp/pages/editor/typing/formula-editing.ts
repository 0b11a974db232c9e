import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { splitFormulas } from "#shared/text/formulas.ts";
import { createFormula } from "../formula.ts";

/** The source of a formula that is being edited, with its dollar signs. */
interface OpenSource {
  from: number;
  to: number;
}

const key = new PluginKey<OpenSource | null>("formula");
const CLOSE = "close";

const isInside = ({ selection }: EditorState, { from, to }: OpenSource) => selection.from >= from && selection.to <= to;

/** Replaces a formula with its source, with the caret at its start or end. */
function openSource(view: EditorView, pos: number, side: "start" | "end"): void {
  const { tr, schema, doc } = view.state;
  const node = doc.nodeAt(pos);
  if (node?.type.name !== "formula") return;
  const source = `$${String(node.attrs["latex"])}$`;
  tr.replaceWith(pos, pos + 1, schema.text(source, node.marks));
  const to = pos + source.length;
  tr.setSelection(TextSelection.create(tr.doc, side === "start" ? pos + 1 : to - 1));
  view.dispatch(tr.setMeta(key, { from: pos, to }));
  view.focus();
}

/** Starts an empty formula at the caret. */
export function startFormula(view: EditorView): void {
  const { tr } = view.state;
  const { from } = tr.selection;
  tr.insertText("$$");
  tr.setSelection(TextSelection.create(tr.doc, from + 1));
  view.dispatch(tr.setMeta(key, { from, to: from + 2 }).scrollIntoView());
}

/** Turns an open source back into its formula; an empty one is removed. */
function closeSource(state: EditorState, { from, to }: OpenSource): Transaction {
  const tr = state.tr.setMeta(key, CLOSE);
  const source = state.doc.textBetween(from, to);
  if (source === "$$") return tr.delete(from, to);
  const marks = state.doc.resolve(from + 1).marks();
  const nodes = splitFormulas(source).map(({ text, isFormula }) =>
    isFormula ? createFormula(state.schema, text, marks) : state.schema.text(text, marks),
  );
  return nodes.some(({ isText }) => !isText) ? tr.replaceWith(from, to, nodes) : tr;
}

function leaveSource(view: EditorView, { to }: OpenSource): true {
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(TextSelection.create(doc, to)).setMeta(key, CLOSE));
  return true;
}

type FormulaKey = (view: EditorView, pos: number) => void;
const removeAt: FormulaKey = (view, pos) => view.dispatch(view.state.tr.delete(pos, pos + 1).scrollIntoView());

/** Keys for a caret directly after or before a formula: an arrow opens it, Backspace and Delete remove it. */
const keysAfter: Readonly<Record<string, FormulaKey>> = {
  ArrowLeft: (view, pos) => openSource(view, pos, "end"),
  Backspace: removeAt,
};
const keysBefore: Readonly<Record<string, FormulaKey>> = {
  ArrowRight: (view, pos) => openSource(view, pos, "start"),
  Delete: removeAt,
};

function findKeyBeside({ state: { selection } }: EditorView, name: string): FormulaKey | undefined {
  const { nodeBefore, nodeAfter } = selection.$from;
  const [keyAfter, keyBefore] = [keysAfter[name], keysBefore[name]];
  if (keyAfter && nodeBefore?.type.name === "formula") return (view, pos) => keyAfter(view, pos - 1);
  return nodeAfter?.type.name === "formula" ? keyBefore : undefined;
}

/** Enter, Tab and Escape leave a source. */
function handleKey(view: EditorView, event: KeyboardEvent): boolean {
  const open = key.getState(view.state);
  if (open && ["Enter", "Tab", "Escape"].includes(event.key)) return leaveSource(view, open);
  const { selection } = view.state;
  const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey;
  if (!(selection instanceof TextSelection) || !selection.empty || hasModifier) return false;
  const act = findKeyBeside(view, event.key);
  act?.(view, selection.from);
  return act !== undefined;
}

function openOnMouseDown(view: EditorView, event: MouseEvent): boolean {
  const formula = event.target instanceof Element ? event.target.closest<HTMLElement>(".page-formula") : null;
  if (!formula || event.button !== 0) return false;
  event.preventDefault();
  openSource(view, view.posAtDOM(formula, 0), "end");
  return true;
}

/** Edits formulas in the text: the source is shown while the caret is inside it. */
export const createFormulaPlugin = () =>
  new Plugin<OpenSource | null>({
    key,
    state: {
      init: () => null,
      apply(tr, open) {
        const meta = tr.getMeta(key) as OpenSource | typeof CLOSE | undefined;
        if (meta !== undefined) return meta === CLOSE ? null : meta;
        if (!open || !tr.docChanged) return open;
        const [from, to] = [tr.mapping.map(open.from, -1), tr.mapping.map(open.to, 1)];
        return to > from ? { from, to } : null;
      },
    },
    appendTransaction(transactions, before, after) {
      const open = key.getState(after);
      const closed = transactions.some((tr) => tr.getMeta(key) === CLOSE) ? key.getState(before) : null;
      if (closed && !open) return closeSource(after, closed);
      return open && !isInside(after, open) ? closeSource(after, open) : null;
    },
    props: {
      handleKeyDown: handleKey,
      handleDOMEvents: {
        mousedown: openOnMouseDown,
        blur(view) {
          const open = key.getState(view.state);
          if (open) view.dispatch(view.state.tr.setMeta(key, CLOSE));
          return false;
        },
      },
      decorations(state) {
        const open = key.getState(state);
        return open
          ? DecorationSet.create(state.doc, [Decoration.inline(open.from, open.to, { class: "page-formula-source" })])
          : null;
      },
    },
  });
