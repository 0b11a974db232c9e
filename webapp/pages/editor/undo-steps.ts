import { closeHistory, undo } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { EditorState, type Transaction } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import { blockOf } from "./changes.ts";
import { findBlock, findChangedChunks, listBlocks, listBlocksBetween, removeBlock } from "./chunks.ts";
import { patchBlock } from "./remote.ts";
import { REMOTE } from "./structure.ts";

/** A block and the one it stands behind; null at the start of the page. */
interface Stand {
  block: Block;
  behind: string | null;
}

/** One action of a page's history, by components: it can be kept, and taken up by a document that was opened anew. */
export interface UndoStep {
  id: string;
  before: Stand | null;
  after: Stand | null;
}

const idOf = (node: PmNode) => String(node.attrs["id"]);

interface Held {
  node: PmNode;
  behind: string | null;
}

/** The blocks of the chunks that differ, each with the one before it. */
function standsOf(doc: PmNode, range: { from: number; tail: number }): Map<string, Held> {
  const blocks = listBlocksBetween(doc, range.from, range.tail);
  const ahead = range.from > 0 ? doc.child(range.from - 1).lastChild : null;
  let behind = ahead ? idOf(ahead) : null;
  const stands = new Map<string, Held>();
  for (const { node } of blocks) {
    stands.set(idOf(node), { node, behind });
    behind = idOf(node);
  }
  return stands;
}

const asStand = (held: Held | undefined): Stand | null =>
  held ? { block: blockOf(held.node), behind: held.behind } : null;

/** What one action did. A block whose neighbour alone came or went did not move. */
export function stepsBetween(before: PmNode, after: PmNode): UndoStep[] {
  const range = findChangedChunks(before, after);
  const [old, fresh] = [standsOf(before, range), standsOf(after, range)];
  const commonOld = [...old.keys()].filter((id) => fresh.has(id));
  const commonNew = [...fresh.keys()].filter((id) => old.has(id));
  const isMoved = commonOld.some((id, i) => id !== commonNew[i]);
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((id): UndoStep[] => {
    const [was, is] = [old.get(id), fresh.get(id)];
    if (was && is && !isMoved) {
      if (was.node.eq(is.node)) return [];
      return [{ id, before: asStand({ ...was, behind: is.behind }), after: asStand(is) }];
    }
    return [{ id, before: asStand(was), after: asStand(is) }];
  });
}

type Side = "before" | "after";

/** Whether the document holds what the action left, so that it can be taken back or done again. */
function fits(doc: PmNode, steps: readonly UndoStep[], side: Side): boolean {
  const held = new Map(listBlocks(doc).map(({ node }) => [idOf(node), node]));
  return steps.every((step) => {
    const [stand, node] = [step[side], held.get(step.id)];
    if (!stand || !node) return !stand && !node;
    return node.eq(doc.type.schema.nodeFromJSON(toBlockNode(stand.block)));
  });
}

function putIn(tr: Transaction, { block, behind }: Stand): void {
  const placed = behind === null ? undefined : findBlock(tr.doc, behind);
  const last = listBlocks(tr.doc).at(-1);
  const end = last ? last.pos + last.node.nodeSize : 1;
  const pos = behind === null ? 1 : placed ? placed.pos + placed.node.nodeSize : end;
  tr.insert(pos, tr.doc.type.schema.nodeFromJSON(toBlockNode(block)));
}

/** Brings the document from one side of an action to the other; nothing where it is not what the action left. */
export function applySteps(state: EditorState, steps: readonly UndoStep[], to: Side): Transaction | undefined {
  const from: Side = to === "after" ? "before" : "after";
  if (!fits(state.doc, steps, from)) return undefined;
  const tr = state.tr.setMeta(
    REMOTE,
    steps.map(({ id }) => id),
  );
  const inPlace = (step: UndoStep) => step.before && step.after && step.before.behind === step.after.behind;
  for (const step of steps) {
    const placed = step[from] && findBlock(tr.doc, step.id);
    if (!placed) continue;
    const next = step[to];
    if (inPlace(step) && next) patchBlock(tr, placed, state.schema.nodeFromJSON(toBlockNode(next.block)));
    else removeBlock(tr, placed.pos);
  }
  for (const step of steps) {
    const next = step[to];
    if (next && !inPlace(step)) putIn(tr, next);
  }
  return tr;
}

export interface UndoStacks {
  /** The oldest first. */
  undo: readonly UndoStep[][];
  /** The next to be done again first. */
  redo: readonly UndoStep[][];
}

const isAlike = (a: PmNode, b: PmNode) => {
  const [left, right] = [listBlocks(a), listBlocks(b)];
  return left.length === right.length && left.every(({ node }, i) => right[i] !== undefined && node.eq(right[i].node));
};

/**
 * A state that shows the same document and remembers the actions: they are taken back on a copy, and done again under
 * the editor's own history. What no longer fits the document, and all before it, is forgotten.
 */
export function withStacks(state: EditorState, stacks: UndoStacks): EditorState | undefined {
  let copy = EditorState.create({ doc: state.doc });
  const usable: UndoStep[][] = [];
  for (const steps of stacks.undo.toReversed()) {
    const tr = applySteps(copy, steps, "before");
    if (!tr) break;
    copy = copy.apply(tr);
    usable.unshift(steps);
  }
  let next = EditorState.create({ doc: copy.doc, plugins: [...state.plugins] });
  const replay = (steps: UndoStep[]) => {
    const tr = applySteps(next, steps, "after");
    if (tr) next = next.apply(closeHistory(tr));
    return tr !== undefined;
  };
  if (!usable.every(replay) || !isAlike(next.doc, state.doc)) return undefined;
  const done = stacks.redo.findIndex((steps) => !replay(steps));
  const redone = done === -1 ? stacks.redo.length : done;
  for (let i = 0; i < redone; i += 1) undo(next, (tr) => (next = next.apply(tr)));
  return isAlike(next.doc, state.doc) ? next : undefined;
}
