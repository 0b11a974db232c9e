// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { pdfCitation } from "#shared/citations.ts";
import { Component, type Page } from "#shared/pages/schema.ts";
import { buildPage } from "#shared/pages/present.ts";
import { SyncRequest, type SyncRequestOf } from "#shared/sync/schema.ts";
import type { Passage, ReadingState } from "#shared/pdf/schema.ts";
import { openApp } from "#tests/kit/browser/web.tsx";
import { aCard, deckContent } from "#tests/store/changes.ts";

const fields = { pageId: "page", createdAt: 1, modifiedAt: 1, createdBy: "", lastOpenedAt: null, version: 1 };
const file = { id: "f.docx", name: "Cells.docx" };
const content = { file, url: "/v1/files/f.docx", title: "Cells" };
const component = Component.parse({ ...fields, _id: "doc", type: "image", content });

const LINES = ["Water moves by osmosis.", "The cell wall holds."];
const passages = LINES.map((text, index): Passage => {
  return { id: `p${index}`, text, kind: "paragraph", bold: [], italic: [], locator: { page: index + 1 } };
});
const reading: ReadingState = {
  state: "ready",
  pageCount: 2,
  textlessPages: 0,
  recognised: 0,
  message: null,
  languages: [],
};

const request = SyncRequest.parse({
  id: "0123456789",
  clientId: "a",
  seq: 1,
  createdAt: 1,
  type: "page_create",
  resourceId: "page",
  data: { title: "Cells", createdAt: 1 },
}) as SyncRequestOf<"page_create">;

/** A document on a page with a deck of these cards, with the panel of its cards open. */
async function openCards(cards: ReturnType<typeof aCard>[]) {
  const deck = Component.parse({ ...fields, _id: "deck", type: "flash_cards", content: deckContent(cards) });
  const page: Page = { ...buildPage(request, "ada"), components: ["doc", "deck"] };
  await openApp("/pdf/doc", {
    signedIn: true,
    answers: {
      pages: { getComponent: () => ({ component }), getPage: () => ({ page, components: [component, deck] }) },
      pdf: {
        getReading: () => reading,
        getPassages: () => ({ pageCount: 2, passages }),
        listAnnotations: () => ({ annotations: [] }),
      },
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Cards and notes" }));
  await user.click(screen.getByRole("tab", { name: "Cards" }));
  return user;
}

beforeEach(() => localStorage.clear());

const cite = (id: string, documentId: string, at: number, quote: string) => ({
  ...aCard(id, `About ${id}?`),
  citation: pdfCitation(documentId, at, quote),
});

test("a document lists the cards that cite it by page, and a badge shows the words in it", async () => {
  const user = await openCards([
    cite("walls", "doc", 2, "The cell wall holds."),
    cite("osmosis", "doc", 1, "Water moves by osmosis."),
    cite("elsewhere", "other", 1, "Salt stays."),
    aCard("uncited", "About nothing?"),
  ]);
  const study = await screen.findByRole("link", { name: "Study 2 cards" });
  expect(study.getAttribute("href")).toBe("/page/page/study/deck");
  const shown = screen.getAllByText(/^About /).map(({ textContent }) => textContent);
  expect(shown).toEqual(["About osmosis?", "About walls?"]);
  await user.click(screen.getByRole("button", { name: /^p\. 2 of Cells/ }));
  expect(await screen.findByText("The cell wall holds", { selector: ".lit" })).toBeTruthy();
});

test("a document without cards says how to make some", async () => {
  await openCards([]);
  const panel = await screen.findByRole("tabpanel", { name: "Cards" });
  expect(await within(panel).findByText("No cards from this document")).toBeTruthy();
  expect(within(panel).getByRole("link", { name: "Make flashcards" }).getAttribute("href")).toBe(
    "/page/page?make=cards",
  );
});
