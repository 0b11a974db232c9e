// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup } from "@testing-library/react";
import { closeHistory, redo, undo, undoDepth } from "@tiptap/pm/history";
import { afterEach, expect, test } from "vitest";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { queue } from "#webapp/offline/sync.ts";
import { moveBlocks } from "#webapp/pages/editor/blocks.ts";
import { deleteSelected, splitLine } from "#webapp/pages/editor/commands.ts";
import { restoreOnError } from "#webapp/pages/editor/typing/keys.ts";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import {
  changePage,
  editPageFields,
  openPageAtom,
  redoPageAction,
  restoreOpenPage,
  undoPageAction,
} from "#webapp/pages/session/open-page.ts";

// Sends the changes of one test before the next test opens a page with the same id.
afterEach(async () => {
  cleanup();
  await queue().flush();
});

type Opened = Awaited<ReturnType<typeof openSession>>;

const linesOf = ({ session }: Opened) =>
  session
    .blocks()
    .map(({ content }) => ((content["text"] as { content: string }[] | undefined) ?? []).map((r) => r.content).join(""))
    .filter((line) => line !== "");

const isArchived = () => {
  const open = store.get(openPageAtom);
  return open?.state === "ready" && open.page.archived;
};

const undoLast = (page: Opened) => undoPageAction() || press(page, undo);
const redoLast = (page: Opened) => redoPageAction() || press(page, redo);
const press = ({ editor }: Opened, command: typeof undo) => command(editor.state, editor.view.dispatch);

/** Reloads the tab: the page opens again with the state of the server and this browser. */
async function reload(world: PageWorld, opened: Opened): Promise<Opened> {
  await opened.session.saver.flush();
  await queue().flush();
  world.components = world.components
    .filter(({ _id }) => !world.sent("component_delete").some((r) => r.resourceId === _id))
    .filter(({ _id }) => !world.sent("component_move").some((r) => r.resourceId === _id))
    .map((component) => {
      const update = world.sent("component_content_update").findLast((r) => r.resourceId === component._id);
      return update ? ({ ...component, content: update.data.newContent } as typeof component) : component;
    });
  world.page = { ...world.page, components: world.components.map(({ _id }) => _id) };
  cleanup();
  showPage();
  return openSession();
}

const setCaretAfter = ({ editor }: Opened, words: string) => {
  let pos = 0;
  editor.state.doc.descendants((node, nodePos) => {
    if (node.isTextblock && node.textContent === words) pos = nodePos + 1 + words.length;
  });
  editor.commands.setTextSelection(pos);
};

test("edits can be undone and redone after a reload of the tab", async () => {
  const world = new PageWorld([paragraph("a", "one"), paragraph("b", "two")]);
  showPage();
  let page = await openSession();
  setCaretAfter(page, "one");
  page.editor.commands.insertContent(" and a half");
  setCaretAfter(page, "two");
  page.editor.commands.insertContent(" and three");
  press(page, undo);
  expect(linesOf(page)).toEqual(["one and a half", "two"]);
  page = await reload(world, page);
  expect(linesOf(page)).toEqual(["one and a half", "two"]);
  press(page, redo);
  expect(linesOf(page)).toEqual(["one and a half", "two and three"]);
  press(page, undo);
  press(page, undo);
  expect(linesOf(page)).toEqual(["one", "two"]);
  expect(undoDepth(page.editor.state)).toBe(0);
  page = await reload(world, page);
  press(page, redo);
  expect(linesOf(page)).toEqual(["one and a half", "two"]);
});

test("after a reload, an edit to a line that changed elsewhere can't be undone, and nothing is overwritten", async () => {
  const world = new PageWorld([paragraph("a", "one")]);
  showPage();
  let page = await openSession();
  setCaretAfter(page, "one");
  page.editor.commands.insertContent(" mine");
  await page.session.saver.flush();
  await queue().flush();
  cleanup();
  world.components = [
    { ...world.components[0], ...paragraph("a", "theirs"), version: 3 } as (typeof world.components)[0],
  ];
  showPage();
  page = await openSession();
  await expect.poll(() => linesOf(page)).toEqual(["theirs"]);
  press(page, undo);
  expect(linesOf(page)).not.toContain("one");
});

