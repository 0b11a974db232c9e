// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { buildPage } from "#shared/pages/present.ts";
import { Component } from "#shared/pages/schema.ts";
import { study } from "#shared/study/contract.ts";
import { replay } from "#shared/study/rules.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import { SyncRequest, type SyncRequestOf } from "#shared/sync/schema.ts";
import { Preferences } from "#shared/user/schema.ts";
import { setDeckEditDeps } from "#webapp/flashcards/deck/deck-edit.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { setNavigate } from "#webapp/app/navigation.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { store } from "#webapp/app/store.ts";
import { readCachedDeck, wipeStudyData } from "#shared/study/deck/cached-decks.ts";
import { setStudyPort, type StudyPort } from "#webapp/study/study-port.ts";
import { streakAtom } from "#webapp/study/home/home-state.ts";
import { prefetchDueDecks } from "#webapp/study/offline/prefetch-due.ts";
import { StudyScreen } from "#webapp/study/session/study-screen.tsx";

const NOW = Date.UTC(2026, 8, 1, 12);
const DAY_MS = 86_400_000;
const quote = "Most amino acids are specified by more than one codon";

const cards = [
  {
    id: "card-1",
    question: "Why is the genetic code called degenerate?",
    answer: "Most amino acids have more than one codon.",
    questionImage: null,
    citation: `pdf_citation:pdf-1:4:${encodeURIComponent(quote)}`,
    section: "The Genetic Code",
  },
  { id: "card-2", question: "A start codon is ____.", answer: "AUG", questionImage: null, citation: null },
];

interface World {
  schedules: Schedule[];
  cards: unknown[];
  dailyLimit: number | null;
  studiedToday: number;
  failure: Error | null;
  isPageGone: boolean;
  /** Number of requests for the deck's schedules. */
  asked: number;
  opened: string[];
}

let world: World;
let requests: { type: string; data: unknown }[];
let now: number;
let account = 0;

beforeEach(() => {
  const server = { dailyLimit: null, studiedToday: 0, failure: null, isPageGone: false };
  world = { schedules: [], cards, ...server, asked: 0, opened: [] };
  requests = [];
  now = NOW;
  // Each test has its own account, because the previous test may still be writing its offline copy.
  account += 1;
  setTransport(async ({ path }) => {
    if (world.failure) throw world.failure;
    const answer = answerTo(path);
    return { text: async () => JSON.stringify(answer), blob: async () => new Blob(), pieces: async function* () {} };
  });
  setStudyPort(aPort());
  setDeckEditDeps({
    loadPage: async () => pageState(),
    update: async (_id, content) => {
      world.cards = content["cards"] as unknown[];
    },
  });
  const plan = { type: "FREE", endAt: null, paused: false, pausedUntil: null } as const;
  const more = { timezone: "UTC", profilePictureUrl: null, seenFeatures: [], onboardingComplete: true, createdAt: NOW };
  const name = { _id: `student-${account}`, name: "Ada", email: "ada@example.org", isAdmin: false };
  const address = { emailVerified: true, hasPassword: true };
  setUser({ ...name, ...address, ...more, plan, authProvider: "EMAIL_PASSWORD" });
});

afterEach(() => cleanup());

function aPort(): StudyPort {
  const number = account;
  return {
    accountId: () => `student-${number}`,
    loadPage: async () => {
      if (world.isPageGone) throw new Failure("not_found", "no_page");
      return pageState();
    },
    enqueue: async (type, _resourceId, data) => void requests.push({ type, data }),
    unsaved: () => requests.map(({ type, data }) => ({ type, data, resourceId: "deck-1" }) as unknown as SyncRequest),
    flush: async () => {},
    now: () => now,
    newId: () => `review-of-this-test-${requests.length}`,
  };
}

