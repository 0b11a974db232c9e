// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { afterEach, expect, test, vi } from "vitest";
import { tableContent } from "#shared/pages/tables.ts";
import { openSession, PageWorld, paragraph } from "#tests/kit/browser/page-world.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";
import { setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { CardMakerDialog } from "#webapp/flashcards/parts/card-maker/card-maker-dialog.tsx";
import { TableBlock } from "#webapp/pages/parts/blocks/table-block.tsx";
import { PageScreen } from "#webapp/pages/page-screen.tsx";

afterEach(() => cleanup());

async function openEditor(blocks: ConstructorParameters<typeof PageWorld>[0]) {
  const world = new PageWorld(blocks);
  world.answers.set("/v1/auth/get_content", () => ({
    content: {
      pages: [listedPage("page-1", "This page"), listedPage("p2", "Mitosis"), listedPage("p3", "Meiosis")],
      components: [],
      podcasts: [],
    },
  }));
  const actions = { onAsk: vi.fn(), onMakeCard: vi.fn() };
  render(
    <Provider store={store}>
      <PageScreen pageId="page-1" kinds={{ text: TableBlock }} Maker={CardMakerDialog} selection={actions} />
    </Provider>,
  );
  return { world, actions, ...(await openSession()) };
}

async function select(editor: Awaited<ReturnType<typeof openSession>>["editor"], from: number, to: number) {
  editor.view.focus();
  editor.commands.setTextSelection({ from, to });
  return screen.findByRole("toolbar", { name: "Format selection" });
}

function typeLetters({ view }: Awaited<ReturnType<typeof openSession>>["editor"], text: string): void {
  for (const letter of text) {
    const { from, to } = view.state.selection;
    const isTaken = view.someProp("handleTextInput", (f) => f(view, from, to, letter, () => view.state.tr));
    if (isTaken !== true) view.dispatch(view.state.tr.insertText(letter, from, to));
  }
}

test("selected text has a toolbar that formats and links it, and closes with the selection", async () => {
  const { editor, session } = await openEditor([paragraph("a", "The nucleus holds the DNA")]);
  const bar = await select(editor, 6, 13);
  const button = (name: RegExp) => within(bar).getByRole("button", { name });
  fireEvent.click(button(/^Bold/));
  expect(button(/^Bold/).getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(button(/^Link/));
  await userEvent.type(screen.getByRole("textbox", { name: "Address of the link" }), "example.org/cell");
  fireEvent.click(screen.getByRole("button", { name: "Apply" }));
  const reference = { kind: "link", target: "https://example.org/cell" };
  expect(session.blocks()[0]?.content["text"]).toEqual([
    { content: "The " },
    { content: "nucleus", attributes: { bold: true }, reference },
    { content: " holds the DNA" },
  ]);
  editor.commands.setTextSelection(3);
  await waitFor(() => expect(screen.queryByRole("toolbar", { name: "Format selection" })).toBeNull());
});

test("Ask and Card pass on the selected text and its block", async () => {
  const { editor, actions } = await openEditor([paragraph("a", "The nucleus holds the DNA")]);
  const bar = await select(editor, 2, 27);
  fireEvent.click(within(bar).getByRole("button", { name: "Ask" }));
  fireEvent.click(within(bar).getByRole("button", { name: /^Card/ }));
  const selected = { text: "The nucleus holds the DNA", componentId: "a" };
  expect(actions.onAsk.mock.calls[0]?.[0]).toMatchObject(selected);
  const [made, port] = actions.onMakeCard.mock.calls[0] ?? [];
  expect(made).toMatchObject(selected);
  port.addCard({ id: "c", question: "Q", answer: "A", questionImage: null, citation: null }, "Cells");
  const { session } = await openSession();
  expect(session.blocks().find(({ type }) => type === "flash_cards")?.content).toMatchObject({
    title: "Cells",
    cards: [{ id: "c" }],
  });
});

test.each(["[[", "@"])("%s suggests pages by title, and Enter inserts the reference", async (trigger) => {
  const { editor, session } = await openEditor([paragraph("a", "see ")]);
  editor.commands.setTextSelection(6);
  typeLetters(editor, `${trigger}mei`);
  await screen.findByRole("option", { name: /^Meiosis\s*Page$/ });
  expect(screen.queryByRole("option", { name: /Mitosis/ })).toBeNull();
  const enter = new KeyboardEvent("keydown", { key: "Enter" });
  editor.view.someProp("handleKeyDown", (f) => f(editor.view, enter));
  expect(session.blocks()[0]?.content["text"]).toEqual([
    { content: "see " },
    { content: "Meiosis", reference: { kind: "page_tag", target: "p3" } },
    { content: " " },
  ]);
});

test("the slash menu is grouped, shows Markdown hints, and starts with Study on an empty page", async () => {
  const { editor } = await openEditor([paragraph("a", "")]);
  editor.commands.setTextSelection(2);
  typeLetters(editor, "/");
  const menu = await screen.findByRole("listbox", { name: "Add block" });
  expect(within(menu).getAllByRole("option")[0]?.textContent).toContain("Make flashcards");
  expect([...menu.querySelectorAll(".slash-menu-group")].map((group) => group.textContent)).toEqual([
    "Study",
    "Text",
    "Insert",
  ]);
  expect(within(menu).getByRole("option", { name: /Heading 1/ }).textContent).toContain("#");
});

test("the slash menu puts the entry whose name was typed before those that only have it as a search term", async () => {
  const { editor } = await openEditor([paragraph("a", "Notes"), paragraph("b", "")]);
  editor.commands.setTextSelection(editor.state.doc.content.size - 1);
  typeLetters(editor, "/ta");
  const menu = await screen.findByRole("listbox", { name: "Add block" });
  expect(within(menu).getAllByRole("option")[0]?.textContent).toBe("Table");
  // Each group has one heading.
  expect([...menu.querySelectorAll(".slash-menu-group")].map((group) => group.textContent)).toEqual(["Insert", "Text"]);
});

test("table cells are edited in place, Enter in the last row adds one, and the table is stored as Markdown", async () => {
  const block = {
    _id: "t",
    type: "text" as const,
    content: tableContent([
      ["Stage", "Place"],
      ["Transcription", "**Nucleus**"],
    ]),
  };
  const { session } = await openEditor([paragraph("a", "Notes"), block]);
  const cell = await screen.findByRole("textbox", { name: "Row 2, column 2" });
  expect(cell.closest(".table-cell")?.querySelector("strong")?.textContent).toBe("Nucleus");
  await userEvent.type(cell, " | here{Enter}");
  const next = await screen.findByRole("textbox", { name: "Row 3, column 2" });
  expect(document.activeElement).toBe(next);
  await userEvent.click(screen.getByRole("button", { name: "Column" }));
  const texts = session.contentOf("t")?.["text"] as { content: string }[] | undefined;
  expect(texts).toEqual([
    {
      content: String.raw`| Stage | Place |  |
| --- | --- | --- |
| Transcription | **Nucleus** \| here |  |
|  |  |  |`,
    },
  ]);
  expect(session.text()).toContain("Transcription | **Nucleus** | here");
});

test("a completion is offered if another device changes another line meanwhile, but not if it changes the same line", async () => {
  const { world, editor, session } = await openEditor([paragraph("a", "Osmosis"), paragraph("b", "Water is the")]);
  world.answers.set("/v1/user/usage", () => ({ autocompleteWords: 0 }));
  const asked: (() => void)[] = [];
  setTransport(world.transportAfter(({ path }) => path.includes("autocomplete") && asked));
  world.answers.set("/v1/text/autocomplete", () => [
    { type: "text", text: " solvent" },
    { type: "end", engine: "none" },
  ]);
  const receive = (id: string, text: string) => session.receive(id, paragraph(id, text).content, undefined);
  editor.view.focus();
  editor.commands.focus("end");
  typeLetters(editor, " best");
  receive("a", "Osmosis needs no energy.");
  await waitFor(() => expect(asked).toHaveLength(1));
  receive("a", "Osmosis needs no energy at all.");
  asked.pop()?.();
  await waitFor(() => expect(document.querySelector(".page-completion")?.textContent).toBe(" solventTab"));
  expect(editor.view.dom.textContent).toContain("Water is the best solvent");

  typeLetters(editor, "!x");
  await waitFor(() => expect(asked).toHaveLength(1));
  await session.saver.flush();
  receive("b", "Water is an acid");
  asked.pop()?.();
  await session.saver.flush();
  expect(document.querySelector(".page-completion")).toBeNull();
});
