import { closeHistory, undo } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { EditorState, type Transaction } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import { toStoredBlock, isBareLine } from "./changes.ts";
import { findBlock, findChangedChunks, listBlocks, listBlocksBetween, removeBlock } from "./chunks.ts";
import { patchBlock } from "./apply-remote.ts";
import { REMOTE } from "./structure.ts";

/** A block and the id of its predecessor; null at the start of the page. */
interface BlockPosition {
  block: Block;
  behind: string | null;
}

/** One block's change in an action, stored by id, so that it can be applied to a reloaded document. */
export interface UndoStep {
  id: string;
  before: BlockPosition | null;
  after: BlockPosition | null;
  /** The block changed its order among the others. */
  moved?: true;
}

const idOf = (node: PmNode) => String(node.attrs["id"]);

interface PlacedNode {
  node: PmNode;
  behind: string | null;
}

/** The blocks of the changed chunks with their predecessors. */
function listPlacedNodes(doc: PmNode, range: { from: number; tail: number }): Map<string, PlacedNode> {
  const blocks = listBlocksBetween(doc, range.from, range.tail);
  const previous = range.from > 0 ? doc.child(range.from - 1).lastChild : null;
  let behind = previous ? idOf(previous) : null;
  const positions = new Map<string, PlacedNode>();
  for (const { node } of blocks) {
    positions.set(idOf(node), { node, behind });
    behind = idOf(node);
  }
  return positions;
}

const toBlockPosition = (existing: PlacedNode | undefined): BlockPosition | null =>
  existing ? { block: toStoredBlock(existing.node), behind: existing.behind } : null;

/** The longest common subsequence of two orders; all other ids have moved. */
function listUnmoved(old: readonly string[], updated: readonly string[]): Set<string> {
  const indexById = new Map(updated.map((id, i) => [id, i]));
  const order = old.map((id) => indexById.get(id) ?? 0);
  /** The last index of the best increasing run of each length. */
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [i, orderIndex] of order.entries()) {
    const current = tails.findIndex((end) => (order[end] ?? 0) >= orderIndex);
    const length = current === -1 ? tails.length : current;
    previous[i] = tails[length - 1];
    tails[length] = i;
  }
  const unmoved = new Set<string>();
  for (let i = tails.at(-1); i !== undefined; i = previous[i]) unmoved.add(old[i] ?? "");
  return unmoved;
}

/** The steps of one action. A block has not moved if only its neighbour was added or removed. */
export function stepsBetween(before: PmNode, after: PmNode): UndoStep[] {
  const range = findChangedChunks(before, after);
  const [old, updated] = [listPlacedNodes(before, range), listPlacedNodes(after, range)];
  const commonOld = [...old.keys()].filter((id) => updated.has(id));
  const commonNew = [...updated.keys()].filter((id) => old.has(id));
  const isMoved = commonOld.some((id, i) => id !== commonNew[i]);
  const unmoved = isMoved ? listUnmoved(commonOld, commonNew) : new Set(commonOld);
  return [...new Set([...old.keys(), ...updated.keys()])].flatMap((id): UndoStep[] => {
    const [was, is] = [old.get(id), updated.get(id)];
    const positions = { id, before: toBlockPosition(was), after: toBlockPosition(is) };
    if (!was || !is) return [positions];
    if (!unmoved.has(id)) return [{ ...positions, moved: true }];
    return was.node.eq(is.node) ? [] : [positions];
  });
}

type Side = "before" | "after";

const mapNodesById = (doc: PmNode) => new Map(listBlocks(doc).map(({ node }) => [idOf(node), node]));

/** Whether the document matches one side of the action, so that it can be undone or redone. */
function fits(doc: PmNode, steps: readonly UndoStep[], side: Side): boolean {
  const existing = mapNodesById(doc);
  return steps.every((step) => {
    const [position, node] = [step[side], existing.get(step.id)];
    if (!position || !node) return !position && !node;
    const target = doc.type.schema.nodeFromJSON(toBlockNode(position.block));
    return target.isTextblock ? node.eq(target) : node.type === target.type;
  });
}

const withNode = (position: BlockPosition | null, node: PmNode) =>
  position && { ...position, block: toStoredBlock(node) };

/** Component blocks have an undo of their own, so an action uses their current content. */
function withCurrentContent(doc: PmNode, steps: readonly UndoStep[]): UndoStep[] {
  const existing = mapNodesById(doc);
  return steps.map((step) => {
    const node = existing.get(step.id);
    if (!node || node.isTextblock) return step;
    return { ...step, before: withNode(step.before, node), after: withNode(step.after, node) };
  });
}

/** Groups consecutive blocks, which are inserted in one step. */
function listRuns(positions: readonly BlockPosition[]): BlockPosition[][] {
  const followers = new Map(positions.map((position) => [position.behind, position]));
  const incoming = new Set(positions.map(({ block }) => block._id));
  const runs: BlockPosition[][] = [];
  for (const first of positions) {
    if (first.behind !== null && incoming.has(first.behind)) continue;
    const run: BlockPosition[] = [];
    for (
      let current: BlockPosition | undefined = first;
      current && !run.includes(current);
      current = followers.get(current.block._id)
    )
      run.push(current);
    runs.push(run);
  }
  return runs;
}

function insertRun(tr: Transaction, run: readonly BlockPosition[]): void {
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
  const steps = withCurrentContent(state.doc, actions);
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
  const incoming = steps.flatMap((step) => (step[to] && (step.moved || !step[from]) ? [step[to]] : []));
  for (const run of listRuns(incoming)) insertRun(tr, run);
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

const haveSameBlocks = (a: PmNode, b: PmNode) => {
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
function tryUndo(state: EditorState, steps: readonly UndoStep[]): EditorState | undefined {
  const tr = applySteps(state, steps, "before");
  const undoneState = tr && state.apply(tr);
  const redoneState = undoneState && applySteps(undoneState, steps, "after");
  return redoneState && haveSameBlocks(redoneState.doc, state.doc) ? undoneState : undefined;
}

/**
 * Rebuilds the history of a document: the stored actions are undone on a copy and replayed under the editor's own
 * history plugin. An action that no longer fits is dropped, and all earlier actions with it.
 */
export function withStacks(state: EditorState, stacks: UndoStacks): EditorState | undefined {
  let copy = EditorState.create({ doc: state.doc });
  const usable: UndoStep[][] = [];
  for (const steps of stacks.undo.toReversed()) {
    const current = withCurrentContent(copy.doc, steps);
    const undoneState = tryUndo(copy, current);
    if (!undoneState) break;
    copy = undoneState;
    usable.unshift(current);
  }
  let next = EditorState.create({ doc: copy.doc, plugins: [...state.plugins] });
  const replay = (steps: UndoStep[]) => {
    const tr = applySteps(next, steps, "after");
    if (tr) next = next.apply(closeHistory(tr));
    return tr !== undefined;
  };
  if (!usable.every(replay) || !haveSameBlocks(next.doc, state.doc)) return undefined;
  const failedAt = stacks.redo.findIndex((steps) => !replay(steps));
  const redoCount = failedAt === -1 ? stacks.redo.length : failedAt;
  for (let i = 0; i < redoCount; i += 1) undo(next, (tr) => (next = next.apply(tr)));
  return haveSameBlocks(next.doc, state.doc) ? next : undefined;
}
