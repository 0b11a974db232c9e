import type { Node as PmNode } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** The number of counters in the style sheet. */
const LEVELS = 8;
type Counts = readonly number[];
const none: Counts = Array.from({ length: LEVELS }, () => 0);

/** The counters after a chunk, and the indices of its blocks that begin a list. */
interface Counted {
  end: Counts;
  begins: readonly number[];
}

const counted = new WeakMap<PmNode, Map<string, Counted>>();

const isNumbered = ({ attrs }: PmNode) => attrs["subType"] === "list_ordered";
const levelOf = ({ attrs }: PmNode) => Number(attrs["indents"]) % LEVELS;

function countBlock(counts: Counts, block: PmNode): Counts {
  if (block.type.name !== "text_block") return none;
  const level = levelOf(block);
  return counts.map((count, i) => {
    if (i < level) return count;
    return i === level && isNumbered(block) ? count + 1 : 0;
  });
}

/** Cached by chunk and start values. */
function countChunk(chunk: PmNode, start: Counts): Counted {
  const known = counted.get(chunk) ?? new Map<string, Counted>();
  counted.set(chunk, known);
  const key = start.join();
  const found = known.get(key);
  if (found) return found;
  const begins: number[] = [];
  let end = start;
  for (const [i, block] of chunk.children.entries()) {
    end = countBlock(end, block);
    if (isNumbered(block) && end[levelOf(block)] === 1) begins.push(i);
  }
  known.set(key, { end, begins });
  return { end, begins };
}

interface ChunkNumbers {
  chunk: PmNode;
  /** Initial counters: CSS counters do not carry over from one chunk to the next. */
  start: Counts;
  begins: readonly number[];
}

function numbersOf(doc: PmNode): ChunkNumbers[] {
  let counts = none;
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
  let at = pos + 1;
  for (const [i, block] of chunk.children.entries()) {
    if (begins.includes(i)) decorations.push(Decoration.node(at, at + block.nodeSize, { "data-begins": "" }));
    at += block.nodeSize;
  }
  return decorations;
}

interface Numbering {
  chunks: readonly ChunkNumbers[];
  set: DecorationSet;
}

const numbered = new WeakMap<PmNode, Numbering>();

function numberDoc(doc: PmNode): Numbering {
  const known = numbered.get(doc);
  if (known) return known;
  const chunks = numbersOf(doc);
  const decorations: Decoration[] = [];
  doc.forEach((_chunk, pos, i) => decorations.push(...decorateChunk(pos, chunks[i] as ChunkNumbers)));
  const made = { chunks, set: DecorationSet.create(doc, decorations) };
  numbered.set(doc, made);
  return made;
}

const isAlike = (a: Counts, b: Counts) => a === b || a.every((count, level) => count === b[level]);

/** Recomputes chunks that changed or start from other numbers; a changed block may have lost its decorations. */
function renumber(before: Numbering, { doc, mapping }: Transaction): Numbering {
  const chunks = numbersOf(doc);
  if (chunks.length !== before.chunks.length) return numberDoc(doc);
  let set = before.set.map(mapping, doc);
  doc.forEach((chunk, pos, i) => {
    const [old, now] = [before.chunks[i], chunks[i] as ChunkNumbers];
    if (old?.chunk === chunk && isAlike(old.start, now.start)) return;
    const end = pos + chunk.nodeSize;
    // `find` also returns decorations of adjacent chunks that touch the range.
    const marked = set.find(pos, end).filter(({ from, to }) => from >= pos && to <= end);
    set = set.remove(marked).add(doc, decorateChunk(pos, now));
  });
  return { chunks, set };
}

const pluginKey = new PluginKey<Numbering>("numbering");

/** Decorations for the first render, before plugins exist; adding them later would render the page again. */
export const numbersAtFirst = (state: EditorState): DecorationSet | null =>
  pluginKey.getState(state) ? null : numberDoc(state.doc).set;

export const numbering = () =>
  new Plugin<Numbering>({
    key: pluginKey,
    state: {
      init: (_config, { doc }) => numberDoc(doc),
      apply: (tr, before) => (tr.docChanged ? renumber(before, tr) : before),
    },
    props: { decorations: (state) => pluginKey.getState(state)?.set },
  });
