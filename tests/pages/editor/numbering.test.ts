import { getSchema } from "@tiptap/core";
import { EditorState, TextSelection, type Command } from "@tiptap/pm/state";
import type { DecorationSet } from "@tiptap/pm/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "#shared/pages/document.ts";
import { createPageDocument } from "#webapp/pages/editor/changes.ts";
import { listBlocks } from "#webapp/pages/editor/chunks.ts";
import { deleteSelected, indent, joinBackward, outdent, setSubType, splitLine } from "#webapp/pages/editor/commands.ts";
import { documentNodes } from "#webapp/pages/editor/nodes.ts";
import { createNumberingPlugin } from "#webapp/pages/editor/numbering.ts";
import { createStructurePlugin } from "#webapp/pages/editor/structure.ts";

const schema = getSchema(documentNodes);

interface Line {
  subType: string;
  indents: number;
}
const numbered = (indents = 0): Line => ({ subType: "list_ordered", indents });
const bullet = (indents = 0): Line => ({ subType: "list_unordered", indents });
const plain = (indents = 0): Line => ({ subType: "normal", indents });

const lineOf = ({ subType, indents }: Line, i: number): Block => ({
  _id: `line-${i}`,
  type: "text",
  content: { text: [{ content: `line ${i}` }], subType, metadata: { indents, highlightColor: null } },
});

function open(lines: readonly Line[]): EditorState {
  let made = 0;
  const newId = () => `new-${(made += 1)}`;
  const doc = schema.nodeFromJSON(createPageDocument(lines.map(lineOf), newId));
  return EditorState.create({ doc, plugins: [createStructurePlugin(newId), createNumberingPlugin()] });
}

/** The numbers as the style sheet counts them: from each chunk's start values, one more for each item, 1 where a list begins. */
function shownNumbers(state: EditorState): number[] {
  const marks = state.plugins
    .map((plugin) => plugin.props.decorations?.call(plugin, state) as DecorationSet | undefined)
    .flatMap((set) => set?.find() ?? []) as unknown as { from: number; type: { attrs: Record<string, string> } }[];
  const attrsAt = (pos: number) => Object.assign({}, ...marks.filter((m) => m.from === pos).map((m) => m.type.attrs));
  const numbers: number[] = [];
  state.doc.forEach((chunk, chunkPos) => {
    const { style = "" } = attrsAt(chunkPos) as { style?: string };
    const counters = new Map(
      [...style.matchAll(/l(\d) (\d+)/g)].map(([, level, count]) => [Number(level), Number(count)]),
    );
    chunk.forEach(({ attrs }, offset) => {
      if (attrs["subType"] !== "list_ordered") return;
      const level = Number(attrs["indents"]) % 8;
      const begins = "data-begins" in attrsAt(chunkPos + 1 + offset);
      counters.set(level, begins ? 1 : (counters.get(level) ?? 0) + 1);
      numbers.push(counters.get(level) ?? 0);
    });
  });
  return numbers;
}

/** Each item's number in its list. A list ends at the first line that is not deeper and not an item of the list. */
function expectedNumbers(state: EditorState): number[] {
  const lines = listBlocks(state.doc).map(({ node }) => ({
    isItem: node.attrs["subType"] === "list_ordered",
    indents: Number(node.attrs["indents"]),
  }));
  return lines.flatMap(({ isItem, indents }, at) => {
    if (!isItem) return [];
    let number = 1;
    for (const before of lines.slice(0, at).toReversed()) {
      if (before.indents < indents || (before.indents === indents && !before.isItem)) break;
      if (before.indents === indents) number += 1;
    }
    return [number];
  });
}

test("a numbered list restarts after another line of its depth and continues after deeper ones", () => {
  const lines = [numbered(), numbered(), plain(1), numbered(1), numbered(), bullet(), numbered(), plain(), numbered()];
  expect(shownNumbers(open(lines))).toEqual([1, 2, 1, 3, 1, 1]);
});

test("a list of hundreds of items continues its numbers across chunks", () => {
  const state = open(Array.from({ length: 300 }, () => numbered()));
  expect(state.doc.childCount).toBeGreaterThan(1);
  expect(shownNumbers(state)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  const written = state.apply(state.tr.insertText("x", state.doc.content.size - 3));
  expect(shownNumbers(written)).toEqual(shownNumbers(state));
});

const edits: Record<string, Command> = {
  split: splitLine,
  join: joinBackward,
  remove: deleteSelected,
  deeper: indent,
  higher: outdent,
  number: setSubType("list_ordered"),
  plain: setSubType("normal"),
};

test("after any sequence of edits each item shows its number in the list", () => {
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.record({ subType: fc.constant("list_ordered"), indents: fc.nat(2) }) },
    fc.record({ subType: fc.constantFrom("normal", "list_unordered"), indents: fc.nat(2) }),
  );
  const edit = fc.record({ at: fc.nat(200), what: fc.constantFrom(...Object.keys(edits)) });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 90 }), fc.array(edit, { maxLength: 12 }), (lines, made) => {
      let state = open(lines);
      expect(shownNumbers(state)).toEqual(expectedNumbers(state));
      for (const { at, what } of made) {
        const blocks = listBlocks(state.doc);
        const block = blocks[at % blocks.length];
        if (!block) continue;
        state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, block.pos + 1)));
        edits[what]?.(state, (tr) => (state = state.apply(tr)));
        expect(shownNumbers(state)).toEqual(expectedNumbers(state));
      }
    }),
    { numRuns: 60 },
  );
});
