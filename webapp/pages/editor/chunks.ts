import type { Node as PmNode, ResolvedPos } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { CHUNK_SIZE } from "#shared/pages/document.ts";

export interface PlacedBlock {
  node: PmNode;
  pos: number;
}

/** Larger chunks are split and those below `MIN_CHUNK` are merged. The wide band between avoids frequent changes. */
export const MAX_CHUNK = 40;
const MIN_CHUNK = 6;

export function listBlocks(doc: PmNode): PlacedBlock[] {
  const blocks: PlacedBlock[] = [];
  doc.forEach((chunk, chunkPos) => chunk.forEach((node, offset) => blocks.push({ node, pos: chunkPos + 1 + offset })));
  return blocks;
}

/** The range of chunks that differ: `from` counts from the start, `tail` from the end. */
export function findChangedChunks(before: PmNode, after: PmNode): { from: number; tail: number } {
  const minCount = Math.min(before.childCount, after.childCount);
  let from = 0;
  while (from < minCount && before.child(from) === after.child(from)) from += 1;
  let tail = 0;
  while (
    tail < minCount - from &&
    before.child(before.childCount - 1 - tail) === after.child(after.childCount - 1 - tail)
  )
    tail += 1;
  return { from, tail };
}

export function listBlocksBetween(doc: PmNode, from: number, tail: number): PlacedBlock[] {
  const blocks: PlacedBlock[] = [];
  doc.forEach((chunk, chunkPos, i) => {
    if (i < from || i >= doc.childCount - tail) return;
    chunk.forEach((node, offset) => blocks.push({ node, pos: chunkPos + 1 + offset }));
  });
  return blocks;
}

/** Allocates no list, because it is called several times for each remote change on pages with thousands of blocks. */
export function findBlock(doc: PmNode, id: string): PlacedBlock | undefined {
  let chunkPos = 0;
  for (const chunk of doc.children) {
    let pos = chunkPos + 1;
    for (const node of chunk.children) {
      if (node.attrs["id"] === id) return { node, pos };
      pos += node.nodeSize;
    }
    chunkPos += chunk.nodeSize;
  }
  return undefined;
}

/** The block that contains or follows a position, in any chunk. */
export function findBlockAt($pos: ResolvedPos): PlacedBlock | undefined {
  if ($pos.depth >= 2) return { node: $pos.node(2), pos: $pos.before(2) };
  const node = $pos.depth === 1 ? $pos.nodeAfter : null;
  return node ? { node, pos: $pos.pos } : undefined;
}

export function findBlockBefore(doc: PmNode, pos: number): PlacedBlock | undefined {
  const $pos = doc.resolve(pos);
  if ($pos.nodeBefore) return { node: $pos.nodeBefore, pos: pos - $pos.nodeBefore.nodeSize };
  const chunk = doc.maybeChild($pos.index(0) - 1);
  const node = chunk?.lastChild;
  // Skips the end of the previous chunk and the start of this one.
  return node ? { node, pos: pos - 2 - node.nodeSize } : undefined;
}

export function findBlockAfter(doc: PmNode, { node, pos }: PlacedBlock): PlacedBlock | undefined {
  const end = pos + node.nodeSize;
  const $end = doc.resolve(end);
  if ($end.nodeAfter) return { node: $end.nodeAfter, pos: end };
  const first = doc.maybeChild($end.index(0) + 1)?.firstChild;
  return first ? { node: first, pos: end + 2 } : undefined;
}

/** Also removes the chunk if the block was its only one. */
export function removeBlock(tr: Transaction, pos: number): void {
  const $pos = tr.doc.resolve(pos);
  const size = $pos.nodeAfter?.nodeSize ?? 0;
  if ($pos.parent.childCount === 1 && tr.doc.childCount > 1) tr.delete($pos.before(1), $pos.after(1));
  else tr.delete(pos, pos + size);
}

/** Runs from the end, so that earlier positions stay valid. */
export function rebalanceChunks(tr: Transaction): void {
  let end = tr.doc.content.size;
  for (let i = tr.doc.childCount - 1; i >= 0; i -= 1) {
    const chunk = tr.doc.child(i);
    const start = end - chunk.nodeSize;
    const next = tr.doc.maybeChild(i + 1);
    if (chunk.childCount > MAX_CHUNK) splitChunk(tr, chunk, start);
    else if (next && Math.min(chunk.childCount, next.childCount) < MIN_CHUNK) {
      if (chunk.childCount + next.childCount <= MAX_CHUNK) tr.join(end);
    }
    end = start;
  }
}

function splitChunk(tr: Transaction, chunk: PmNode, start: number): void {
  const cuts: number[] = [];
  chunk.forEach((_node, offset, i) => {
    const leavesEnough = chunk.childCount - i >= MIN_CHUNK;
    if (i > 0 && i % CHUNK_SIZE === 0 && leavesEnough) cuts.push(start + 1 + offset);
  });
  for (const cut of cuts.toReversed()) tr.split(cut);
}
