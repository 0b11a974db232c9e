import type { Node as PmNode } from "@tiptap/pm/model";
import { fromBlockNode, toDoc, type Block, type BlockNode, type PageDocument } from "#shared/pages/document.ts";
import { listBlocks } from "./chunks.ts";

/** The blocks already queued, by node identity, so that checking for changes is one comparison. */
export interface Baseline {
  order: string[];
  nodes: Map<string, PmNode>;
}

export interface Changes {
  created: { block: Block; index: number }[];
  updated: Block[];
  deleted: string[];
  /** All ids in order; null if creating and deleting alone produces this order. */
  order: string[] | null;
}

const getBlockId = (node: PmNode) => String(node.attrs["id"]);

export function toStoredBlock(node: PmNode): Block {
  const block = fromBlockNode(node.toJSON() as BlockNode);
  if (!block) throw new Error("A block has no id");
  return block;
}

export const isBareLine = (node: PmNode) =>
  node.type.name === "text_block" && node.content.size === 0 && node.attrs["subType"] === "normal";

/** The trailing empty line is stored only once it has content. */
function listStored(doc: PmNode, nodes: Baseline["nodes"]): PmNode[] {
  const stored = doc.children.flatMap((chunk) => chunk.children);
  const last = stored.at(-1);
  if (last && isBareLine(last) && !nodes.has(getBlockId(last))) stored.pop();
  return stored;
}

/** The trailing line gets its id before it is edited, because a new id during typing would disturb an input method. */
export function createPageDocument(blocks: readonly Block[], newId: () => string): PageDocument {
  const doc = toDoc(blocks);
  for (const chunk of doc.content) for (const block of chunk.content) block.attrs.id ??= newId();
  return doc;
}

/** Baseline of a document just opened; blocks not in `ids` count as new. */
export function createBaseline(doc: PmNode, ids: ReadonlySet<string>): Baseline {
  const nodes = listBlocks(doc)
    .map(({ node }) => node)
    .filter((node) => ids.has(getBlockId(node)));
  return { order: nodes.map(getBlockId), nodes: new Map(nodes.map((node) => [getBlockId(node), node])) };
}

const isSame = (a: readonly (string | undefined)[], b: readonly string[]) =>
  a.length === b.length && a.every((id, i) => id === b[i]);

/** How many blocks at the start, and behind them at the end, are those of the baseline, unchanged and in place. */
function countSettled(stored: readonly PmNode[], { order, nodes }: Baseline): { atStart: number; atEnd: number } {
  const isSettled = (node: PmNode | undefined, id: string | undefined) =>
    node !== undefined && id !== undefined && getBlockId(node) === id && nodes.get(id) === node;
  const minCount = Math.min(stored.length, order.length);
  let atStart = 0;
  while (atStart < minCount && isSettled(stored[atStart], order[atStart])) atStart += 1;
  let atEnd = 0;
  while (atEnd < minCount - atStart && isSettled(stored.at(-1 - atEnd), order.at(-1 - atEnd))) atEnd += 1;
  return { atStart, atEnd };
}

/** Compares nodes by identity, and only those between the unchanged start and end of a page, since it runs after each key. */
export function deriveChanges(doc: PmNode, baseline: Baseline): Changes {
  const stored = listStored(doc, baseline.nodes);
  const { atStart, atEnd } = countSettled(stored, baseline);
  const nodes = new Map(stored.slice(atStart, stored.length - atEnd).map((node) => [getBlockId(node), node]));
  const orderBefore = baseline.order.slice(atStart, baseline.order.length - atEnd);
  const order = [...nodes.keys()];
  const created: Changes["created"] = [];
  const updated: Block[] = [];
  let index = atStart;
  for (const [id, node] of nodes) {
    const before = baseline.nodes.get(id);
    if (!before) created.push({ block: toStoredBlock(node), index });
    else if (before !== node && !before.eq(node)) updated.push(toStoredBlock(node));
    index += 1;
  }
  const deleted = orderBefore.filter((id) => !nodes.has(id));
  const createdIds = new Set(created.map(({ block }) => block._id));
  const remainingIds = orderBefore.filter((id) => nodes.has(id)).values();
  // Simulates inserting each new block at its index, one after the other.
  const resultingOrder = order.map((id) => (createdIds.has(id) ? id : remainingIds.next().value));
  return { created, updated, deleted, order: isSame(resultingOrder, order) ? null : stored.map(getBlockId) };
}

/** The baseline once all blocks of a document are queued. */
export function advanceBaseline(doc: PmNode, { nodes }: Baseline): Baseline {
  const stored = new Map(listStored(doc, nodes).map((node) => [getBlockId(node), node]));
  return { order: [...stored.keys()], nodes: stored };
}

export const isUnchanged = ({ created, updated, deleted, order }: Changes) =>
  created.length + updated.length + deleted.length === 0 && order === null;
