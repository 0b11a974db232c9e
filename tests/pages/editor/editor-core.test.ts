import { getSchema } from "@tiptap/core";
import { history, redo, undo } from "@tiptap/pm/history";
import { EditorState, NodeSelection, TextSelection, type Command } from "@tiptap/pm/state";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toDoc, type Block } from "#shared/pages/document.ts";
import { TextContent } from "#shared/pages/schema.ts";
import {
  advanceBaseline,
  createBaseline,
  toStoredBlock,
  deriveChanges,
  isUnchanged,
  createPageDocument,
  type Baseline,
} from "#webapp/pages/editor/changes.ts";
import { moveBlockBefore, moveBlocks } from "#webapp/pages/editor/blocks.ts";
import { listBlocks, MAX_CHUNK } from "#webapp/pages/editor/chunks.ts";
import {
  deleteSelected,
  indent,
  insertBlock,
  joinBackward,
  joinForward,
  setSubType,
  splitLine,
} from "#webapp/pages/editor/commands.ts";
import { documentNodes } from "#webapp/pages/editor/nodes.ts";
import { patchContent, patchPage } from "#webapp/pages/editor/apply-remote.ts";
import { createStructurePlugin } from "#webapp/pages/editor/structure.ts";

const schema = getSchema(documentNodes);
const paragraph = (id: string, text: string, subType = "normal"): Block => ({
  _id: id,
  type: "text",
  content: { text: text === "" ? [] : [{ content: text }], subType, metadata: { indents: 0, highlightColor: null } },
});
const deck = (id: string): Block => ({
  _id: id,
  type: "flash_cards",
  content: { title: "Key terms", cards: [], minimized: false },
});
const lines = (count: number) => Array.from({ length: count }, (_, i) => paragraph(`p${i}`, `line ${i}`));

class Page {
  state: EditorState;
  baseline: Baseline;
  constructor(blocks: Block[]) {
    let made = 0;
    const newId = () => `new-${(made += 1)}`;
    const doc = schema.nodeFromJSON(createPageDocument(blocks, newId));
    this.state = EditorState.create({ doc, plugins: [createStructurePlugin(newId), history({ depth: 100 })] });
    this.baseline = createBaseline(doc, new Set(blocks.map((b) => b._id)));
  }
  run(command: Command) {
    return command(this.state, (tr) => {
      this.state = this.state.apply(tr);
    });
  }
  caret(id: string, offset = 0) {
    const block = listBlocks(this.state.doc).find(({ node }) => node.attrs["id"] === id);
    if (!block) throw new Error(`no block ${id}`);
    const selection = TextSelection.create(this.state.doc, block.pos + 1 + offset);
    this.state = this.state.apply(this.state.tr.setSelection(selection));
  }
  type(text: string) {
    this.state = this.state.apply(this.state.tr.insertText(text));
  }
  texts() {
    return listBlocks(this.state.doc).map(({ node }) => node.textContent);
  }
  ids() {
    return listBlocks(this.state.doc).map(({ node }) => String(node.attrs["id"]));
  }
  sizes() {
    return this.state.doc.children.map((chunk) => chunk.childCount);
  }
  flush() {
    const changes = deriveChanges(this.state.doc, this.baseline);
    this.baseline = advanceBaseline(this.state.doc, this.baseline);
    return changes;
  }
}

/** Two items, the first with a nested item and one nested deeper, then a line of its own. */
function pageWithList() {
  const page = new Page(["one", "one a", "one a i", "two", "after"].map((text) => paragraph(text, text)));
  for (const id of ["one a", "one a i", "one a i"]) {
    page.caret(id);
    page.run(indent);
  }
  return page;
}