function answerTo(path: string): unknown {
  const { schedules, studiedToday, dailyLimit } = world;
  if (path === "/v1/study/deck/deck-1") {
    world.asked += 1;
    return study.getDeckSchedule.output.parse({ schedules, studiedToday, dailyLimit, timezone: "UTC" });
  }
  if (path.endsWith("/mark_recently_opened")) return { success: world.opened.push(path.split("/")[4] ?? "") > 0 };
  if (path === "/v1/user/preferences") return Preferences.parse({});
  if (path === "/v1/user/streak")
    return { user: "ada", currentStreak: 2, longestStreak: 2, lastStudied: NOW - DAY_MS, createdAt: 0, updatedAt: 0 };
  if (path === "/v1/flashcard/hint") return { hint: "Think of how many words say one thing." };
  throw new Failure("not_found", "no_endpoint");
}

function pageState(): PageState {
  const base = { pageId: "page-1", createdAt: NOW, modifiedAt: NOW, createdBy: "ada", version: 1 };
  const pdf = { file: { id: "pdf-1.pdf", name: "Lecture 9.pdf" }, url: "/v1/files/pdf-1.pdf" };
  const deck = { title: "Genes and proteins", cards: world.cards };
  const asked = { type: "page_create", resourceId: "page-1", data: { title: "Biology", createdAt: NOW } } as const;
  const request = { id: "0123456789", clientId: "a", seq: 1, createdAt: NOW, ...asked };
  const page = buildPage(SyncRequest.parse(request) as SyncRequestOf<"page_create">, "ada");
  return {
    page: { ...page, components: ["pdf-1", "deck-1"] },
    components: [
      Component.parse({ ...base, _id: "pdf-1", type: "image", content: pdf }),
      Component.parse({ ...base, _id: "deck-1", type: "flash_cards", content: deck }),
    ],
  };
}

async function openScreen() {
  const root = createRootRoute();
  const routes = [
    createRoute({ getParentRoute: () => root, path: "/page/$id/study/$flashcard", component: StudyScreen }),
    createRoute({ getParentRoute: () => root, path: "/page/$id", component: () => <p>The page</p> }),
    createRoute({ getParentRoute: () => root, path: "/home", component: () => <p>Home</p> }),
  ];
  const history = createMemoryHistory({ initialEntries: ["/page/page-1/study/deck-1"] });
  const router = createRouter({ routeTree: root.addChildren(routes), history });
  render(
    <Provider store={store}>
      <RouterProvider router={router as never} />
    </Provider>,
  );
  return userEvent.setup();
}

const question = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });
const reviewed = (parts: Partial<Review>): Schedule => {
  const review = {
    _id: "review-000000",
    cardId: "card-1",
    componentId: "deck-1",
    grade: 4,
    reviewedAt: NOW,
    intervalDays: 8,
  } as const;
  const schedule = replay([{ ...review, ...parts }]);
  if (!schedule) throw new Error("one review was given");
  return schedule;
};

test("a session works by keyboard: show with space, grade with a number, read the summary, leave with Escape", async () => {
  const user = await openScreen();
  await question("Why is the genetic code called degenerate?");
  expect(screen.queryByText(/more than one codon/)).toBeNull();
  expect(screen.getByText("The Genetic Code")).toBeDefined();
  await user.keyboard(" ");
  expect(screen.getByText("more than one codon").className).toBe("lit");
  expect(screen.getByText("Lecture 9.pdf")).toBeDefined();
  now += 4000;
  await user.keyboard("4");
  await question(/A start codon is/);
  await user.keyboard("{Enter}4");
  await question("Done for now");
  expect(requests.map(({ type }) => type)).toEqual(["review_add", "review_add"]);
  expect(requests[0]?.data).toMatchObject({ cardId: "card-1", componentId: "deck-1", grade: 4, durationMs: 4000 });
  expect(screen.getByText("2 cards")).toBeDefined();
  expect(screen.getByText("3 days")).toBeDefined();
  await user.keyboard("{Escape}");
  expect(await screen.findByText("The page")).toBeDefined();
});

