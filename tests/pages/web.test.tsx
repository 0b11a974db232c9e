// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NodeSelection } from "@tiptap/pm/state";
import { afterEach, expect, test } from "vitest";
import { FileContent } from "#shared/pages/schema.ts";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";
import { setTransport } from "#webapp/app/client.ts";
import { notifyRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { loadPage, queue } from "#webapp/offline/sync.ts";
import { findReferenceEntries } from "#webapp/pages/parts/reference-entries.tsx";
import { addUploads } from "#webapp/uploads/uploads.ts";

afterEach(() => cleanup());

const deck = {
  _id: "deck-1",
  type: "flash_cards" as const,
  content: { title: "Key terms", cards: [], minimized: false },
};
const pdf = (_id: string, title: string) => ({
  _id,
  type: "image" as const,
  content: FileContent.parse({ file: { id: `${_id}.pdf`, name: `${_id}.pdf` }, url: `/file/${_id}.pdf`, title }),
});
const saved = () => screen.findByText("Saved");

test("typed text is on disk before the screen shows Saved, and is sent as one content update", async () => {
  const world = new PageWorld([paragraph("a", "The cell"), paragraph("b", "divides")]);
  showPage();
  const { editor } = await openSession();
  await saved();
  editor.view.dispatch(editor.state.tr.insertText(", slowly", 10));
  editor.view.dispatch(editor.state.tr.insertText(" and surely", 18));
  expect(await screen.findByText("Saving")).toBeTruthy();
  await waitFor(() => expect(queue().pendingFor("a")).toHaveLength(1));
  await saved();
  expect(queue().pendingFor("a")).toEqual([]);
  const updates = world.sent("component_content_update");
  expect(updates).toHaveLength(1);
  expect(updates[0]).toMatchObject({ resourceId: "a", baseVersion: 1 });
  expect(JSON.stringify(updates[0]?.data.newContent)).toContain("The cell, slowly and surely");
});

test("Enter creates a component in place, Backspace removes one", async () => {
  const world = new PageWorld([paragraph("a", "one two"), paragraph("b", "three")]);
  showPage();
  const { editor, session } = await openSession();
  editor.commands.setTextSelection(5);
  editor.view.someProp("handleKeyDown", (handle) =>
    handle(editor.view, new KeyboardEvent("keydown", { key: "Enter" })),
  );
  await session.saver.flush();
  await queue().flush();
  const [created] = world.sent("component_create");
  expect(created?.data).toMatchObject({ parentId: "page-1", index: 1, component: { content: { subType: "normal" } } });
  editor.view.someProp("handleKeyDown", (handle) =>
    handle(editor.view, new KeyboardEvent("keydown", { key: "Backspace" })),
  );
  await session.saver.flush();
  await queue().flush();
  expect(world.sent("component_delete").map((request) => request.resourceId)).toEqual([created?.resourceId]);
});

test("a page that opens with the card maker offers its files there", async () => {
  const world = new PageWorld([paragraph("a", "one"), pdf("lecture", "Lecture 9")]);
  showPage("page-1", { chosen: undefined });
  const chosen = await screen.findByRole<HTMLInputElement>("radio", { name: "A file", checked: true });
  expect(chosen.closest("dialog")?.textContent).toContain("Lecture 9");
  expect(world.sent("component_delete")).toEqual([]);
});

test.each([
  ["second", "second"],
  ["ghost", "first"],
])("a card maker that was opened for the file “%s” preselects “%s”", async (chosen, preselected) => {
  const world = new PageWorld([pdf("first", "Lecture 9"), pdf("second", "Lecture 10")]);
  showPage("page-1", { chosen });
  const file = await screen.findByRole<HTMLSelectElement>("combobox", { name: "File" });
  expect(file.value).toBe(preselected);
  expect(world.sent("component_delete")).toEqual([]);
});

test("undoing a deletion restores the component under its id", async () => {
  const world = new PageWorld([paragraph("a", "one"), deck, paragraph("b", "two")]);
  showPage();
  const { editor, session } = await openSession();
  editor.view.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, 6)));
  editor.view.dispatch(editor.state.tr.deleteSelection());
  await session.saver.flush();
  await queue().flush();
  expect(world.sent("component_delete")).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Page menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /Undo/ }));
  await session.saver.flush();
  await queue().flush();
  expect(world.sent("component_create").map((request) => request.resourceId)).toEqual(["deck-1"]);
});