describe("moving a line", () => {
  test("moves the lines nested below it", () => {
    const page = pageWithList();
    page.run(moveBlockBefore("one", "after"));
    expect(page.texts()).toEqual(["two", "one", "one a", "one a i", "after"]);
    expect(page.state.selection.empty).toBe(true);
    page.run(moveBlockBefore("one a", "two"));
    expect(page.texts()).toEqual(["one a", "one a i", "two", "one", "after"]);
    page.run(moveBlockBefore("one a", undefined));
    expect(page.texts()).toEqual(["two", "one", "after", "one a", "one a i"]);
    page.run(undo);
    page.run(undo);
    page.run(undo);
    expect(page.ids()).toEqual(["one", "one a", "one a i", "two", "after"]);
  });

  test("to a place within its own nested lines changes nothing", () => {
    const page = pageWithList();
    for (const place of ["one", "one a", "one a i", "two"]) expect(page.run(moveBlockBefore("one", place))).toBe(false);
  });

  test("by keys passes the nested lines of its neighbour and takes its own along", () => {
    const page = pageWithList();
    page.caret("two");
    page.run(moveBlocks("up"));
    expect(page.texts()).toEqual(["two", "one", "one a", "one a i", "after"]);
    page.run(moveBlocks("down"));
    expect(page.texts()).toEqual(["one", "one a", "one a i", "two", "after"]);
    page.caret("one");
    page.run(moveBlocks("down"));
    expect(page.texts()).toEqual(["two", "one", "one a", "one a i", "after"]);
    page.run(moveBlocks("down"));
    expect(page.texts()).toEqual(["two", "after", "one", "one a", "one a i"]);
  });
});

describe("keys", () => {
  test("Enter in a line splits it: the first part keeps the id, the second gets a new one", () => {
    const page = new Page(lines(2));
    page.caret("p0", 4);
    page.run(splitLine);
    expect(page.texts()).toEqual(["line", " 0", "line 1"]);
    expect(page.ids()).toEqual(["p0", "new-1", "p1"]);
  });

  test("Enter at the start of a line inserts an empty line above, and the text keeps its id", () => {
    const page = new Page(lines(1));
    page.caret("p0");
    page.run(splitLine);
    expect(page.ids()).toEqual(["new-1", "p0"]);
  });

  test("Enter in a list adds an item, and ends the list on an empty one", () => {
    const page = new Page([paragraph("p0", "milk", "list_checkbox_checked")]);
    page.caret("p0", 4);
    page.run(splitLine);
    const kinds = () => listBlocks(page.state.doc).map(({ node }) => String(node.attrs["subType"]));
    expect(kinds()).toEqual(["list_checkbox_checked", "list_checkbox_unchecked"]);
    page.run(splitLine);
    expect(kinds()).toEqual(["list_checkbox_checked", "normal"]);
  });

  test("Backspace at the start of a chunk joins the last line of the previous chunk", () => {
    const page = new Page(lines(60));
    page.caret("p50");
    expect(page.run(joinBackward)).toBe(true);
    expect(page.texts()[49]).toBe("line 49line 50");
    expect(page.ids()).not.toContain("p50");
    expect(page.state.selection.$from.parentOffset).toBe("line 49".length);
  });

  test("Delete at the end of a chunk joins the first line of the next one", () => {
    const page = new Page(lines(60));
    page.caret("p49", "line 49".length);
    page.run(joinForward);
    expect(page.texts()[49]).toBe("line 49line 50");
  });

  test("Backspace on a heading turns it into plain text before joining lines", () => {
    const page = new Page([paragraph("a", "one"), paragraph("b", "two", "heading_1")]);
    page.caret("b");
    page.run(joinBackward);
    expect(page.texts()).toEqual(["one", "two"]);
    page.run(joinBackward);
    expect(page.texts()).toEqual(["onetwo"]);
  });

  test("Backspace after a deck selects the deck and deletes nothing", () => {
    const page = new Page([deck("d"), paragraph("a", "one")]);
    page.caret("a");
    page.run(joinBackward);
    expect(page.state.selection).toBeInstanceOf(NodeSelection);
    expect(page.ids()).toEqual(["d", "a"]);
  });

  test("deleting everything leaves one empty line", () => {
    const page = new Page(lines(120));
    const end = page.state.doc.content.size;
    page.state = page.state.apply(page.state.tr.setSelection(TextSelection.create(page.state.doc, 2, end - 2)));
    page.run(deleteSelected);
    expect(page.texts()).toEqual([""]);
    page.run(undo);
    expect(page.ids()).toEqual(lines(120).map((b) => b._id));
  });
});