test("each grade shows the next interval, and the recommended one has the focus", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" ");
  const grades = within(screen.getByRole("group", { name: "How well did you know it?" })).getAllByRole("button");
  const names = ["Again next review in 1 minute", "Hard next review in 6 minutes", "Good next review in 10 minutes"];
  for (const [at, name] of [...names, "Easy next review in 8 days"].entries())
    expect(screen.getByRole("button", { name })).toBe(grades[at]);
  expect(document.activeElement).toBe(grades[2]);
});

test("numbers don't grade before the answer is shown", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard("3");
  expect(requests).toEqual([]);
  expect(screen.getByRole("button", { name: /Show answer/ })).toBeDefined();
});

test("Z undoes the last grade and shows its card again", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" 1");
  await question(/A start codon is/);
  await user.keyboard("z");
  await question(/degenerate/);
  expect(requests.at(-1)).toEqual({ type: "review_undo", data: { reviewId: "review-of-this-test-0" } });
  await user.keyboard("{Control>}z{/Control}");
  expect(requests).toHaveLength(2);
});

test("undoing the day's only answer removes the day from the streak", async () => {
  world.cards = [cards[0]];
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" 4");
  expect(await screen.findByText("3 days")).toBeDefined();
  await user.keyboard("z");
  await question(/degenerate/);
  expect(store.get(streakAtom)).toMatchObject({ currentStreak: 2 });
});

test('a blank is announced as "blank" to screen readers', async () => {
  world.cards = [cards[1]];
  await openScreen();
  const heading = await question(/A start codon is/);
  expect(within(heading).getByRole("img", { name: "blank" })).toBeDefined();
  expect(heading.textContent).not.toContain("_");
});

test("a citation opens its page of the document with the quote highlighted", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" ");
  const went: string[] = [];
  setNavigate((path) => went.push(path));
  await user.click(screen.getByRole("button", { name: "p. 4 of Lecture 9.pdf: open source" }));
  const [address] = went.map((path) => new URL(path, "http://here"));
  expect(address?.pathname).toMatch(/^\/pdf\//);
  expect(Object.fromEntries(address?.searchParams ?? [])).toEqual({ page: "4", quote });
});

test("with nothing due, the screen shows when the next card is due and offers to study anyway", async () => {
  world.cards = [...cards, { ...cards[1], id: "card-3", isSuspended: true }];
  world.schedules = [
    reviewed({}),
    reviewed({ cardId: "card-2" }),
    reviewed({ cardId: "card-3", reviewedAt: NOW - 5 * DAY_MS }),
  ];
  const user = await openScreen();
  await question("Nothing due");
  expect(screen.getByText("Your next card is due in 8 days.")).toBeDefined();
  // The student studied yesterday, so the screen warns that a day without study ends the streak.
  await screen.findByText(/^You have a 2-day streak\. Study one card today/);
  await user.click(screen.getByRole("button", { name: "Study anyway" }));
  await question(/degenerate/);
});

test("at the plan's limit no further card is shown, and earlier answers are kept", async () => {
  world.dailyLimit = 3;
  world.studiedToday = 2;
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" 4");
  await question("You've reached today's card limit");
  expect(screen.getByText(/^Your plan lets you study 3 cards a day\. .* Resets in 12h 0m\.$/)).toBeDefined();
  expect(requests).toHaveLength(1);
});

test("a deck without cards shows an empty state", async () => {
  world.cards = [];
  await openScreen();
  await question("This deck has no cards yet");
});

test("offline, a deck opened before can be studied", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" 4");
  await question(/A start codon is/);
  cleanup();
  world.failure = new NoResponseError("network");
  now += 60_000;
  const again = await openScreen();
  await question(/A start codon is/);
  expect(screen.getByText("Offline: your answers are saved on this device")).toBeDefined();
  await again.keyboard(" 4");
  await question("Done for now");
  expect(requests).toHaveLength(2);
});

