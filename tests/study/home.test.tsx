// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { buildPage } from "#shared/pages/present.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import type { User } from "#shared/user/schema.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { ada, noNetwork, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";
import { findCachedContent, findCachedList } from "#webapp/offline/list-cache.ts";
import { startSession } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { finishSignOut } from "#webapp/app/session/sign-out.ts";
import { clearToken } from "#webapp/app/session/token.ts";
import { dueAtom } from "#webapp/study/due.ts";
import { uploadToNewPages } from "#webapp/uploads/parts/upload-menu.tsx";

const DAY_MS = 86_400_000;

function aPage(id: string, title: string, at: number) {
  const data = { title, emoji: null, parent: null, order: 0, isFlashcardPage: false, createdAt: at };
  return buildPage(
    { id: "r", clientId: "c", seq: 1, resourceId: id, type: "page_create", createdAt: at, data },
    ada._id,
  );
}

const pages = [aPage("genes", "Genes", 1), aPage("atoms", "Atoms", 2)];
const withPages: Answers = { pages: { getContent: () => ({ content: { pages, components: [], podcasts: [] } }) } };
const aDeck = (due: number, fresh: number, learning = 0) => ({
  componentId: "deck",
  pageId: "genes",
  title: "Key terms",
  due,
  learning,
  learningAt: null,
  fresh,
  introduced: 0,
  examAt: null,
  minutesPerDay: null,
  examId: null,
  total: 20,
});

const noFigures = {
  days: [],
  calibration: { count: 0, predicted: 0, actual: 0, logLoss: 0, bins: [] },
  secondsPerReview: 15,
  isFitted: false,
};

test("due cards come first, with a way to study them", async () => {
  const answers: Answers = { ...withPages, study: { getDue: () => ({ decks: [aDeck(7, 3)] }) } };
  await openApp("/home", { signedIn: true, answers });
  await screen.findByText(/· 7 due · 3 new$/);
  const study = screen.getByRole("link", { name: "Study Key terms" });
  expect(study.getAttribute("href")).toBe("/page/genes/study/deck?bucket=due");
  // The sidebar shows the same count as the heading.
  expect(screen.getByRole("heading", { name: "10 cards" })).toBeDefined();
  expect(screen.getByText("10 today")).toBeDefined();
});

test("home offers all cards of today as one session across decks, the student's own decks before the sample", async () => {
  const sample = { ...aDeck(30, 0), componentId: "tries", pageId: `sample-tries-${ada._id}`, title: "Sample" };
  const dates = { ...aDeck(9, 0), componentId: "dates", pageId: "atoms", title: "Dates" };
  const idle = { ...aDeck(0, 0), componentId: "idle", title: "Idle" };
  const decks = [sample, aDeck(7, 30), dates, idle];
  const forecast = [16, 4, 0, 2, 0, 0, 1];
  const getStatistics = () => ({ ...noFigures, forecast });
  const app = await openApp("/home", {
    signedIn: true,
    answers: { ...withPages, study: { getDue: () => ({ decks }), getStatistics } },
  });
  await screen.findByRole("heading", { name: "36 cards" });
  await screen.findByText("About 16 minutes · 16 due · 20 new · 10 more new in the coming days");
  await screen.findByText("1 other deck has nothing due today.");
  await screen.findByText("23 reviews");
  const links = screen.getAllByRole("link", { name: /^Study / }).map((link) => link.getAttribute("aria-label"));
  expect(links.filter(Boolean)).toEqual(["Study Dates", "Study Key terms", "Study Sample"]);
  await userEvent.setup().keyboard("s");
  await waitFor(() => expect(app.address()).toContain("/page/atoms/study/dates"));
  expect(app.address()).toContain("all=");
});

test("cards that come back within minutes are named, and their deck can be studied, although nothing is due", async () => {
  const idle = { ...aDeck(0, 0), componentId: "idle", title: "Idle" };
  const waiting = { ...aDeck(0, 0, 11), learningAt: Date.now() + 9 * 60_000 };
  const figures = { ...noFigures, forecast: [11, 0, 9, 0, 0, 0, 0] };
  const study = { getDue: () => ({ decks: [waiting, idle] }), getStatistics: () => figures };
  await openApp("/home", { signedIn: true, answers: { ...withPages, study } });
  await screen.findByRole("heading", { name: "Next card in 9 minutes" });
  screen.getByText("11 cards you are learning come back today.");
  screen.getByText("11 back soon");
  screen.getByRole("link", { name: "Study Key terms" });
  screen.getByText("1 other deck has nothing due today.");
  await screen.findByText("20 reviews");
});

