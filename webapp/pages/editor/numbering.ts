import type { Node as PmNode } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** As many counters as the style sheet has. */
const LEVELS = 8;
type Counts = readonly number[];
const none: Counts = Array.from({ length: LEVELS }, () => 0);

const ends = new WeakMap<PmNode, Map<string, Counts>>();

function countBlock(counts: Counts, block: PmNode): Counts {
  if (block.type.name !== "text_block") return none;
  const level = Number(block.attrs["indents"]) % LEVELS;
  const isNumbered = block.attrs["subType"] === "list_ordered";
  return counts.map((count, i) => {
    if (i < level) return count;
    return i === level && isNumbered ? count + 1 : 0;
  });
}

/** Where numbering stands after a chunk; an unchanged chunk that begins alike is not counted again. */
function countChunk(chunk: PmNode, start: Counts): Counts {
  const known = ends.get(chunk) ?? new Map<string, Counts>();
  ends.set(chunk, known);
  const key = start.join();
  const found = known.get(key);
  if (found) return found;
  let counts = start;
  for (const block of chunk.children) counts = countBlock(counts, block);
  known.set(key, counts);
  return counts;
}

/** What a chunk's numbered lists go on from. The browser's counters end at a chunk's edge, so each is told. */
export function listStarts(doc: PmNode): Counts[] {
  let counts = none;
  return doc.children.map((chunk) => {
    const start = counts;
    counts = countChunk(chunk, start);
    return start;
  });
}

function decorate(doc: PmNode, starts: readonly Counts[]): DecorationSet {
  const decorations: Decoration[] = [];
  doc.forEach((chunk, pos, i) => {
    const start = starts[i] ?? none;
    if (start.every((count) => count === 0)) return;
    const style = `counter-reset: ${start.map((count, level) => `l${level} ${count}`).join(" ")}`;
    decorations.push(Decoration.node(pos, pos + chunk.nodeSize, { style }));
  });
  return DecorationSet.create(doc, decorations);
}

interface Numbering {
  starts: readonly Counts[];
  set: DecorationSet;
}

function numberDoc({ doc }: EditorState): Numbering {
  const starts = listStarts(doc);
  return { starts, set: decorate(doc, starts) };
}

const isAlike = (a: Counts | undefined, b: Counts) =>
  a === b || a?.every((count, level) => count === b[level]) === true;

const pluginKey = new PluginKey<Numbering>("numbering");

export const numbering = () =>
  new Plugin<Numbering>({
    key: pluginKey,
    state: {
      init: (_config, state) => numberDoc(state),
      apply(tr, before, _old, state) {
        if (!tr.docChanged) return before;
        const starts = listStarts(state.doc);
        const isKept = starts.length === before.starts.length && starts.every((s, i) => isAlike(before.starts[i], s));
        if (!isKept) return { starts, set: decorate(state.doc, starts) };
        return { starts, set: before.set.map(tr.mapping, tr.doc) };
      },
    },
    props: { decorations: (state) => pluginKey.getState(state)?.set },
  });
