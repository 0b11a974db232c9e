// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import { DeckSettings } from "#shared/study/schema.ts";
import { noNetwork, openApp } from "#tests/kit/browser/web.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";

const sides = ["first", "second"];
const cards = sides.map((id) => ({
  id,
  question: `The ${id} question`,
  answer: `The ${id} answer`,
  questionImage: null,
  citation: null,
}));

/** A deck that is opened for a match, and the times that its server received. */
async function openMatch(id: string, settings = DeckSettings.parse({})) {
  const deck = Component.parse({
    _id: id,
    pageId: "page-1",
    createdAt: 1,
    modifiedAt: 1,
    createdBy: "ada",
    version: 1,
    type: "flash_cards",
    content: { title: "Key terms", cards },
  });
  const times: unknown[] = [];
  const server = { isReached: true };
  const schedule = { schedules: [], studiedToday: 0, dailyLimit: null, weights: null, load: [], timezone: "UTC" };
  await openApp(`/page/page-1/study/${id}?mode=match&bucket=all`, {
    signedIn: true,
    answers: {
      pages: {
        getPage: () => ({ page: { ...listedPage("page-1", "Biology"), components: [id] }, components: [deck] }),
      },
      study: {
        getDeckSchedule: () => ({ ...schedule, settings, secondsPerReview: 8 }),
        saveDeckSettings: ({ bestMatchMs }) => {
          if (!server.isReached) return noNetwork();
          times.push(bestMatchMs);
          return { settings };
        },
      },
    },
  });
  return { times, server };
}

async function playRound() {
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: /Start/ }, { timeout: 10_000 }));
  for (const side of sides) {
    await user.click(await screen.findByRole("button", { name: `Question: The ${side} question` }));
    await user.click(screen.getByRole("button", { name: `Answer: The ${side} answer` }));
  }
  await screen.findByText("All matched");
}

/** A request that never gets an event. */
const unanswered = () =>
  Object.assign(Object.create(IDBOpenDBRequest.prototype) as IDBOpenDBRequest, { addEventListener: () => undefined });

const throwFull = (): never => {
  throw new DOMException("The storage is full", "QuotaExceededError");
};

/** Breaks one method of IndexedDB for this test. */
function breakStorage(prototype: IDBFactory | IDBObjectStore, method: "open" | "get" | "put", by: () => never) {
  const spy = vi.spyOn(prototype as IDBFactory & IDBObjectStore, method).mockImplementation(by);
  onTestFinished(() => spy.mockRestore());
}

test.each([
  ["takes no more", () => breakStorage(IDBObjectStore.prototype, "put", throwFull)],
  ["cannot be opened", () => breakStorage(IDBFactory.prototype, "open", throwFull)],
  ["never answers a read", () => breakStorage(IDBObjectStore.prototype, "get", unanswered as () => never)],
])(
  "a match time reaches the server from a browser whose storage %s",
  async (fault, breakIt) => {
    breakIt();
    const { times } = await openMatch(`deck whose storage ${fault}`);
    await playRound();
    await expect.poll(() => times).toEqual([expect.any(Number)]);
  },
  30_000,
);

test("in a browser whose storage fails, the best time is the server's", async () => {
  breakStorage(IDBObjectStore.prototype, "get", throwFull);
  await openMatch("deck-with-time", DeckSettings.parse({ bestMatchMs: 21_400 }));
  await screen.findByText("21.4 s", {}, { timeout: 10_000 });
});

test("a time that neither the server nor the storage accepted is sent when the deck is next played", async () => {
  breakStorage(IDBObjectStore.prototype, "put", throwFull);
  const { times, server } = await openMatch("deck-offline");
  server.isReached = false;
  await playRound();
  expect(times).toEqual([]);
  server.isReached = true;
  const user = userEvent.setup();
  await user.click(screen.getByRole("link", { name: "Flip" }));
  await screen.findByRole("link", { name: "Flip", current: "page" });
  await user.click(screen.getByRole("link", { name: "Match" }));
  await expect.poll(() => times).toEqual([expect.any(Number)]);
});
