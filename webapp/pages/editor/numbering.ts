import type { Node as PmNode } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** As many counters as the style sheet has. */
const LEVELS = 8;
type Counts = readonly number[];
const none: Counts = Array.from({ length: LEVELS }, () => 0);

/** What counting a chunk tells: where numbering stands after it, and which of its blocks begin a list. */
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

/** An unchanged chunk that begins alike is not counted again. */
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
  /** What its numbered lists go on from. The browser's counters end at a chunk's edge, so each is told. */
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
 * Only what begins a list is marked, so that other blocks need no counters of their own: a browser that meets one with
 * counters counts through the whole page again.
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

/** Chunks that changed, or go on from another number, are marked anew: what marks a block may be lost with its change. */
function renumber(before: Numbering, { doc, mapping }: Transaction): Numbering {
  const chunks = numbersOf(doc);
  if (chunks.length !== before.chunks.length) return numberDoc(doc);
  let set = before.set.map(mapping, doc);
  doc.forEach((chunk, pos, i) => {
    const [old, now] = [before.chunks[i], chunks[i] as ChunkNumbers];
    if (old?.chunk === chunk && isAlike(old.start, now.start)) return;
    const end = pos + chunk.nodeSize;
    // The marks of a chunk beside it touch it.
    const marked = set.find(pos, end).filter(({ from, to }) => from >= pos && to <= end);
    set = set.remove(marked).add(doc, decorateChunk(pos, now));
  });
  return { chunks, set };
}

const pluginKey = new PluginKey<Numbering>("numbering");

/** For a view that is drawn before its plugins come: what they draw later would be drawn by going through the page again. */
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
