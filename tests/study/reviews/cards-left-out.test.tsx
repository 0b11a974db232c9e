// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import { DeckSettings, DueDeck } from "#shared/study/schema.ts";
import { SyncRequest } from "#shared/sync/schema.ts";
import { type Answers, openApp } from "#tests/kit/browser/web.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";
import { aCard, deckContent } from "#tests/store/changes.ts";

const pageOf = (name: string, cardIds: readonly string[]) => ({
  page: { ...listedPage(`page-of-${name}`, name), components: [`deck-of-${name}`] },
  components: [
    Component.parse({
      _id: `deck-of-${name}`,
      pageId: `page-of-${name}`,
      createdAt: 1,
      modifiedAt: 1,
      createdBy: "ada",
      version: 1,
      type: "flash_cards",
      content: deckContent(
        cardIds.map((id) => ({ ...aCard(id), question: `Question ${id}` })),
        name,
      ),
    }),
  ],
});
const dueDeck = (name: string) =>
  DueDeck.parse({
    componentId: `deck-of-${name}`,
    pageId: `page-of-${name}`,
    title: name,
    due: 0,
    fresh: 1,
    total: 1,
  });
const terms = { settings: DeckSettings.parse({}), weights: null, load: [], secondsPerReview: 8, timezone: "UTC" };

const studying = (more: Answers): Answers => ({
  study: {
    getDue: () => ({ decks: ["cells", "genes"].map(dueDeck) }),
    getDeckSchedule: () => ({ schedules: [], studiedToday: 0, dailyLimit: null, ...terms }),
  },
  ...more,
});

test("a card suspended in the deck before is restored there, although another deck is open now", async () => {
  const requests: SyncRequest[] = [];
  let name = "cells";
  await openApp("/page/page-of-cells/study/deck-of-cells?all=", {
    signedIn: true,
    answers: studying({
      pages: { getPage: () => pageOf(name, [`card-of-${name}`]) },
      sync: {
        sendBatches: (sent) => {
          const batches = sent["batches"] as { requests: unknown[] }[];
          const all = batches.flatMap((batch) => batch.requests.map((request) => SyncRequest.parse(request)));
          requests.push(...all);
          return { success: all.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
        },
      },
    }),
  });
  const user = userEvent.setup();
  await screen.findByText("Question card-of-cells");
  name = "genes";
  await user.keyboard("s");
  await screen.findByText("Question card-of-genes");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  const changes = () =>
    requests.flatMap(({ type, resourceId, data }) => (type === "card_standing" ? [{ resourceId, data }] : []));
  await waitFor(() => expect(changes()).toHaveLength(2));
  expect(changes()[1]).toMatchObject({
    resourceId: "deck-of-cells",
    data: { cards: [{ cardId: "card-of-cells", isSuspended: false }] },
  });
});

test("the hint of a card that is buried is not shown with the next card", async () => {
  await openApp("/page/page-of-cells/study/deck-of-cells", {
    signedIn: true,
    answers: studying({
      pages: { getPage: () => pageOf("cells", ["one", "two"]) },
      flashcards: { hintAt: () => ({ hint: "Think of one thing." }) },
    }),
  });
  const user = userEvent.setup();
  await screen.findByText("Question one");
  await user.keyboard("h");
  await screen.findByText("Think of one thing.");
  await user.keyboard("b");
  await screen.findByText("Question two");
  expect(screen.queryByText("Think of one thing.")).toBeNull();
});
