// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { pageCitation } from "#shared/citations.ts";
import { aCard, deckContent } from "#tests/store/changes.ts";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { queue } from "#webapp/offline/sync.ts";
import { readOutline } from "#webapp/pages/page-outline.ts";

afterEach(async () => {
  cleanup();
  await queue().flush();
});

const heading = (id: string, text: string, subType: "heading_1" | "heading_2") => {
  const block = paragraph(id, text);
  return { ...block, content: { ...block.content, subType } };
};

test("the outline lists the headings with links, and the length of the page", async () => {
  const world = new PageWorld([
    heading("o1", "Transport", "heading_1"),
    paragraph("o2", "Water moves by osmosis."),
    heading("o3", "Pumps", "heading_2"),
  ]);
  showPage();
  const { session, editor } = await openSession();
  expect(readOutline(session)).toEqual({
    headings: [
      { id: "o1", level: 1, text: "Transport" },
      { id: "o3", level: 2, text: "Pumps" },
    ],
    words: 6,
    characters: 37,
    readingMinutes: 1,
    selectedWords: 0,
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Page menu" }));
  await user.click(await screen.findByRole("menuitem", { name: "Contents and length" }));
  await screen.findByText(/6 words · 37 characters · about 1 min read/);
  await user.click(await screen.findByRole("button", { name: "Pumps" }));
  expect(editor.state.selection.$from.parent.textContent).toBe("Pumps");
  editor.commands.insertContent("Ion ");
  await screen.findByRole("button", { name: "Ion Pumps" });
  await user.click(screen.getByRole("button", { name: "Close contents" }));
  expect(screen.queryByRole("button", { name: "Ion Pumps" })).toBeNull();
  expect(world.page.title).toBe("Biology");
});

test("a card whose sentence on the page changed shows a notice until the sentence is restored", async () => {
  const sentence = "Water moves by osmosis.";
  const card = { ...aCard("k1"), citation: pageCitation("page-1", "page-1", sentence) };
  const deck = { _id: "s2", type: "flash_cards" as const, content: deckContent([card]) };
  const world = new PageWorld([paragraph("s1", sentence), deck]);
  showPage();
  const { editor } = await openSession();
  await screen.findByRole("button", { name: "Source" });
  expect(screen.queryByText("The source text has changed")).toBeNull();
  editor.view.dispatch(editor.state.tr.insertText("slowly ", 2 + "Water ".length));
  await screen.findByText("The source text has changed");
  editor.view.dispatch(editor.state.tr.delete(2 + "Water ".length, 2 + "Water slowly ".length));
  await expect.poll(() => screen.queryByText("The source text has changed")).toBeNull();
  expect(world.page.title).toBe("Biology");
});
