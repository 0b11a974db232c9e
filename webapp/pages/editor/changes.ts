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
  const stored = listBlocks(doc).map(({ node }) => node);
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

/** Compares nodes by identity, so an unchanged block costs one lookup, whatever its size. */
export function deriveChanges(doc: PmNode, baseline: Baseline): { changes: Changes; next: Baseline } {
  const stored = listStored(doc, baseline.nodes);
  const nodes = new Map(stored.map((node) => [getBlockId(node), node]));
  const order = [...nodes.keys()];
  const created: Changes["created"] = [];
  const updated: Block[] = [];
  let index = 0;
  for (const [id, node] of nodes) {
    const before = baseline.nodes.get(id);
    if (!before) created.push({ block: toStoredBlock(node), index });
    else if (before !== node && !before.eq(node)) updated.push(toStoredBlock(node));
    index += 1;
  }
  const deleted = baseline.order.filter((id) => !nodes.has(id));
  const createdIds = new Set(created.map(({ block }) => block._id));
  const remainingIds = baseline.order.filter((id) => nodes.has(id)).values();
  // Simulates inserting each new block at its index, one after the other.
  const resultingOrder = order.map((id) => (createdIds.has(id) ? id : remainingIds.next().value));
  const changes = { created, updated, deleted, order: isSame(resultingOrder, order) ? null : order };
  return { changes, next: { order, nodes } };
}

export const isUnchanged = ({ created, updated, deleted, order }: Changes) =>
  created.length + updated.length + deleted.length === 0 && order === null;