test("when nothing is due, home names the next day with cards", async () => {
  const figures = { ...noFigures, forecast: [0, 0, 4, 1, 0, 0, 0] };
  const study = { getDue: () => ({ decks: [aDeck(0, 0)] }), getStatistics: () => figures };
  await openApp("/home", { signedIn: true, answers: { ...withPages, study } });
  await screen.findByRole("heading", { name: "Nothing due right now" });
  await screen.findByText("4 cards come back in 2 days. Cards come back just before you would forget them.");
});

test("a deck with an exam plan can be studied, and its cards do not count as due", async () => {
  const planned = { ...aDeck(7, 3), examAt: Date.now() + 9 * DAY_MS, minutesPerDay: 20 };
  const other = { ...aDeck(2, 0), componentId: "other", title: "Dates" };
  const over = { ...aDeck(1, 0), componentId: "over", title: "Over", examAt: 1, minutesPerDay: 20 };
  const answers: Answers = { ...withPages, study: { getDue: () => ({ decks: [planned, other, over] }) } };
  await openApp("/home", { signedIn: true, answers });
  await screen.findByText("On your exam plan");
  expect(screen.getByText("3 today")).toBeDefined();
  expect(screen.getAllByRole("link", { name: /^Study (?!all)/ })).toHaveLength(3);
  expect(screen.queryByText("3 new")).toBeNull();
});

test("the streak of a student who studied yesterday continues, with a note that today is not studied yet", async () => {
  const streak = { user: ada._id, currentStreak: 4, longestStreak: 9, createdAt: 0, updatedAt: 0 };
  const getStreak = () => ({ ...streak, lastStudied: Date.now() - DAY_MS });
  await openApp("/home", { signedIn: true, answers: { ...withPages, user: { getStreak } } });
  await screen.findByText("4 days in a row · Not studied yet today · Longest: 9 days");
});

test("the last opened page is offered first, the others below", async () => {
  await openApp("/home", { signedIn: true, answers: withPages });
  const latest = await screen.findByRole("link", { name: /^Atoms.*Edited/ });
  expect(latest.getAttribute("href")).toBe("/page/atoms");
  await screen.findByRole("heading", { name: /Recent pages/ });
});