test("a component moved to another page is moved on the server, and undo moves it back", async () => {
  const world = new PageWorld([paragraph("a", "one"), paragraph("b", "two")]);
  showPage();
  const page = await openSession();
  await page.session.moveTo("page-2", ["a"]);
  expect(linesOf(page)).toEqual(["two"]);
  await queue().flush();
  expect(world.sent("component_move").map((r) => [r.resourceId, r.data])).toEqual([
    ["a", { fromPageId: "page-1", toPageId: "page-2" }],
  ]);
  press(page, undo);
  expect(linesOf(page)).toEqual(["one", "two"]);
  await page.session.saver.flush();
  await queue().flush();
  expect(world.sent("component_move").at(-1)?.data).toEqual({ fromPageId: "page-2", toPageId: "page-1", index: 0 });
  expect(world.sent("component_delete")).toEqual([]);
  expect(world.sent("component_create")).toEqual([]);
});

test("a component moved to another page can be moved back by undo after a reload too", async () => {
  const world = new PageWorld([paragraph("a", "one"), paragraph("b", "two")]);
  showPage();
  let page = await openSession();
  setCaretAfter(page, "one");
  page.editor.commands.insertContent(" more");
  await page.session.moveTo("page-2", ["a"]);
  page = await reload(world, page);
  expect(linesOf(page)).toEqual(["two"]);
  press(page, undo);
  expect(linesOf(page)).toEqual(["one more", "two"]);
  await page.session.saver.flush();
  await queue().flush();
  expect(world.sent("component_move").at(-1)?.data).toMatchObject({ fromPageId: "page-2", toPageId: "page-1" });
});

test("a failing undo changes nothing and shows an error", async () => {
  const world = new PageWorld([paragraph("a", "one")]);
  showPage();
  const page = await openSession();
  setCaretAfter(page, "one");
  page.editor.commands.insertContent(" more");
  const { view } = page.editor;
  const breaks = restoreOnError((state, dispatch) =>
    undo(state, (tr) => {
      dispatch?.(tr);
      throw new Error("the screen broke");
    }),
  );
  breaks(view.state, view.dispatch, view);
  expect(linesOf(page)).toEqual(["one more"]);
  expect(undoDepth(view.state)).toBe(1);
  expect(store.get(alertsAtom).map(({ message }) => message)).toContain(
    "This could not be undone. Nothing was changed. Please try again.",
  );
  press(page, undo);
  expect(linesOf(page)).toEqual(["one"]);
  expect(world.log).not.toEqual([]);
});

test("a hundred actions of every kind survive a reload and can be undone one by one", async () => {
  const world = new PageWorld([paragraph("a", "one"), paragraph("b", "two"), paragraph("c", "three")]);
  showPage();
  let page = await openSession();
  const texts: string[][] = [linesOf(page)];
  for (let i = 0; i < 100; i += 1) {
    const { editor } = page;
    setCaretAfter(page, linesOf(page)[i % 3] ?? "");
    if (i % 7 === 3) editor.view.dispatch(closeHistory(editor.state.tr.setNodeAttribute(1, "indents", i)));
    else editor.view.dispatch(closeHistory(editor.state.tr.insertText(` ${i}`)));
    texts.push(linesOf(page));
  }
  page = await reload(world, page);
  expect(linesOf(page)).toEqual(texts.at(-1));
  expect(undoDepth(page.editor.state)).toBe(100);
  for (const text of texts.toReversed().slice(1)) {
    press(page, undo);
    expect(linesOf(page)).toEqual(text);
  }
  for (const text of texts.slice(1)) {
    press(page, redo);
    expect(linesOf(page)).toEqual(text);
  }
});

test("moved blocks and a new last line can be undone after a reload", async () => {
  const world = new PageWorld([paragraph("pa", "one"), paragraph("pb", "two"), paragraph("pc", "three")]);
  showPage();
  let page = await openSession();
  setCaretAfter(page, "one");
  moveBlocks("down")(page.editor.state, page.editor.view.dispatch);
  expect(linesOf(page)).toEqual(["two", "one", "three"]);
  await page.session.moveTo("page-2", ["pb"]);
  setCaretAfter(page, "three");
  splitLine(page.editor.state, page.editor.view.dispatch);
  world.page = { ...world.page, components: ["pb", "pa", "pc"] };
  world.components = ["pb", "pa", "pc"].flatMap((id) => world.components.filter(({ _id }) => _id === id));
  page = await reload(world, page);
  expect(linesOf(page)).toEqual(["one", "three"]);
  for (const lines of [
    ["one", "three"],
    ["two", "one", "three"],
    ["one", "two", "three"],
  ]) {
    press(page, undo);
    expect(linesOf(page)).toEqual(lines);
  }
  for (let i = 0; i < 3; i += 1) press(page, redo);
  expect(linesOf(page)).toEqual(["one", "three"]);
});

