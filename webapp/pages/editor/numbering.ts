import type { Node as PmNode } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** The number of counters in the style sheet. */
const LEVELS = 8;
type Counts = readonly number[];
const NO_COUNTS: Counts = Array.from({ length: LEVELS }, () => 0);

/** The counters after a chunk, and the indices of its blocks that begin a list. */
interface Counted {
  end: Counts;
  begins: readonly number[];
}

const chunkCache = new WeakMap<PmNode, Map<string, Counted>>();

const isNumbered = ({ attrs }: PmNode) => attrs["subType"] === "list_ordered";
const levelOf = ({ attrs }: PmNode) => Number(attrs["indents"]) % LEVELS;

function countBlock(counts: Counts, block: PmNode): Counts {
  if (block.type.name !== "text_block") return NO_COUNTS;
  const level = levelOf(block);
  return counts.map((count, i) => {
    if (i < level) return count;
    return i === level && isNumbered(block) ? count + 1 : 0;
  });
}

/** Cached by chunk and start values. */
function countChunk(chunk: PmNode, start: Counts): Counted {
  const cached = chunkCache.get(chunk) ?? new Map<string, Counted>();
  chunkCache.set(chunk, cached);
  const key = start.join();
  const found = cached.get(key);
  if (found) return found;
  const begins: number[] = [];
  let end = start;
  for (const [i, block] of chunk.children.entries()) {
    end = countBlock(end, block);
    if (isNumbered(block) && end[levelOf(block)] === 1) begins.push(i);
  }
  cached.set(key, { end, begins });
  return { end, begins };
}

interface ChunkNumbers {
  chunk: PmNode;
  /** Initial counters: CSS counters do not carry over from one chunk to the next. */
  start: Counts;
  begins: readonly number[];
}

function computeNumbers(doc: PmNode): ChunkNumbers[] {
  let counts = NO_COUNTS;
  return doc.children.map((chunk) => {
    const start = counts;
    const { end, begins } = countChunk(chunk, start);
    counts = end;
    return { chunk, start, begins };
  });
}

/**
 * Only blocks that begin a list get a counter of their own, because each such block makes the browser recount the whole
 * page.
 */
function decorateChunk(pos: number, { chunk, start, begins }: ChunkNumbers): Decoration[] {
  const decorations: Decoration[] = [];
  if (start.some((count) => count > 0)) {
    const style = `counter-reset: ${start.map((count, level) => `l${level} ${count}`).join(" ")}`;
    decorations.push(Decoration.node(pos, pos + chunk.nodeSize, { style }));
  }
  let blockPos = pos + 1;
  for (const [i, block] of chunk.children.entries()) {
    if (begins.includes(i))
      decorations.push(Decoration.node(blockPos, blockPos + block.nodeSize, { "data-begins": "" }));
    blockPos += block.nodeSize;
  }
  return decorations;
}

interface Numbering {
  chunks: readonly ChunkNumbers[];
  set: DecorationSet;
}

const docCache = new WeakMap<PmNode, Numbering>();

function numberDoc(doc: PmNode): Numbering {
  const cached = docCache.get(doc);
  if (cached) return cached;
  const chunks = computeNumbers(doc);
  const decorations: Decoration[] = [];
  doc.forEach((_chunk, pos, i) => decorations.push(...decorateChunk(pos, chunks[i] as ChunkNumbers)));
  const result = { chunks, set: DecorationSet.create(doc, decorations) };
  docCache.set(doc, result);
  return result;
}

const areEqualCounts = (a: Counts, b: Counts) => a === b || a.every((count, level) => count === b[level]);

/** Recomputes chunks that changed or start from other numbers; a changed block may have lost its decorations. */
function renumber(before: Numbering, { doc, mapping }: Transaction): Numbering {
  const chunks = computeNumbers(doc);
  if (chunks.length !== before.chunks.length) return numberDoc(doc);
  let set = before.set.map(mapping, doc);
  doc.forEach((chunk, pos, i) => {
    const [old, now] = [before.chunks[i], chunks[i] as ChunkNumbers];
    if (old?.chunk === chunk && areEqualCounts(old.start, now.start)) return;
    const end = pos + chunk.nodeSize;
    // `find` also returns decorations of adjacent chunks that touch the range.
    const oldDecorations = set.find(pos, end).filter(({ from, to }) => from >= pos && to <= end);
    set = set.remove(oldDecorations).add(doc, decorateChunk(pos, now));
  });
  return { chunks, set };
}

const pluginKey = new PluginKey<Numbering>("numbering");

/** Decorations for the first render, before plugins exist; adding them later would render the page again. */
export const getInitialNumbers = (state: EditorState): DecorationSet | null =>
  pluginKey.getState(state) ? null : numberDoc(state.doc).set;

export const createNumberingPlugin = () =>
  new Plugin<Numbering>({
    key: pluginKey,
    state: {
      init: (_config, { doc }) => numberDoc(doc),
      apply: (tr, before) => (tr.docChanged ? renumber(before, tr) : before),
    },
    props: { decorations: (state) => pluginKey.getState(state)?.set },
  });
