import { closeHistory, undo } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { EditorState, type Transaction } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import { blockOf, isBareLine } from "./changes.ts";
import { findBlock, findChangedChunks, listBlocks, listBlocksBetween, removeBlock } from "./chunks.ts";
import { patchBlock } from "./remote.ts";
import { REMOTE } from "./structure.ts";

/** A block and the id of its predecessor; null at the start of the page. */
interface Stand {
  block: Block;
  behind: string | null;
}

/** One block's change in an action, stored by id, so that it can be applied to a reloaded document. */
export interface UndoStep {
  id: string;
  before: Stand | null;
  after: Stand | null;
  /** The block changed its order among the others. */
  moved?: true;
}

const idOf = (node: PmNode) => String(node.attrs["id"]);

interface Held {
  node: PmNode;
  behind: string | null;
}

/** The blocks of the changed chunks with their predecessors. */
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

/** The longest common subsequence of two orders; all other ids have moved. */
function listUnmoved(old: readonly string[], fresh: readonly string[]): Set<string> {
  const places = new Map(fresh.map((id, i) => [id, i]));
  const order = old.map((id) => places.get(id) ?? 0);
  /** The last index of the best increasing run of each length. */
  const ends: number[] = [];
  const ahead: (number | undefined)[] = [];
  for (const [i, place] of order.entries()) {
    const at = ends.findIndex((end) => (order[end] ?? 0) >= place);
    const length = at === -1 ? ends.length : at;
    ahead[i] = ends[length - 1];
    ends[length] = i;
  }
  const unmoved = new Set<string>();
  for (let i = ends.at(-1); i !== undefined; i = ahead[i]) unmoved.add(old[i] ?? "");
  return unmoved;
}

/** The steps of one action. A block has not moved if only its neighbour was added or removed. */
export function stepsBetween(before: PmNode, after: PmNode): UndoStep[] {
  const range = findChangedChunks(before, after);
  const [old, fresh] = [standsOf(before, range), standsOf(after, range)];
  const commonOld = [...old.keys()].filter((id) => fresh.has(id));
  const commonNew = [...fresh.keys()].filter((id) => old.has(id));
  const isMoved = commonOld.some((id, i) => id !== commonNew[i]);
  const unmoved = isMoved ? listUnmoved(commonOld, commonNew) : new Set(commonOld);
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((id): UndoStep[] => {
    const [was, is] = [old.get(id), fresh.get(id)];
    const stands = { id, before: asStand(was), after: asStand(is) };
    if (!was || !is) return [stands];
    if (!unmoved.has(id)) return [{ ...stands, moved: true }];
    return was.node.eq(is.node) ? [] : [stands];
  });
}

type Side = "before" | "after";

const placesOf = (doc: PmNode) => new Map(listBlocks(doc).map(({ node }) => [idOf(node), node]));

/** Whether the document matches one side of the action, so that it can be undone or redone. */
function fits(doc: PmNode, steps: readonly UndoStep[], side: Side): boolean {
  const held = placesOf(doc);
  return steps.every((step) => {
    const [stand, node] = [step[side], held.get(step.id)];
    if (!stand || !node) return !stand && !node;
    const target = doc.type.schema.nodeFromJSON(toBlockNode(stand.block));
    return target.isTextblock ? node.eq(target) : node.type === target.type;
  });
}

const holding = (stand: Stand | null, node: PmNode) => stand && { ...stand, block: blockOf(node) };

/** Component blocks have an undo of their own, so an action uses their current content. */
function asItIs(doc: PmNode, steps: readonly UndoStep[]): UndoStep[] {
  const held = placesOf(doc);
  return steps.map((step) => {
    const node = held.get(step.id);
    if (!node || node.isTextblock) return step;
    return { ...step, before: holding(step.before, node), after: holding(step.after, node) };
  });
}

/** Groups consecutive blocks, which are inserted in one step. */
function listRuns(stands: readonly Stand[]): Stand[][] {
  const followers = new Map(stands.map((stand) => [stand.behind, stand]));
  const coming = new Set(stands.map(({ block }) => block._id));
  const runs: Stand[][] = [];
  for (const first of stands) {
    if (first.behind !== null && coming.has(first.behind)) continue;
    const run: Stand[] = [];
    for (let at: Stand | undefined = first; at && !run.includes(at); at = followers.get(at.block._id)) run.push(at);
    runs.push(run);
  }
  return runs;
}