const none = { learning: 0, learningAt: null, examAt: null, minutesPerDay: null, examId: null };
const dueDecks = [
  { componentId: "deck-1", pageId: "page-1", title: "Genes", due: 0, fresh: 2, introduced: 0, total: 2, ...none },
];

test("cached content isn't fetched again within an hour, however often home is opened", async () => {
  await prefetchDueDecks(dueDecks);
  await prefetchDueDecks(dueDecks);
  expect(world.asked).toBe(1);
  now += 3_600_001;
  await prefetchDueDecks(dueDecks);
  expect(world.asked).toBe(2);
});

test("due decks are cached before they are opened and can be studied offline", async () => {
  await prefetchDueDecks(dueDecks);
  world.failure = new NoResponseError("network");
  await openScreen();
  await question(/degenerate/);
  expect(screen.getByText("Offline: your answers are saved on this device")).toBeDefined();
});

test("offline, a deck never loaded on this device shows a message, and loads once online", async () => {
  world.failure = new NoResponseError("network");
  const user = await openScreen();
  expect(await screen.findByText(/You.re offline/)).toBeDefined();
  world.failure = null;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await question(/degenerate/);
});

test("a missing deck and another account's show a message and don't count as opened; an existing one does", async () => {
  world.isPageGone = true;
  await openScreen();
  await question("Deck not found");
  expect(world.opened).toEqual([]);
  cleanup();
  world.isPageGone = false;
  await openScreen();
  await waitFor(() => expect(world.opened).toEqual(["deck-1"]));
});

test("answers not yet sent to the server aren't asked again", async () => {
  requests.push({
    type: "review_add",
    data: { _id: "review-waiting", cardId: "card-1", componentId: "deck-1", grade: 4, reviewedAt: NOW - 1000 },
  });
  await openScreen();
  await question(/A start codon is/);
});

test("an answer that can't be stored leaves the card in place", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  setStudyPort({ ...aPort(), enqueue: () => Promise.reject(new DOMException("full", "QuotaExceededError")) });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await user.keyboard(" 4");
  await waitFor(() => expect(screen.getByRole("heading", { level: 1, name: /degenerate/ })).toBeDefined());
});

test("a grade pressed twice before it is stored grades one card once", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  const port = aPort();
  const waiting: (() => void)[] = [];
  const enqueue: StudyPort["enqueue"] = async (type, id, data) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return port.enqueue(type, id, data);
  };
  setStudyPort({ ...port, enqueue });
  await user.keyboard(" 4");
  await user.keyboard("4");
  await user.click(screen.getByRole("button", { name: /^Good/ }));
  for (const resolve of waiting) resolve();
  await question(/A start codon is/);
  expect(requests).toHaveLength(1);
});

test("a bucket can be selected, limits the cards asked, and is remembered", async () => {
  world.schedules = [reviewed({ grade: 1 })];
  const user = await openScreen();
  await user.selectOptions(await screen.findByRole("combobox", { name: "Cards to study" }), "Hard (1)");
  await question(/degenerate/);
  expect(screen.getByText("1 of 1")).toBeDefined();
  await user.selectOptions(screen.getByRole("combobox", { name: "Cards to study" }), "Favourites (0)");
  await question("No favourites yet");
  expect(store.get(preferencesAtom).flashcards.bucket).toBe("favourites");
});

test("a card seen before shows when", async () => {
  world.schedules = [reviewed({ reviewedAt: NOW - 20 * DAY_MS })];
  world.cards = [cards[0]];
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" ");
  expect(screen.getByText(/^Last seen/)).toBeDefined();
});

test("signing out leaves no study data in the browser", async () => {
  const names = { accountId: `student-${account}`, componentId: "deck-1" };
  await prefetchDueDecks(dueDecks);
  await waitFor(async () => expect(await readCachedDeck(names)).toBeDefined());
  await wipeStudyData(names.accountId);
  expect(await readCachedDeck(names)).toBeUndefined();
});

