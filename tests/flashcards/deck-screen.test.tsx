// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { replay } from "#shared/study/rules.ts";
import { DeckSettings } from "#shared/study/schema.ts";
import { Component } from "#shared/pages/schema.ts";
import { CARD_ORDERS, sortCards } from "#webapp/flashcards/deck/sort-cards.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { listedPage } from "#tests/kit/listed-page.ts";
import { type Answers, openApp, refuse } from "#tests/kit/browser/web.tsx";

const quote = "Most amino acids are specified by more than one codon";
const card = (id: string, citation: string | null): Flashcard => ({
  id,
  question: `Question ${id}`,
  answer: `Answer ${id}`,
  questionImage: null,
  citation,
});
const base = { pageId: "page-1", createdAt: 1, modifiedAt: 1, createdBy: "ada", version: 1 };
const file = { id: "pdf-1.pdf", name: "Lecture 9.pdf" };
const cards = [
  {
    ...card("c1", `pdf_citation:pdf-1:4:${encodeURIComponent(quote)}`),
    question: "The Genetic Code: Question c1",
    section: "The Genetic Code",
  },
  card("c2", "video_citation:video-1:83000-90000"),
  { ...card("c3", null), section: "The Ribosome" },
];
const components = [
  Component.parse({
    ...base,
    _id: "pdf-1",
    type: "image",
    content: { file, url: "/v1/files/pdf-1.pdf", isArchived: false, archivedAt: null, thumbnail: null, title: "Genes" },
  }),
  Component.parse({
    ...base,
    _id: "deck-1",
    type: "flash_cards",
    content: { title: "Key terms", cards, minimized: false },
  }),
];

const openDeck = (answers: Answers = {}, shown = components) =>
  openApp("/page/page-1/flashcard/deck-1", {
    signedIn: true,
    answers: {
      pages: {
        getPage: () => ({
          page: { ...listedPage("page-1", "Biology"), components: ["pdf-1", "deck-1"] },
          components: shown,
        }),
      },
      flashcards: { listCardFavourites: () => ({ favorites: [] }) },
      ...answers,
    },
  });

test("each card on the deck screen has the badge of its source, with the quoted words", async () => {
  const app = await openDeck();
  const first = within(await screen.findByRole("group", { name: "Card 1" }));
  const badge = first.getByRole("button", { name: "p. 4 of Genes: open source" });
  badge.focus();
  expect((await screen.findAllByText(quote)).length).toBeGreaterThan(0);
  const second = within(screen.getByRole("group", { name: "Card 2" }));
  expect(second.getByRole("button", { name: /^1:23/u }).textContent).toBe("1:23");
  const third = within(screen.getByRole("group", { name: "Card 3" }));
  expect(third.queryByText(/^p\./u)).toBeNull();
  await userEvent.setup().click(badge);
  expect(app.address()).toContain("/pdf/pdf-1?page=4&quote=");
});

test.each([
  { of: cards.slice(0, 1), count: "1 card from Genes" },
  // The document is on the same page, and not every card cites it.
  { of: cards, count: "3 cards" },
])("the deck screen names a document only if all cards cite it: $count", async ({ of, count }) => {
  const deck = Component.parse({ ...components[1], content: { title: "Key terms", cards: of, minimized: false } });
  await openDeck({}, [...components.slice(0, 1), deck]);
  expect(await screen.findByText(count)).toBeTruthy();
});

test("cards that are selected one after another stay selected", async () => {
  await openDeck();
  const user = userEvent.setup();
  for (const number of [1, 2, 3]) {
    await user.click(await screen.findByRole("checkbox", { name: `Select card ${number}` }));
    await screen.findByText(`${number} selected`);
  }
});

const starred = { _id: "star-1", userId: "ada", cardId: "c3", componentId: "deck-1", createdAt: 1 };
const rowOf = (number: number) => within(screen.getByRole("group", { name: `Card ${number}` }));
const scheduled = (cardId: string, reviewedAt: number) =>
  replay([{ _id: `review-${cardId}`, cardId, componentId: "deck-1", grade: 4, reviewedAt }]) ?? [];

const forgotten = (cardId: string, lastAt: number) =>
  replay(
    ([4, 1, 1] as const).map((grade, at) => ({
      _id: `review-${cardId}-${at}`,
      cardId,
      componentId: "deck-1",
      grade,
      reviewedAt: lastAt - (2 - at) * 20 * 86_400_000,
    })),
  ) ?? [];

test("cards can be listed in deck order, by next review, or hardest first, with new cards last", () => {
  const now = Date.now();
  const known = [scheduled("c2", now - 90 * 86_400_000), forgotten("c3", now)].flat();
  const schedules = new Map(known.map((schedule) => [schedule.cardId, schedule]));
  const listed = CARD_ORDERS.map((order) => sortCards(cards, order, schedules).map(({ id }) => id));
  expect(listed).toEqual([
    ["c1", "c2", "c3"],
    ["c2", "c3", "c1"],
    ["c3", "c2", "c1"],
  ]);
});

