// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { pdfCitation } from "#shared/citations.ts";
import { Component, type Page } from "#shared/pages/schema.ts";
import { buildPage } from "#shared/pages/present.ts";
import { SyncRequest, type SyncRequestOf } from "#shared/sync/schema.ts";
import type { Passage, ReadingState } from "#shared/pdf/schema.ts";
import { openApp, refuse } from "#tests/kit/browser/web.tsx";
import { aCard, deckContent } from "#tests/store/changes.ts";

const times = { createdAt: 1, modifiedAt: 1, createdBy: "", lastOpenedAt: null, version: 1 };
const file = { id: "f.docx", name: "Cells.docx" };
const content = { file, url: "/v1/files/f.docx", title: "Cells" };

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

const requestOf = (pageId: string) =>
  SyncRequest.parse({
    id: "0123456789",
    clientId: "a",
    seq: 1,
    createdAt: 1,
    type: "page_create",
    resourceId: pageId,
    data: { title: "Cells", createdAt: 1 },
  }) as SyncRequestOf<"page_create">;

let pageCount = 0;

type Cards = ReturnType<typeof aCard>[];

/** A document on a page of its own with a deck of these cards, and perhaps a second one, with the panel of its cards open. */
async function openCards(cards: Cards, moreCards?: Cards, server = { isReached: true }) {
  const pageId = `page-${++pageCount}`;
  const fields = { ...times, pageId };
  const component = Component.parse({ ...fields, _id: "doc", type: "image", content });
  const deck = Component.parse({ ...fields, _id: "deck", type: "flash_cards", content: deckContent(cards) });
  const second = { ...fields, _id: "second", type: "flash_cards", content: deckContent(moreCards ?? [], "Walls") };
  const decks = moreCards ? [deck, Component.parse(second)] : [deck];
  const page: Page = { ...buildPage(requestOf(pageId), "ada"), components: ["doc", ...decks.map(({ _id }) => _id)] };
  await openApp("/pdf/doc", {
    signedIn: true,
    answers: {
      pages: {
        getComponent: () => ({ component }),
        getPage: () => (server.isReached ? { page, components: [component, ...decks] } : refuse("broken", "")),
      },
      pdf: {
        getReading: () => reading,
        getPassages: () => ({ pageCount: 2, passages }),
        listAnnotations: () => ({ annotations: [] }),
      },
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Cards and notes" }));
  return { user, pageId };
}

beforeEach(() => localStorage.clear());

const cite = (id: string, documentId: string, at: number, quote: string) => ({
  ...aCard(id, `About ${id}?`),
  citation: pdfCitation(documentId, at, quote),
});

test("a document lists the cards that cite it by page, and a badge shows the words in it", async () => {
  const { user, pageId } = await openCards([
    cite("walls", "doc", 2, "The cell wall holds."),
    cite("osmosis", "doc", 1, "Water moves by osmosis."),
    cite("elsewhere", "other", 1, "Salt stays."),
    aCard("uncited", "About nothing?"),
  ]);
  const study = await screen.findByRole("link", { name: "Study Genes" });
  expect(study.getAttribute("href")).toBe(`/page/${pageId}/study/deck`);
  const shown = screen.getAllByText(/^About /).map(({ textContent }) => textContent);
  expect(shown).toEqual(["About osmosis?", "About walls?"]);
  await user.click(screen.getByRole("button", { name: /^p\. 2 of Cells/ }));
  expect(await screen.findByText("The cell wall holds", { selector: ".lit" })).toBeTruthy();
});

test("each deck with cards of the document can be studied", async () => {
  await openCards(
    [cite("osmosis", "doc", 1, "Water moves by osmosis.")],
    [cite("walls", "doc", 2, "The cell wall holds.")],
  );
  const links = await screen.findAllByRole("link", { name: /^Study (?:Genes|Walls)$/ });
  expect(links.map((link) => link.getAttribute("href")?.split("/").at(-1))).toEqual(["deck", "second"]);
});

test("cards that could not be loaded are loaded when the student tries again", async () => {
  const server = { isReached: false };
  const { user } = await openCards([cite("osmosis", "doc", 1, "Water moves by osmosis.")], undefined, server);
  const alert = await screen.findByRole("alert");
  server.isReached = true;
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("About osmosis?")).toBeTruthy();
});

test("a document without cards says how to make some", async () => {
  const { pageId } = await openCards([]);
  const panel = await screen.findByRole("tabpanel", { name: "Cards" });
  expect(await within(panel).findByText("No cards from this document")).toBeTruthy();
  expect(within(panel).getByRole("link", { name: "Make flashcards" }).getAttribute("href")).toBe(
    `/page/${pageId}?make=cards&from=doc`,
  );
});