test("deleting a deck asks for confirmation", async () => {
  const world = new PageWorld([paragraph("a", "one"), deck, paragraph("b", "two")]);
  showPage();
  const { session } = await openSession();
  await userEvent.click(await screen.findByRole("button", { name: "Deck menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete deck" }));
  expect(await screen.findByText(/1 flashcard deck/)).toBeTruthy();
  await session.saver.flush();
  expect(world.sent("component_delete")).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  await session.saver.flush();
  await queue().flush();
  expect(world.sent("component_delete").map((request) => request.resourceId)).toEqual(["deck-1"]);
});

test("a page can be renamed at its title", async () => {
  const world = new PageWorld([paragraph("a", "one")]);
  showPage();
  await openSession();
  const title = await screen.findByRole("textbox", { name: "Page title" });
  await userEvent.clear(title);
  await userEvent.type(title, "Genes and proteins");
  await userEvent.tab();
  await waitFor(() => expect(world.sent("page_update").at(-1)?.data.title).toBe("Genes and proteins"));
});

test("a missing page and another account's show that the page was not found", async () => {
  const world = new PageWorld();
  showPage("page-of-another");
  expect(await screen.findByRole("heading", { name: "Page not found" })).toBeTruthy();
  expect(world.requests).toEqual([]);
});

test("a page opened before opens offline, and edits made meanwhile are kept", async () => {
  const world = new PageWorld([paragraph("a", "kept on this device")]);
  showPage();
  await openSession();
  await saved();
  cleanup();
  world.isReachable = false;
  showPage();
  const { editor, session } = await openSession();
  expect(session.text()).toBe("kept on this device");
  editor.view.dispatch(editor.state.tr.insertText("still ", 2));
  await session.saver.flush();
  cleanup();
  showPage();
  expect((await openSession()).session.text()).toBe("still kept on this device");
});

test("offline, a page that was never opened on this device shows a message", async () => {
  const world = new PageWorld();
  world.isReachable = false;
  showPage("page-2");
  expect(await screen.findByRole("heading", { name: "This page isn't saved on this device" })).toBeTruthy();
});

test("a file over the plan's size is refused in place before sending", async () => {
  const world = new PageWorld([paragraph("a", "one")]);
  showPage();
  await openSession();
  const file = new File(["%PDF-1.7", new Uint8Array(11 * 1024 * 1024)], "big.pdf", { type: "application/pdf" });
  await addUploads([file], { pageId: "page-1" });
  expect(await screen.findByText(/File too large \(11\.0MB\)\. Your plan allows up to 10MB/)).toBeTruthy();
  expect(world.log.filter((path) => path.includes("upload"))).toEqual([]);
});

test("an uploaded file is inserted below the caret's line, and created only once", async () => {
  const world = new PageWorld([paragraph("a", "one"), paragraph("b", "two")]);
  world.answers.set("/v1/pages/upload", ({ body }) => {
    const sent = body.kind === "form" ? body.form.get("componentId") : null;
    const id = typeof sent === "string" ? sent : "";
    const content = {
      file: { id: `${id}.pdf`, name: "Lecture 9.pdf" },
      url: `/v1/files/${id}.pdf`,
      title: "Lecture 9",
    };
    const times = { createdAt: 1, modifiedAt: 1, createdBy: "ada", lastOpenedAt: null, version: 1 };
    return { component: { _id: id, pageId: "page-1", type: "image", content, ...times } };
  });
  showPage();
  const { session } = await openSession();
  await addUploads([new File(["%PDF-1.7 and more"], "Lecture 9.pdf", { type: "application/pdf" })], {
    pageId: "page-1",
    after: "a",
  });
  expect(await screen.findByText("Lecture 9")).toBeTruthy();
  await session.saver.flush();
  await queue().flush();
  expect(world.sent("component_create")).toEqual([]);
  const order = world.sent("page_component_sort").at(-1)?.data.componentIds;
  expect([order?.[0], order?.[2]]).toEqual(["a", "b"]);
});