function putIn(tr: Transaction, run: readonly Stand[]): void {
  const behind = run[0]?.behind ?? null;
  const placed = behind === null ? undefined : findBlock(tr.doc, behind);
  const last = listBlocks(tr.doc).at(-1);
  const end = last ? last.pos + last.node.nodeSize : 1;
  const pos = behind === null ? 1 : placed ? placed.pos + placed.node.nodeSize : end;
  const { schema } = tr.doc.type;
  tr.insert(
    pos,
    run.map(({ block }) => schema.nodeFromJSON(toBlockNode(block))),
  );
}

/** Applies one side of an action; undefined if the document does not match the other side. */
export function applySteps(state: EditorState, actions: readonly UndoStep[], to: Side): Transaction | undefined {
  const from: Side = to === "after" ? "before" : "after";
  if (!fits(state.doc, actions, from)) return undefined;
  const steps = asItIs(state.doc, actions);
  const tr = state.tr.setMeta(
    REMOTE,
    steps.map(({ id }) => id),
  );
  const placedOf = (step: UndoStep) => (step[from] ? findBlock(tr.doc, step.id) : undefined);
  for (const step of steps) {
    const [next, placed] = [step[to], placedOf(step)];
    if (placed && step.moved) removeBlock(tr, placed.pos);
    else if (placed && next) patchBlock(tr, placed, state.schema.nodeFromJSON(toBlockNode(next.block)));
  }
  const coming = steps.flatMap((step) => (step[to] && (step.moved || !step[from]) ? [step[to]] : []));
  for (const run of listRuns(coming)) putIn(tr, run);
  // Removed last, so that the page is never empty: an empty page would get a new line.
  for (const step of steps) {
    const placed = step[to] ? undefined : placedOf(step);
    if (placed) removeBlock(tr, placed.pos);
  }
  return tr;
}

export interface UndoStacks {
  /** Oldest first. */
  undo: readonly UndoStep[][];
  /** Next to redo first. */
  redo: readonly UndoStep[][];
}

const isAlike = (a: PmNode, b: PmNode) => {
  const [left, right] = [listBlocks(a), listBlocks(b)];
  return left.length === right.length && left.every(({ node }, i) => right[i] !== undefined && node.eq(right[i].node));
};

/** Adds or renames the trailing empty line, so that stored actions can refer to it. */
export function withLastLine(state: EditorState, id: string | undefined, stored: ReadonlySet<string>): EditorState {
  if (id === undefined || findBlock(state.doc, id)) return state;
  const tr = state.tr.setMeta(REMOTE, [id]).setMeta("addToHistory", false);
  const last = listBlocks(state.doc).at(-1);
  const line = state.schema.nodes["text_block"]?.create({ id });
  if (!last || !line) return state;
  if (isBareLine(last.node) && !stored.has(idOf(last.node))) tr.setNodeAttribute(last.pos, "id", id);
  else tr.insert(last.pos + last.node.nodeSize, line);
  return state.apply(tr);
}

/** Undoes an action if redoing it leads back to the same page. */
function takenBack(state: EditorState, steps: readonly UndoStep[]): EditorState | undefined {
  const tr = applySteps(state, steps, "before");
  const back = tr && state.apply(tr);
  const again = back && applySteps(back, steps, "after");
  return again && isAlike(again.doc, state.doc) ? back : undefined;
}

/**
 * Rebuilds the history of a document: the stored actions are undone on a copy and replayed under the editor's own
 * history plugin. An action that no longer fits, and all before it, is dropped.
 */
export function withStacks(state: EditorState, stacks: UndoStacks): EditorState | undefined {
  let copy = EditorState.create({ doc: state.doc });
  const usable: UndoStep[][] = [];
  for (const steps of stacks.undo.toReversed()) {
    const current = asItIs(copy.doc, steps);
    const back = takenBack(copy, current);
    if (!back) break;
    copy = back;
    usable.unshift(current);
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