test("a card can be buried, suspended and edited by keyboard, and the session continues", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard("b");
  await question(/start codon/);
  expect(requests.at(-1)).toEqual({
    type: "card_standing",
    data: { cards: [{ cardId: "card-1", buriedUntil: Date.UTC(2026, 8, 2, 4) }] },
  });
  await user.keyboard("e");
  const answer = await screen.findByRole("textbox", { name: "Answer" });
  await user.clear(answer);
  await user.type(answer, "AUG, three letters");
  await user.click(screen.getByRole("button", { name: "Save card" }));
  await waitFor(() => expect(world.cards[1]).toMatchObject({ id: "card-2", answer: "AUG, three letters" }));
  await user.keyboard("s");
  await waitFor(() => expect(requests.at(-1)?.data).toEqual({ cards: [{ cardId: "card-2", isSuspended: true }] }));
  expect(requests.filter(({ type }) => type === "review_add")).toEqual([]);
  await screen.findByRole("button", { name: "Go to page" });
  expect(screen.queryByRole("button", { name: /^Study/u })).toBeNull();
});

test("H shows a hint, saved with the card and replaced by the answer; the next card starts without one", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard("h");
  await screen.findByText("Think of how many words say one thing.");
  const hint = "Think of how many words say one thing.";
  await waitFor(() => expect(world.cards[0]).toMatchObject({ ai: { hint, hintGeneratedAt: NOW } }));
  await user.keyboard(" ");
  expect(screen.queryByText(hint)).toBeNull();
  await user.keyboard("3");
  await question(/start codon/);
  expect(screen.queryByText(hint)).toBeNull();
  expect(screen.getByRole("button", { name: /Hint/ })).toBeDefined();
});

test("offline, the hint is made on the device and doesn't reveal the answer", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  world.failure = new NoResponseError("network");
  await user.keyboard("h");
  const hint = await screen.findByText(/The answer has 8 words/);
  expect(hint.textContent).not.toContain("codon");
});

test("any answer of the session can be undone, not only the last, and its card is asked again", async () => {
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" 4");
  await question(/start codon/);
  await user.keyboard(" 1");
  await question(/start codon/);
  await user.click(screen.getByRole("button", { name: "Card actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Answers in this session" }));
  await user.click(await screen.findByRole("button", { name: /Undo: Why is the genetic code/ }));
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ type: "review_undo" }));
  const given = requests[0]?.data as Review | undefined;
  expect(requests.at(-1)?.data).toEqual({ reviewId: given?._id });
  await user.click(screen.getByRole("button", { name: "Close" }));
  await question(/start codon/);
  await user.keyboard(" 4");
  await question(/degenerate/);
});

test("a card forgotten for the eighth time offers to be rewritten from its source", async () => {
  const lapses = {
    lapses: 7,
    state: "review",
    stability: 3,
    scheduledDays: 3,
    lastReviewedAt: NOW - 5 * DAY_MS,
  } as const;
  world.cards = [{ ...cards[0], answer: "adenine; guanine; cytosine" }, cards[1]];
  world.schedules = [{ ...reviewed({ reviewedAt: NOW - 9 * DAY_MS }), ...lapses, dueAt: NOW - DAY_MS }];
  const user = await openScreen();
  await question(/degenerate/);
  await user.keyboard(" 1");
  expect(await screen.findByText("You've missed this card 8 times")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Rewrite card" }));
  const proposal = await screen.findByRole("region", { name: "Split into one card per part" });
  await user.click(within(proposal).getByRole("button", { name: "Use this" }));
  await waitFor(() => expect(world.cards).toHaveLength(4));
  expect(world.cards[0]).toMatchObject({ id: "card-1", answer: "adenine" });
  expect(world.cards[2]).toMatchObject({ answer: "cytosine" });
});