/** A server that accepts every change. */
const acceptChanges = (requests: unknown[]): NonNullable<Answers["sync"]> => ({
  sendBatches: (sent) => {
    const all = (sent["batches"] as { requests: SyncRequest[] }[]).flatMap((batch) => batch.requests);
    requests.push(...all);
    return { success: all.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
  },
});

test("an account without pages sees how to start, and creates its first page", async () => {
  const requests: unknown[] = [];
  const app = await openApp("/home", { signedIn: true, answers: { sync: acceptChanges(requests) } });
  await screen.findByRole("heading", { name: "Start with a page" });
  const [, inPlace] = screen.getAllByRole("button", { name: "New page" });
  if (!inPlace) throw new Error("No button in the empty state");
  await userEvent.setup().click(inPlace);
  await waitFor(() => expect(app.address()).toMatch(/^\/page\/\w{26}$/));
  await waitFor(() => expect(requests[0]).toMatchObject({ type: "page_create" }));
});

/** The server's answer on the account, which the test gives later. */
const anAccountLater = () => createDeferred<{ user: User; organization: null; tempToken: string }>();
const accountOfAda = { user: ada, organization: null, tempToken: "temp" };

test.each([
  ["New page", "/home", /^\/page\/\w{26}$/, "page_create"],
  ["New folder", "/content/all", /^\/folder\/\w{26}$/, "folder_create"],
])(
  "“%s”, pressed before the account has loaded, is carried out as soon as it has",
  async (name, path, opened, type) => {
    const account = anAccountLater();
    const requests: unknown[] = [];
    const answers = { auth: { getUser: () => account.promise }, sync: acceptChanges(requests) };
    const app = await openApp(path, { signedIn: true, answers });
    const [button] = await screen.findAllByRole("button", { name });
    if (!button) throw new Error(`No button “${name}”`);
    await userEvent.setup().click(button);
    expect(app.address()).toBe(path);
    account.resolve(accountOfAda);
    await waitFor(() => expect(app.address()).toMatch(opened));
    await waitFor(() => expect(requests[0]).toMatchObject({ type }));
  },
);

test("files that are dropped before the account has loaded are uploaded as soon as it has", async () => {
  const account = anAccountLater();
  await openApp("/home", { signedIn: true, answers: { auth: { getUser: () => account.promise } } });
  uploadToNewPages([new File(["Genes are parts of chromosomes."], "genes.md", { type: "text/markdown" })]);
  account.resolve(accountOfAda);
  await screen.findByText(/genes\.md/);
});

test("a list that fails to load shows an error with a retry", async () => {
  await openApp("/home", { signedIn: true, answers: { pages: { getContent: () => refuse("broken", "No") } } });
  await screen.findByRole("heading", { name: "Your pages could not be loaded" });
  expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
});

test("a page created offline is shown and stored, and the sidebar shows the unsaved change", async () => {
  const app = await openApp("/home", { signedIn: true, answers: { ...withPages, sync: { sendBatches: noNetwork } } });
  await screen.findByText("All changes saved");
  Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
  await act(async () => void window.dispatchEvent(new Event("offline")));
  await screen.findByText("Offline, kept on this device");
  await userEvent.setup().click(screen.getAllByRole("button", { name: "New page" })[0] as HTMLElement);
  await waitFor(() => expect(app.address()).toMatch(/^\/page\//));
  await act(() => app.router.navigate({ to: "/home" }));
  await screen.findByRole("link", { name: /^Untitled.*Edited/ });
  Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
});

const withDue = { getDue: () => ({ decks: [aDeck(7, 3)] }) };

test("offline, home shows the last loaded data, and none of it after sign-out", async () => {
  const first = await openApp("/home", { signedIn: true, answers: { ...withPages, study: withDue } });
  await screen.findByText(/· 7 due · 3 new$/);
  await waitFor(async () => {
    expect((await findCachedContent(ada._id))?.pages.map(({ title }) => title)).toEqual(["Genes", "Atoms"]);
    // The new cards of today are counted until the study day ends.
    expect(await findCachedList(ada._id, "due")).toMatchObject([{ introducedUntil: expect.any(Number) }]);
  });
  // The tab is closed, and a new one is opened offline.
  first.unmount();
  clearToken();
  await startSession();
  localStorage.setItem("lamplight_session", JSON.stringify({ user: ada, renewedAt: Date.now() }));
  const silent: Answers = {
    auth: { getUser: noNetwork, logout: noNetwork },
    pages: { getContent: noNetwork },
    study: { getDue: noNetwork },
    library: { listFolders: noNetwork, getFavorites: noNetwork },
  };
  await openApp("/home", { signedIn: true, answers: silent });
  await screen.findByText(/· 7 due · 3 new$/);
  expect(screen.getAllByText("Atoms").length).toBeGreaterThan(0);
  await act(finishSignOut);
  expect([await findCachedContent(ada._id), await findCachedList(ada._id, "due")]).toEqual([undefined, undefined]);
});

/** A sign-out that the server answers only after the new list was cached. */
const slowLogout = async () => {
  await vi.waitFor(async () => expect((await findCachedContent(ada._id))?.pages).toHaveLength(2), { timeout: 10_000 });
  return { success: true as const };
};

test("a list cached while sign-out is pending is removed with the account", async () => {
  await openApp("/home", { signedIn: true, answers: { ...withPages, auth: { logout: slowLogout } } });
  await screen.findAllByText("Genes");
  await act(finishSignOut);
  expect(await findCachedContent(ada._id)).toBeUndefined();
});

test("due cards that arrive after sign-out are not shown to the next account", async () => {
  const late = createDeferred<{ decks: ReturnType<typeof aDeck>[] }>();
  const isAsked = createDeferred<void>();
  const getDue = () => {
    isAsked.resolve();
    return late.promise;
  };
  await openApp("/home", { signedIn: true, answers: { ...withPages, study: { getDue } } });
  await isAsked.promise;
  await act(finishSignOut);
  const eve = { ...ada, _id: "01JD0000000000000000000EVE", name: "Eve" };
  const auth = { getUser: () => ({ user: eve, organization: null, tempToken: "temp" }) };
  const hasAsked = createDeferred<void>();
  const never = () => {
    hasAsked.resolve();
    return new Promise<never>(() => undefined);
  };
  cleanup();
  await openApp("/home", { signedIn: true, answers: { ...withPages, auth, study: { getDue: never } } });
  await hasAsked.promise;
  late.resolve({ decks: [aDeck(7, 3)] });
  await act(() => late.promise);
  expect(store.get(dueAtom)).toEqual({ state: "loading" });
});
