// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import { PENDING_CARDS_KEY, PENDING_CARDS_MS, type PendingCards } from "#shared/marketing/pending-cards.ts";
import { plainText } from "#shared/pages/runs.ts";
import { PageWorld } from "#tests/kit/browser/page-world.tsx";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { setUser, userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { adoptedPagesAtom } from "#webapp/flashcards/pending/adopted-pages.ts";
import { OfferedCards } from "#webapp/flashcards/pending/offered-cards.tsx";
import type { CardSet } from "#webapp/marketing/tools/set/card-set.ts";
import { storePendingCards, storePendingPlan } from "#webapp/marketing/tools/set/store-pending-cards.ts";
import { queue } from "#webapp/offline/sync.ts";

let world: PageWorld;

beforeEach(() => {
  localStorage.clear();
  world = new PageWorld();
});
afterEach(() => {
  cleanup();
  document.documentElement.classList.remove("signed-in");
});

const passage = "Cells grow. A sporangium is a case that holds spores. It is small.";
const quote = "A sporangium is a case that holds spores.";
const aSet = (title: string, part: Partial<CardSet> = {}): CardSet => ({
  title,
  source: "",
  cards: [{ id: 1, question: "What is a sporangium?", answer: "A case" }],
  ...part,
});

/** Makes the account of the world newer than everything that is stored, as after a registration. */
function register(): void {
  const user = store.get(userAtom);
  if (user) setUser({ ...user, createdAt: Date.now() + 1 });
}

const openApp = () =>
  render(
    <Provider store={store}>
      <OfferedCards />
    </Provider>,
  );

/** The decks that the server got, by title. */
async function sentDecks() {
  await queue().flush();
  return world
    .sent("component_create")
    .flatMap(({ data: { component } }) => (component.type === "flash_cards" ? [component.content] : []));
}

const storedText = () => localStorage.getItem(PENDING_CARDS_KEY);

test("a set with a long name, a long side and many cards reaches the new account", async () => {
  const side = "a".repeat(30_000);
  const cards = Array.from({ length: 1200 }, (_, id) => ({ id, question: `Question ${id}`, answer: "yes" }));
  storePendingCards(aSet("n".repeat(300), { cards: [{ id: 0, question: side, answer: side }] }));
  storePendingCards(aSet("Many", { cards }));
  register();
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  const decks = await sentDecks();
  expect(decks.map(({ title, cards: sent }) => [title.length, sent.length])).toEqual([
    [200, 1],
    [4, 1200],
  ]);
  expect(decks[0]?.cards[0]?.question).toHaveLength(20_000);
});

const noticesAbout = (title: string) =>
  store
    .get(alertsAtom)
    .map(({ message }) => message)
    .filter((message) => message.includes(title));

test("a new student gets the set as a page that onboarding can open, and a student of long standing gets a notice", async () => {
  storePendingCards(aSet("Fungi"));
  register();
  const user = store.get(userAtom);
  if (user) setUser({ ...user, onboardingComplete: false });
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  expect(store.get(adoptedPagesAtom).map(({ message }) => message)).toEqual(["1 card is on the new page “Fungi”."]);
  expect(noticesAbout("Fungi")).toEqual([]);
  cleanup();

  storePendingCards(aSet("Algae"));
  if (user) setUser({ ...user, onboardingComplete: true, createdAt: Date.now() + 1 });
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  expect(noticesAbout("Algae")).toEqual(["1 card is on the new page “Algae”."]);
});

test("sets of several tools become a deck each, and a set that is saved again replaces its earlier version", async () => {
  const pageId = storePendingCards(aSet("First"));
  storePendingCards(aSet("Second"));
  storePendingCards(aSet("First, edited", { pageId }));
  register();
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  expect((await sentDecks()).map(({ title }) => title)).toEqual(["Second", "First, edited"]);
  // The page exists by now, so that the same set goes to another one.
  expect(storePendingCards(aSet("First", { pageId }))).not.toBe(pageId);
});

test("a card cites the passage that it comes from, which is on its page", async () => {
  const cited = { id: 1, question: "What is a sporangium?", answer: "A case", quote, passage, page: 4 };
  const long = `${"x ".repeat(4000)}${quote}${" y".repeat(4000)}`;
  const cards = [cited, { ...cited, id: 2 }, { ...cited, id: 3, passage: long }, { id: 4, question: "a", answer: "b" }];
  storePendingCards(aSet("Fungi", { source: "Lecture 3", cards }));
  register();
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  const [deck] = await sentDecks();
  const citations = (deck?.cards ?? []).map(({ citation }) => (citation === null ? null : parseCitation(citation)));
  const texts = new Map(
    world
      .sent("component_create")
      .flatMap(({ data: { component } }) =>
        component.type === "text" ? [[component._id, plainText(component.content.text)]] : [],
      ),
  );
  expect([...texts.values()].slice(0, 2)).toEqual(["From “Lecture 3”", `${passage} (p. 4)`]);
  expect(Math.max(...[...texts.values()].map(({ length }) => length))).toBeLessThan(4100);
  expect(texts.size).toBe(3);
  for (const citation of citations.slice(0, 3)) {
    expect(citation).toMatchObject({ type: "page_citation", quote });
    expect(citation && "componentId" in citation && texts.get(citation.componentId)).toContain(quote);
  }
  expect(citations[3]).toBeNull();
});

test("a study plan becomes a page with a task for each day, and one that is kept again is there once", async () => {
  const exam = { kind: "heading", text: "Tue: Exam, Biology" } as const;
  storePendingPlan("Biology", [{ kind: "task", text: "Mon: Learn: Cells (30 min)" }, exam]);
  storePendingPlan("Biology", [
    { kind: "text", text: "Tick off what you have done." },
    { kind: "task", text: "Mon: Learn: Cells (60 min)" },
    exam,
  ]);
  register();
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  await queue().flush();
  const blocks = world
    .sent("component_create")
    .flatMap(({ data: { component } }) =>
      component.type === "text" ? [[component.content.subType, plainText(component.content.text)]] : [],
    );
  expect(world.sent("page_create").map(({ data }) => data.title)).toEqual(["Biology"]);
  expect(blocks).toEqual([
    ["normal", "Tick off what you have done."],
    ["list_checkbox_unchecked", "Mon: Learn: Cells (60 min)"],
    ["heading_2", "Tue: Exam, Biology"],
  ]);
  expect(store.get(alertsAtom).map(({ message }) => message)).toContain(
    "Your study plan is on the new page “Biology”.",
  );
});

const keepPlan = (exam: string) =>
  storePendingPlan("Plan", [
    { kind: "task", text: "Mon: Learn: Cells (30 min)" },
    { kind: "heading", text: `${exam}: Exam, Plan` },
  ]);

test("a study plan replaces neither one of another account nor one for another exam", () => {
  document.documentElement.classList.add("signed-in");
  keepPlan("Tue");
  document.documentElement.classList.remove("signed-in");
  keepPlan("Tue");
  keepPlan("Fri");
  keepPlan("Fri");
  const stored = JSON.parse(storedText() ?? "[]") as PendingCards[];
  expect(stored.map(({ accountId, lines }) => [accountId, lines?.at(-1)?.text])).toEqual([
    [store.get(userAtom)?._id, "Tue: Exam, Plan"],
    [undefined, "Tue: Exam, Plan"],
    [undefined, "Fri: Exam, Plan"],
  ]);
});

test("a visitor's study plan is offered to an older account as what it is", async () => {
  storePendingPlan("Biology", [{ kind: "task", text: "Mon: Learn: Cells (30 min)" }]);
  openApp();
  const dialog = await screen.findByRole("dialog", { name: "Is this yours?" });
  expect(dialog.textContent).toContain("Study plan");
  await userEvent.click(screen.getByRole("button", { name: "Add “Biology” to this account" }));
  await waitFor(() => expect(storedText()).toBeNull());
});

test("cards of a visitor reach an older account only after the student agreed", async () => {
  storePendingCards(aSet("Mine"));
  storePendingCards(aSet("A stranger's"));
  openApp();
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Add “Mine” to this account" }));
  await user.click(screen.getByRole("button", { name: "Delete “A stranger's”" }));
  await waitFor(() => expect(storedText()).toBeNull());
  expect((await sentDecks()).map(({ title }) => title)).toEqual(["Mine"]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a student who decides later is asked again", async () => {
  storePendingCards(aSet("Mine"));
  const { unmount } = openApp();
  await userEvent.click(await screen.findByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  unmount();
  openApp();
  expect(await screen.findByRole("button", { name: "Add “Mine” to this account" })).toBeDefined();
  expect(await sentDecks()).toEqual([]);
});

test("cards that were made while signed in go to that account alone", async () => {
  document.documentElement.classList.add("signed-in");
  storePendingCards(aSet("Mine"));
  const owner = store.get(userAtom);
  world = new PageWorld();
  const { unmount } = openApp();
  await waitFor(() => expect(storedText()).toContain("Mine"));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(await sentDecks()).toEqual([]);
  unmount();
  if (owner) setUser(owner);
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  expect((await sentDecks()).map(({ title }) => title)).toEqual(["Mine"]);
});

test("cards that no account has taken over are removed after a day", async () => {
  storePendingCards(aSet("Old"));
  const stored = JSON.parse(storedText() ?? "[]") as { storedAt: number }[];
  const old = stored.map((set) => ({ ...set, storedAt: Date.now() - PENDING_CARDS_MS - 1000 }));
  localStorage.setItem(PENDING_CARDS_KEY, JSON.stringify(old));
  register();
  openApp();
  await waitFor(() => expect(storedText()).toBeNull());
  expect(await sentDecks()).toEqual([]);
});

test.each(["{", JSON.stringify([{ title: "Broken", cards: [] }])])(
  "unreadable cards are reported: %s",
  async (text) => {
    localStorage.setItem(PENDING_CARDS_KEY, text);
    openApp();
    await waitFor(() => expect(storedText()).toBeNull());
    expect(store.get(alertsAtom).map(({ message }) => message)).toContain(
      "What a free tool left in this browser could not be read.",
    );
  },
);

test("a set that an earlier version stored is offered", async () => {
  const set = { pageId: "01JD00000000000000000GRACE", title: "Earlier", cards: [{ question: "a", answer: "b" }] };
  localStorage.setItem(PENDING_CARDS_KEY, JSON.stringify(set));
  openApp();
  await userEvent.click(await screen.findByRole("button", { name: "Add “Earlier” to this account" }));
  await waitFor(() => expect(storedText()).toBeNull());
  expect((await sentDecks()).map(({ title }) => title)).toEqual(["Earlier"]);
});