test("the deck screen counts cards by stage and star, filters by them, and shows when each card is next due", async () => {
  const now = Date.now();
  const schedules = [scheduled("c1", now - 90 * 86_400_000), scheduled("c2", now)].flat();
  const terms = { settings: DeckSettings.parse({}), weights: null, load: [], secondsPerReview: 8 };
  await openDeck({
    flashcards: { listCardFavourites: () => ({ favorites: [starred] }) },
    study: { getDeckSchedule: () => ({ schedules, studiedToday: 1, dailyLimit: null, timezone: "UTC", ...terms }) },
  });
  const user = userEvent.setup();
  await screen.findByRole("button", { name: "New 1" });
  expect(screen.queryByRole("button", { name: /^Learning/ })).toBeNull();
  expect(rowOf(1).getByText("Due today")).toBeDefined();
  expect(rowOf(1).getByText("The Genetic Code")).toBeDefined();
  expect(rowOf(2).getByText(/^in \d+ days$/u)).toBeDefined();
  expect(rowOf(3).getByText("New")).toBeDefined();
  // The button, the filter and the rows count the same cards as due.
  expect(screen.getByRole("link", { name: "Study 1 due" })).toBeDefined();
  await user.click(await screen.findByRole("button", { name: "Starred 1" }));
  await screen.findByDisplayValue("Question c3");
  await user.click(screen.getByRole("button", { name: "Due 1" }));
  await screen.findByText("1 card shown");
  expect(screen.getByDisplayValue("Question c1")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Known 1" }));
  await screen.findByDisplayValue("Question c2");
  await user.click(screen.getByRole("button", { name: "New 1" }));
  await screen.findByDisplayValue("Question c3");
  await user.click(screen.getByRole("button", { name: "New 1", pressed: true }));
  await waitFor(() => expect(screen.getAllByDisplayValue(/^Question c/u)).toHaveLength(3));
  await user.selectOptions(screen.getByRole("combobox", { name: "Section" }), "The Ribosome");
  await waitFor(() => expect(screen.getAllByDisplayValue(/^Question c/u)).toHaveLength(1));
  expect(screen.getByDisplayValue("Question c3")).toBeDefined();
  // The filters count within the chosen section, which is deselected once its last card is deleted.
  expect(screen.getByRole("button", { name: "All 1" })).toBeDefined();
  expect(screen.queryByRole("button", { name: /^Due/ })).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: "Select card 1" }));
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.getAllByDisplayValue(/^Question c/u)).toHaveLength(2));
});

test("on a phone the button for search and order shows whether a search or sort order is set", async () => {
  const { happyDOM } = globalThis as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  happyDOM.setViewport({ width: 360 });
  onTestFinished(() => happyDOM.setViewport({ width: 1024 }));
  await openDeck();
  const user = userEvent.setup();
  const openSheet = async (name: string) => {
    await user.click(await screen.findByRole("button", { name }));
    return within(await screen.findByRole("dialog", { name: "Search and sort" }));
  };
  const sheet = await openSheet("Search and sort");
  await user.type(sheet.getByRole("searchbox"), "Question c1");
  await user.click(sheet.getByRole("button", { name: "Done" }));
  const reopened = await openSheet("Search and sort (active)");
  await user.clear(reopened.getByRole("searchbox"));
  await user.click(reopened.getByRole("button", { name: "Done" }));
  await screen.findByRole("button", { name: "Search and sort" });
});

const secondQuestion = () => screen.getByRole("textbox", { name: "Question of card 2" });

test("the address of another card of the open deck leads to that card", async () => {
  await openDeck();
  await screen.findByRole("group", { name: "Card 1" });
  act(() => goTo("/page/page-1/flashcard/deck-1/c2"));
  await waitFor(() => expect(document.activeElement).toBe(secondQuestion()));
});

test("a star that the server refuses leaves the stars set meanwhile", async () => {
  const answered = createDeferred<undefined>();
  let calls = 0;
  await openDeck({
    flashcards: {
      listCardFavourites: () => ({ favorites: [] }),
      changeCardFavourites: () =>
        ++calls === 1 ? answered.promise.then(() => refuse("broken", "No")) : { favorites: [] },
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Add card 1 to favourites" }));
  await user.click(screen.getByRole("button", { name: "Add card 2 to favourites" }));
  await waitFor(() => expect(calls).toBe(2));
  answered.resolve(undefined);
  await screen.findByRole("button", { name: "Add card 1 to favourites" });
  expect(screen.queryByRole("button", { name: "Add card 2 to favourites" })).toBeNull();
});
