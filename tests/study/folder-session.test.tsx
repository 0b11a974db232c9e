// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import type { Folder } from "#shared/library/schema.ts";
import { DeckSettings, DueDeck } from "#shared/study/schema.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";
import { aCard, deckContent } from "#tests/store/changes.ts";

const times = { createdAt: 1, modifiedAt: 1, createdBy: "ada", version: 1 };
const pageOf = (name: string) => ({
  page: { ...listedPage(`page-of-${name}`, name), components: [`deck-of-${name}`] },
  components: [
    Component.parse({
      ...times,
      _id: `deck-of-${name}`,
      pageId: `page-of-${name}`,
      type: "flash_cards",
      content: deckContent([aCard(`card-of-${name}`)], name),
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
const item = (name: string) => ({ item_id: `page-of-${name}`, item_type: "page" as const, created_at: 1 });
const biology: Folder = {
  _id: "bio",
  title: "Biology",
  user_id: ada._id,
  color: "GREEN",
  created_at: 1,
  updated_at: 1,
  items: [item("cells"), item("genes")],
  is_archived: false,
  archived_at: null,
  is_expanded: true,
};
const terms = { settings: DeckSettings.parse({}), weights: null, load: [], secondsPerReview: 8, timezone: "UTC" };

test("a session of a folder skips decks outside the folder, and ends with a link back to the folder", async () => {
  // Names the page of the next request, because the kit passes no path parameters to answers.
  const nextPage = { name: "cells" };
  const app = await openApp("/page/page-of-cells/study/deck-of-cells?all=&folder=bio", {
    signedIn: true,
    answers: {
      library: { listFolders: () => ({ folders: [biology] }) },
      pages: { getPage: () => pageOf(nextPage.name) },
      study: {
        getDue: () => ({ decks: ["cells", "history", "genes"].map(dueDeck) }),
        getDeckSchedule: () => ({ schedules: [], studiedToday: 0, dailyLimit: null, ...terms }),
      },
    },
  });
  const user = userEvent.setup();
  await screen.findByRole("heading", { level: 1, name: "card-of-cells?" });
  nextPage.name = "genes";
  await user.keyboard(" 4");
  await screen.findByRole("heading", { level: 1, name: "card-of-genes?" });
  expect(app.address()).toContain("deck-of-genes");
  await user.keyboard(" 4");
  await screen.findByRole("heading", { level: 1, name: "All due cards of this folder studied" });
  expect(screen.getByRole("button", { name: /Go to folder/ })).toBeDefined();
});