test("undo after a reload restores an emptied page, with cards added to its deck since", async () => {
  const deck = { _id: "qd", type: "flash_cards" as const, content: { title: "Genes", cards: [], minimized: false } };
  const world = new PageWorld([paragraph("qa", "one"), deck, paragraph("qb", "two")]);
  showPage();
  let page = await openSession();
  setCaretAfter(page, "two");
  page.editor.commands.insertContent(" more");
  page.session.edit("qd", { ...deck.content, title: "Genomes" });
  setCaretAfter(page, "one");
  page.editor.commands.insertContent(" less");
  page = await reload(world, page);
  await expect.poll(() => page.session.contentOf("qd")).toMatchObject({ title: "Genomes" });
  press(page, undo);
  press(page, undo);
  expect(linesOf(page)).toEqual(["one", "two"]);
  expect(page.session.contentOf("qd")).toMatchObject({ title: "Genomes" });
  page.editor.commands.selectAll();
  deleteSelected(page.editor.state, page.editor.view.dispatch);
  expect(linesOf(page)).toEqual([]);
  page = await reload(world, page);
  expect(linesOf(page)).toEqual([]);
  press(page, undo);
  expect(linesOf(page)).toEqual(["one", "two"]);
  expect(page.session.contentOf("qd")).toMatchObject({ title: "Genomes" });
});

test("changes of title and emoji are undone and redone in one order with those of the text", async () => {
  const world = new PageWorld([paragraph("t1", "one")]);
  showPage();
  const page = await openSession();
  const fields = () => {
    const open = store.get(openPageAtom);
    return open?.state === "ready" ? [open.page.title, open.page.emoji, linesOf(page)[0]] : [];
  };
  const [title] = fields();
  await editPageFields({ emoji: "🧬" });
  setCaretAfter(page, "one");
  page.editor.commands.insertContent(" more");
  await editPageFields({ title: "Gen" });
  await editPageFields({ title: "Genes" });
  expect(fields()).toEqual(["Genes", "🧬", "one more"]);
  // The title was saved twice while it was typed, and is one step.
  undoLast(page);
  expect(fields()).toEqual([title, "🧬", "one more"]);
  undoLast(page);
  expect(fields()).toEqual([title, "🧬", "one"]);
  undoLast(page);
  expect(fields()).toEqual([title, null, "one"]);
  undoLast(page);
  expect(fields()).toEqual([title, null, "one"]);
  redoLast(page);
  redoLast(page);
  redoLast(page);
  expect(fields()).toEqual(["Genes", "🧬", "one more"]);
  await queue().flush();
  expect(world.sent("page_update").at(-1)?.data).toMatchObject({ title: "Genes" });
});

test("undo leaves a title alone that was changed elsewhere in the meantime", async () => {
  const world = new PageWorld([paragraph("t2", "one")]);
  showPage();
  await openSession();
  await editPageFields({ title: "Genes" });
  await changePage({ title: "Genomes" });
  expect(undoPageAction()).toBe(false);
  await queue().flush();
  expect(world.sent("page_update").at(-1)?.data).toMatchObject({ title: "Genomes" });
});

test("redo deletes a restored page again, until something on it changes", async () => {
  const world = new PageWorld([paragraph("ra", "one")]);
  showPage();
  await openSession();
  await changePage({ archived: true });
  expect(undoPageAction()).toBe(true);
  await expect.poll(isArchived).toBe(false);
  expect(redoPageAction()).toBe(true);
  await queue().flush();
  expect(world.sent("page_update").map(({ data }) => data.archived)).toContain(true);
});

test("restoring a page by its button works too, and redo leaves later edits alone", async () => {
  const world = new PageWorld([paragraph("rb", "one")]);
  showPage();
  const page = await openSession();
  await changePage({ archived: true });
  await restoreOpenPage();
  setCaretAfter(page, "one");
  page.editor.commands.insertContent(" more");
  expect(redoPageAction()).toBe(false);
  expect(isArchived()).toBe(false);
  expect(world.log).not.toEqual([]);
});
