// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import { DeckSettings } from "#shared/study/schema.ts";
import { openApp } from "#tests/kit/browser/web.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";

const cards = ["first", "second"].map((id) => ({
  id,
  question: `The ${id} question`,
  answer: `The ${id} answer`,
  questionImage: null,
  citation: null,
}));
const deck = Component.parse({
  _id: "deck-1",
  pageId: "page-1",
  createdAt: 1,
  modifiedAt: 1,
  createdBy: "ada",
  version: 1,
  type: "flash_cards",
  content: { title: "Key terms", cards },
});
const page = { ...listedPage("page-1", "Biology"), components: ["deck-1"] };
const terms = { settings: DeckSettings.parse({}), weights: null, load: [], secondsPerReview: 8, timezone: "UTC" };

test("switching to another mode and back keeps the session started from home, including undo", async () => {
  await openApp("/page/page-1/study/deck-1?all=&bucket=due", {
    signedIn: true,
    answers: {
      pages: { getPage: () => ({ page, components: [deck] }) },
      study: { getDeckSchedule: () => ({ schedules: [], studiedToday: 0, dailyLimit: null, ...terms }) },
    },
  });
  const user = userEvent.setup();
  await screen.findByRole("heading", { level: 1, name: "The first question" });
  await user.keyboard(" 4");
  await screen.findByRole("heading", { level: 1, name: "The second question" });
  await user.click(screen.getByRole("link", { name: "Flip" }));
  await screen.findByRole("link", { name: "Flip", current: "page" });
  const learn = screen.getByRole("link", { name: "Learn" });
  expect(learn.getAttribute("href")).toBe("/page/page-1/study/deck-1?all=&bucket=due");
  await user.click(learn);
  await screen.findByRole("heading", { level: 1, name: "The second question" });
  await user.keyboard("z");
  await screen.findByRole("heading", { level: 1, name: "The first question" });
});