describe("ids and chunks", () => {
  test("a paste of 300 blocks leaves no chunk above its maximum size", () => {
    const page = new Page(lines(10));
    page.caret("p5", 2);
    const pasted = lines(300).map((b) => schema.nodeFromJSON(toDoc([b]).content[0]?.content[0]));
    const { tr } = page.state;
    page.state = page.state.apply(tr.insert(tr.doc.resolve(tr.selection.from).after(2), pasted));
    expect(Math.max(...page.sizes())).toBeLessThanOrEqual(MAX_CHUNK);
    expect(new Set(page.ids()).size).toBe(310);
  });

  test("undoing a deletion restores the block under its id", () => {
    const page = new Page([paragraph("a", "one"), deck("d"), paragraph("b", "two")]);
    const { tr } = page.state;
    page.state = page.state.apply(tr.setSelection(NodeSelection.create(tr.doc, 6)));
    page.run(deleteSelected);
    expect(page.ids()).toEqual(["a", "b"]);
    page.run(undo);
    expect(page.ids()).toEqual(["a", "d", "b"]);
  });

  test("opening a page changes nothing", () => {
    const page = new Page([...lines(70), deck("d")]);
    page.state = page.state.apply(page.state.tr.setMeta("anything", true));
    expect(isUnchanged(page.flush())).toBe(true);
  });

  test("typing sends one content update, and reverting it by typing sends none", () => {
    const page = new Page(lines(3));
    page.caret("p1", 6);
    page.type("!");
    expect(page.flush()).toMatchObject({ created: [], deleted: [], order: null, updated: [{ _id: "p1" }] });
    page.run(undo);
    page.run(redo);
    expect(isUnchanged(page.flush())).toBe(true);
  });

  test("a remote edit moves no caret, isn't undone, and isn't sent back", () => {
    const page = new Page(lines(3));
    page.caret("p2", 3);
    const tr = patchContent(page.state, paragraph("p0", "line zero and more"));
    if (tr) page.state = page.state.apply(tr);
    expect(page.texts()[0]).toBe("line zero and more");
    expect(page.state.selection.$from.parentOffset).toBe(3);
    expect(page.state.selection.$from.parent.attrs["id"]).toBe("p2");
    page.run(undo);
    expect(page.texts()[0]).toBe("line zero and more");
  });

  test("reloading a page adds what is new and keeps what is only local", () => {
    const page = new Page(lines(4));
    page.caret("p1", 0);
    page.type("mine ");
    const fetched = [paragraph("p3", "line 3"), paragraph("p0", "theirs"), paragraph("p1", "line 1"), deck("d")];
    const tr = patchPage(page.state, fetched, new Set(["p1"]));
    if (tr) page.state = page.state.apply(tr);
    expect(page.ids().slice(0, 4)).toEqual(["p3", "p0", "p1", "d"]);
    expect(page.texts().slice(0, 3)).toEqual(["line 3", "theirs", "mine line 1"]);
  });

  test("blocks moved on another device are reordered, and the caret stays in its line", () => {
    const ids = lines(90).map(({ _id }) => _id);
    const rows = fc.shuffledSubarray(ids, { minLength: ids.length });
    fc.assert(
      fc.property(rows, fc.constantFrom(...ids), fc.nat(6), (order, caretIn, offset) => {
        const page = new Page(lines(90));
        page.caret(caretIn, offset);
        const byId = new Map(lines(90).map((block) => [block._id, block]));
        const tr = patchPage(
          page.state,
          order.flatMap((id) => byId.get(id) ?? []),
          new Set(),
        );
        if (tr) page.state = page.state.apply(tr);
        expect(page.ids().filter((id) => byId.has(id))).toEqual(order);
        expect(page.state.selection.$head.parent.attrs["id"]).toBe(caretIn);
        expect(page.state.selection.$head.parentOffset).toBe(offset);
      }),
      { numRuns: 60 },
    );
  });

  test("if another device moved one line, only that line moves on this screen", () => {
    const all = lines(60);
    const page = new Page(all);
    page.caret("p30", 2);
    const [first, ...others] = all;
    const tr = patchPage(page.state, first ? [...others, first] : all, new Set());
    expect(tr?.steps).toHaveLength(2);
  });
});