test("files uploaded together keep their order, whichever arrives first", async () => {
  const world = new PageWorld([paragraph("a", "one"), paragraph("b", "")]);
  const released: (() => void)[] = [];
  setTransport(world.transportAfter((call) => call.path.startsWith("/v1/pages/upload") && released));
  world.answers.set("/v1/pages/upload", ({ body }) => {
    const form = body.kind === "form" ? body.form : new FormData();
    const id = form.get("componentId") as string;
    const name = (form.get("file") as File).name;
    const content = { file: { id: `${id}.pdf`, name }, url: `/v1/files/${id}.pdf`, title: name };
    const times = { createdAt: 1, modifiedAt: 1, createdBy: "ada", lastOpenedAt: null, version: 1 };
    return { component: { _id: id, pageId: "page-1", type: "image", content, ...times } };
  });
  showPage();
  const { session } = await openSession();
  const files = ["first", "second"].map((name) => new File(["%PDF-1.7"], name, { type: "application/pdf" }));
  const arrived = addUploads(files, { pageId: "page-1", after: "b" });
  await waitFor(() => expect(released).toHaveLength(2));
  released[1]?.();
  expect(await screen.findByText("second")).toBeTruthy();
  released[0]?.();
  await arrived;
  const names = session.blocks().flatMap(({ content }) => ("title" in content ? [content["title"]] : []));
  expect(names).toEqual(["first", "second"]);
});

test("files go to the end of an untouched page, and below the caret's line of an edited one", async () => {
  const world = new PageWorld([paragraph("a", "one"), paragraph("b", "two")]);
  showPage();
  const { session } = await openSession();
  expect(session.caretBlockId()).toBeUndefined();
  session.focus();
  await waitFor(() => expect(session.caretBlockId()).toBe("a"));
  expect(world.sent("component_create")).toEqual([]);
});

test("a page created here is requested only once the server has it", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  showPage();
  await openSession();
  const page = { ...world.page, _id: "page-new", components: [] };
  world.answers.set("/v1/pages/page-new", () => ({ page, components: [] }));
  await queue().enqueue("page_create", "page-new", { title: "New", createdAt: Date.now() });
  await loadPage("page-new");
  expect(world.log.indexOf("page_create")).toBeGreaterThan(-1);
  expect(world.log.indexOf("/v1/pages/page-new")).toBeGreaterThan(world.log.indexOf("page_create"));
});

test("the notice about a text edited in two places stays until its versions could be compared", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  const user = userEvent.setup();
  showPage();
  await openSession();
  act(() => notifyRemoteChanges([{ kind: "content", ids: ["a"], conflict: true }]));
  const compare = async () => user.click(await screen.findByRole("button", { name: "Compare versions" }));
  const close = async () => user.click(screen.getByRole("button", { name: "Close" }));
  await compare();
  await screen.findByText("The history could not be loaded. Try again in a moment.");
  await close();
  world.answers.set("/v1/pages/page-1/history", () => ({ entries: [] }));
  await compare();
  await screen.findByText("No changes in the last 30 days.");
  await close();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Compare versions" })).toBeNull());
});

const folderWith = (_id: string, title: string, item: { item_id: string; item_type: "page" | "folder" }) => ({
  _id,
  title,
  user_id: "ada",
  color: "GREEN",
  created_at: 1,
  updated_at: 1,
  items: [{ ...item, created_at: 1 }],
  is_archived: false,
  archived_at: null,
  is_expanded: true,
});

test("the breadcrumb names the folders that contain the page", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  const folders = [
    folderWith("cells", "Cells", { item_id: "page-1", item_type: "page" }),
    folderWith("bio", "Biology", { item_id: "cells", item_type: "folder" }),
  ];
  world.answers.set("/v1/user_folders", () => ({ folders }));
  showPage();
  await screen.findByRole("link", { name: "Cells" });
  const path = within(screen.getByRole("navigation", { name: "Breadcrumb" }));
  expect(path.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["Home", "Biology", "Cells"]);
});

test("references with the same title are told apart by their kind", () => {
  const summary = { pageId: "a", title: "Genes", createdAt: 1, modifiedAt: 1, lastOpenedAt: null, isArchived: false };
  const components = [
    { ...summary, _id: "b", type: "flash_cards" as const },
    { ...summary, _id: "c", type: "image" as const, fileId: "c.pptx" },
  ];
  const content = { state: "ready" as const, pages: [listedPage("a", "Genes")], components, podcasts: [] };
  const found = findReferenceEntries(content, "gen", "open-page");
  expect(found.map(({ label, about }) => `${label}: ${about}`).toSorted()).toEqual([
    "Genes: Deck",
    "Genes: Page",
    "Genes: Slides",
  ]);
});