/** The simplest server: after the changes, its blocks must equal those on the screen. */
function applyChanges(store: Block[], changes: ReturnType<Page["flush"]>): Block[] {
  let next = store.filter((b) => !changes.deleted.includes(b._id));
  for (const { block, index } of changes.created) next.splice(index, 0, block);
  next = next.map((b) => changes.updated.find((u) => u._id === b._id) ?? b);
  const { order } = changes;
  return order ? order.flatMap((id) => next.find((b) => b._id === id) ?? []) : next;
}

const action = fc.record({
  kind: fc.constantFrom(
    "type",
    "enter",
    "back",
    "delete",
    "cut",
    "paste",
    "undo",
    "redo",
    "kind",
    "deck",
    "indent",
    "move",
    "remote",
    "flush",
  ),
  at: fc.nat(10_000),
  to: fc.nat(10_000),
});
type Kind = typeof action extends fc.Arbitrary<infer A extends { kind: string }> ? A["kind"] : never;

function placeCaret(page: Page, at: number) {
  const { doc } = page.state;
  const spot = TextSelection.near(doc.resolve(at % (doc.content.size + 1)));
  page.state = page.state.apply(page.state.tr.setSelection(spot));
}

const editActions: Record<Kind, (page: Page, at: number, to: number) => void> = {
  type: (page) => page.type("x"),
  enter: (page) => page.run(splitLine),
  back: (page) => page.run(joinBackward) || page.run(deleteSelected),
  delete: (page) => page.run(joinForward),
  cut: (page, at, to) => {
    const { doc, tr } = page.state;
    const size = doc.content.size + 1;
    const selection = TextSelection.between(doc.resolve(at % size), doc.resolve(to % size));
    page.state = page.state.apply(tr.setSelection(selection));
    page.run(deleteSelected);
  },
  paste: (page, at, to) => {
    const { doc, tr } = page.state;
    const size = doc.content.size + 1;
    const [from, end] = [at % size, to % size].toSorted((a, b) => a - b);
    page.state = page.state.apply(tr.replaceSelection(doc.slice(from ?? 0, end)));
  },
  undo: (page) => page.run(undo),
  redo: (page) => page.run(redo),
  kind: (page) => page.run(setSubType("heading_2")),
  indent: (page) => page.run(indent),
  deck: (page, at) => page.run(insertBlock({ id: `deck-${at}`, type: "flash_cards", content: { cards: [] } })),
  move: (page, at, to) => {
    const ids = page.ids();
    page.run(moveBlockBefore(ids[at % ids.length] ?? "", ids[to % (ids.length + 1)]));
    page.run(moveBlocks(at % 2 === 0 ? "up" : "down"));
  },
  remote: (page, at) => {
    const ids = page.ids();
    const tr = patchContent(page.state, paragraph(ids[at % ids.length] ?? "", "from elsewhere"));
    if (tr) page.state = page.state.apply(tr);
  },
  flush: () => {},
};

const isLine = (b: Block | undefined) => b?.type === "text" && TextContent.parse(b.content).text.length === 0;

test("after any sequence of edits, ids are unique, chunks keep their size, and the store equals the screen", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), fc.integer({ min: 0, max: 130 }), (actions, count) => {
      const start = lines(count).map((block, i) => (i % 9 === 4 ? deck(block._id) : block));
      const page = new Page(start);
      let store: Block[] = start;
      for (const { kind, at, to } of actions) {
        if (kind !== "undo" && kind !== "redo") placeCaret(page, at);
        editActions[kind](page, at, to);
        if (kind === "flush") store = applyChanges(store, page.flush());
        page.state.doc.check();
        expect(new Set(page.ids()).size).toBe(page.ids().length);
        expect(Math.max(...page.sizes())).toBeLessThanOrEqual(MAX_CHUNK);
      }
      store = applyChanges(store, page.flush());
      const shown = listBlocks(page.state.doc).map(({ node }) => toStoredBlock(node));
      if (shown.length === store.length + 1 && isLine(shown.at(-1))) shown.pop();
      expect(store).toEqual(shown);
    }),
    { numRuns: 150 },
  );
});
