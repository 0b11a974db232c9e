// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Component } from "#shared/pages/schema.ts";
import { mergePreferences } from "#shared/user/merge-preferences.ts";
import { Preferences, type User } from "#shared/user/schema.ts";
import { aCard, deckContent, textContent } from "#tests/store/changes.ts";
import { listedPage } from "#tests/kit/listed-page.ts";
import { ada, openApp, type Answers } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { setReload } from "#webapp/app/browser/language.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { startSession } from "#webapp/app/session/session.ts";
import { clearToken } from "#webapp/app/session/token.ts";
import { store } from "#webapp/app/store.ts";

// Screens are loaded in chunks, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const recentPage = (id: string, components: string[] = []) => listedPage(id, id, { lastOpened: 2, components });

const researchItem = (id: string, opened = 1) => ({
  _id: id,
  conversation_title: id,
  created_at: 1,
  last_opened: opened,
  is_archived: false,
  archived_at: null,
});

/** A server that has these preferences for Ada and stores changes. */
function serverWithPreferences(stored: Record<string, unknown>, answers: Answers = {}) {
  const saved: Preferences[] = [];
  let current = Preferences.parse({ sidebar: { minimized: false }, ...stored });
  const savePreferences = (sent: Readonly<Record<string, unknown>>) => {
    current = mergePreferences(current, sent) ?? current;
    saved.push(current);
    return current;
  };
  const user = { ...answers.user, getPreferences: () => current, savePreferences };
  return { saved, answers: { ...answers, user } satisfies Answers };
}

const flip = (name: string) => (user: UserEvent) => user.click(screen.getByRole("switch", { name }));
const tick = (name: string) => (user: UserEvent) => user.click(screen.getByRole("checkbox", { name }));
const choose = (name: string, option: string) => (user: UserEvent) =>
  user.selectOptions(screen.getByLabelText(name), option);
const write = (name: string, text: string) => async (user: UserEvent) => {
  const field = screen.getByLabelText(name);
  await user.clear(field);
  await user.type(field, text);
  await user.tab();
};

const settings = [
  [flip("Keep sidebar collapsed"), { sidebar: { minimized: true } }],
  [flip("Show sidebar next to pages, documents, decks and videos"), { sidebar: { pinned: true } }],
  [flip("Show pinned items"), { sidebar: { favorites_minimized: true } }],
  [flip("Show pages"), { sidebar: { pages_minimized: true } }],
  [flip("Show recents"), { sidebar: { recents_minimized: true } }],
  [flip("Show folders"), { sidebar: { folders_minimized: true } }],
  [flip("Show research"), { sidebar: { research_minimized: true } }],
  [flip("List all research, not just the latest 5"), { sidebar: { research_show_all: true } }],
  [flip("List all pages, not just the latest 20"), { sidebar: { content_show_all: true } }],
  [flip("Show tips on empty pages"), { hidePageOnboarding: true }],
  [flip("Suggest text as I write"), { features: { text_completion_enabled: false } }],
  [write("Writing style for suggestions", "Plainly"), { features: { text_completion_custom_instructions: "Plainly" } }],
  [choose("Cards to study by default", "new"), { flashcards: { bucket: "new" } }],
  [choose("Cards in a quiz", "hard"), { flashcards: { quiz_bucket: "hard" } }],
  [write("Autoplay, seconds per side", "9"), { flashcards: { autoplay_interval_seconds: 9 } }],
  [write("Desired retention (%)", "80"), { flashcards: { desired_retention: 0.8 } }],
  [write("New cards per day, in each deck", "7"), { flashcards: { new_cards_per_day: 7 } }],
  [flip("Learn from how I use generated cards"), { flashcards: { learn_from_edits: false } }],
  [choose("Sunday", "easy_none"), { flashcards: { easy_days: [1, 1, 1, 1, 1, 1, 0] } }],
  [tick("Multiple choice"), { flashcards: { quiz_question_types: { multiple_choice: false } } }],
  [tick("True or false"), { flashcards: { quiz_question_types: { true_false: false } } }],
  [tick("Short answer"), { flashcards: { quiz_question_types: { short_response: true } } }],
  [tick("Fill in the blank"), { flashcards: { quiz_question_types: { fill_in_the_blank: true } } }],
  [write("Maximum answer length, in words", "80"), { conversation: { max_words: 80 } }],
  [write("Tutor language", "Deutsch"), { assistant: { language: "Deutsch" } }],
  [write("What the tutor should know about you", "Medicine"), { assistant: { custom_instructions: "Medicine" } }],
  [flip("Show the tutor next to pages on wide screens"), { assistant: { minimized: true } }],
  [write("Tutor width, in pixels", "600"), { assistant: { width: 600 } }],
  [(user: UserEvent) => user.click(screen.getByRole("radio", { name: "Dark" })), { appearance: { theme: "dark" } }],
  [choose("Interface language", "de"), { appearance: { language: "de" } }],
  [flip("Keep the screen on while studying"), { labs: { stay_awake: true } }],
  [flip("Focus mode"), { labs: { one_block: true } }],
  [flip("Send error reports to this server only"), { analytics: { enabled: true } }],
] as const;

test("each preference can be changed at its place in the settings without affecting the others", async () => {
  setReload(() => undefined);
  const { saved, answers } = serverWithPreferences({});
  await openApp("/settings", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Sign-in" });
  const user = userEvent.setup();
  const expected = {};
  for (const [act, change] of settings) {
    await act(user);
    merge(expected, change);
    await waitFor(() => expect(saved.at(-1)).toMatchObject(expected));
  }
}, 90_000);

test("a preference changed while the others are still loading leaves those as they are", async () => {
  const account = createDeferred<{ user: User; organization: null; tempToken: string }>();
  const loading = createDeferred<undefined>();
  const { saved, answers } = serverWithPreferences({ appearance: { theme: "dark" }, sidebar: { pinned: true } });
  const user = {
    ...answers.user,
    getPreferences: () => {
      const stored = answers.user.getPreferences();
      return loading.promise.then(() => stored);
    },
  };
  await openApp("/home", { signedIn: true, answers: { user, auth: { getUser: () => account.promise } } });
  const press = userEvent.setup();
  await press.click(await screen.findByRole("button", { name: "Expand sidebar" }));
  await waitFor(() => expect(saved).toMatchObject([{ sidebar: { minimized: false } }]));
  account.resolve({ user: ada, organization: null, tempToken: "temp" });
  await press.click(screen.getByRole("button", { name: "Collapse sidebar" }));
  loading.resolve(undefined);
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("dark"));
  screen.getByRole("button", { name: "Expand sidebar" });
  expect(saved.at(-1)).toMatchObject({ appearance: { theme: "dark" }, sidebar: { minimized: true, pinned: true } });
});

test("a change that did not reach the server is sent with the next one, without the others", async () => {
  const { answers } = serverWithPreferences({ appearance: { theme: "dark" } });
  const sent: unknown[] = [];
  const hanging = createDeferred<undefined>();
  const savePreferences = async (part: Readonly<Record<string, unknown>>) => {
    sent.push(part);
    if (sent.length > 1) return answers.user.savePreferences(part);
    await hanging.promise;
    throw new NoResponseError("timeout");
  };
  await openApp("/home", { signedIn: true, answers: { user: { ...answers.user, savePreferences } } });
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("dark"));
  const first = changePreferences((one) => ({ ...one, sidebar: { ...one.sidebar, pinned: true } }));
  const second = changePreferences((one) => ({ ...one, labs: { ...one.labs, stay_awake: true } }));
  hanging.resolve(undefined);
  await Promise.all([first, second]);
  expect(sent.at(-1)).toEqual({ sidebar: { pinned: true }, labs: { stay_awake: true } });
  expect(answers.user.getPreferences()).toMatchObject({ sidebar: { pinned: true }, labs: { stay_awake: true } });
});

test("a change that was made offline is sent once the browser is online, and keeps what another device changed", async () => {
  const { answers } = serverWithPreferences({});
  let isOffline = true;
  const sent: unknown[] = [];
  const savePreferences = (part: Readonly<Record<string, unknown>>) => {
    if (isOffline) throw new NoResponseError("network");
    sent.push(part);
    return answers.user.savePreferences(part);
  };
  await openApp("/home", { signedIn: true, answers: { user: { ...answers.user, savePreferences } } });
  await screen.findByRole("button", { name: "Collapse sidebar" });
  await changePreferences((one) => ({ ...one, sidebar: { ...one.sidebar, pinned: true } }));
  answers.user.savePreferences({ appearance: { theme: "dark" } });
  isOffline = false;
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("dark"));
  expect(sent).toEqual([{ sidebar: { pinned: true } }]);
  expect(answers.user.getPreferences()).toMatchObject({ appearance: { theme: "dark" }, sidebar: { pinned: true } });
  window.dispatchEvent(new Event("online"));
  expect(sent).toHaveLength(1);
});

/** Merges the later change into the earlier ones. */
function merge(into: Record<string, unknown>, change: object): void {
  for (const [key, value] of Object.entries(change) as [string, unknown][]) {
    const before = into[key];
    const isDeep = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isDeep && typeof before === "object" && before !== null) merge(before as Record<string, unknown>, value);
    else into[key] = isDeep ? structuredClone(value) : value;
  }
}

/** Closes the app and signs out, so that the next app loads the preferences again. */
async function close(app: { unmount: () => void }): Promise<void> {
  app.unmount();
  clearToken();
  await startSession();
}

test("hidden sidebar sections are collapsed individually", async () => {
  const pages = [recentPage("cells"), recentPage("genes")];
  const parts = [
    ["favorites_minimized", "Pinned"],
    ["pages_minimized", "Pages"],
    ["recents_minimized", "Recents"],
    ["folders_minimized", "Folders"],
    ["research_minimized", "Research"],
  ] as const;
  const favorite = {
    _id: "pin",
    userId: ada._id,
    itemId: "cells",
    itemType: "page" as const,
    createdAt: 1,
    sortIndex: 1,
    data: { title: "cells", emoji: null },
  };
  for (const [key, folded] of parts) {
    const { answers } = serverWithPreferences(
      { sidebar: { minimized: false, [key]: true } },
      {
        pages: {
          getContent: () => ({
            content: { pages, components: [], podcasts: [], research_sessions: [researchItem("tides")] },
          }),
        },
        library: { listFolders: () => ({ folders: [] }), getFavorites: () => ({ favorites: [favorite] }) },
      },
    );
    const app = await openApp("/settings", { signedIn: true, answers });
    const nav = await screen.findByRole("navigation", { name: "Workspace" });
    await waitFor(() => {
      for (const [, name] of parts) {
        const fold = within(nav).getByRole("button", { name });
        expect([name, fold.getAttribute("aria-expanded")]).toEqual([name, String(name !== folded)]);
      }
    });
    await close(app);
  }
});

test("the sidebar lists twenty pages, or all", async () => {
  const pages = Array.from({ length: 25 }, (_, at) => recentPage(`page-${at}`));
  const listed = { pages: { getContent: () => ({ content: { pages, components: [], podcasts: [] } }) } };
  for (const [showsAll, count] of [
    [false, 20],
    [true, 25],
  ] as const) {
    const change = { sidebar: { minimized: false, recents_minimized: true, content_show_all: showsAll } };
    const app = await openApp("/settings", { signedIn: true, answers: serverWithPreferences(change, listed).answers });
    const nav = await screen.findByRole("navigation", { name: "Workspace" });
    await waitFor(() => expect(within(nav).getAllByRole("link", { name: /^page-\d+$/ })).toHaveLength(count));
    await close(app);
  }
});

test("of a page, its file and its deck with one title, the sidebar lists the one opened last under Recents", async () => {
  const summary = { pageId: "cells", title: "cells", createdAt: 1, modifiedAt: 1, isArchived: false };
  const components = [
    { ...summary, _id: "pdf", type: "image" as const, fileId: "cells.pdf", lastOpenedAt: 3 },
    { ...summary, _id: "deck", type: "flash_cards" as const, cardCount: 1, lastOpenedAt: 4 },
  ];
  const content = { pages: [recentPage("cells", ["pdf", "deck"])], components, podcasts: [], research_sessions: [] };
  const { answers } = serverWithPreferences({}, { pages: { getContent: () => ({ content }) } });
  const app = await openApp("/settings", { signedIn: true, answers });
  const nav = await screen.findByRole("navigation", { name: "Workspace" });
  const listed = async () =>
    (await within(nav).findAllByRole("link", { name: "cells" })).map((a) => a.getAttribute("href"));
  // The page itself is listed under Pages.
  await waitFor(async () => expect(await listed()).toEqual(["/page/cells/study/deck", "/page/cells"]));
  await close(app);
});

test("the sidebar lists five research sessions, or all, and none of them under Recents", async () => {
  const sessions = Array.from({ length: 7 }, (_, at) => researchItem(`session-${at}`, at + 1));
  const content = { pages: [recentPage("cells")], components: [], podcasts: [], research_sessions: sessions };
  const listed = { pages: { getContent: () => ({ content }) } };
  const user = userEvent.setup();
  const { saved, answers } = serverWithPreferences({}, listed);
  const app = await openApp("/settings", { signedIn: true, answers });
  const nav = await screen.findByRole("navigation", { name: "Workspace" });
  const listNames = () => within(nav).getAllByRole("link", { name: /^session-\d$/ });
  await waitFor(() =>
    expect(listNames().map((link) => link.textContent)).toEqual([6, 5, 4, 3, 2].map((at) => `session-${at}`)),
  );
  await user.click(within(nav).getByRole("button", { name: "Show all 7" }));
  await waitFor(() => expect(listNames()).toHaveLength(7));
  expect(saved.at(-1)?.sidebar.research_show_all).toBe(true);
  await close(app);
});

const base = { pageId: "biology", createdAt: 1, modifiedAt: 1, createdBy: "ada", version: 1 };
const cards = ["one", "two", "three"].map((id) => aCard(id));
const blocks = [
  Component.parse({ ...base, _id: "words", type: "text", content: { ...textContent(""), text: [] } }),
  Component.parse({ ...base, _id: "deck", type: "flash_cards", content: deckContent(cards) }),
];
const schedule = { schedules: [], studiedToday: 0, dailyLimit: null, timezone: "UTC" };
const terms = { settings: { desiredRetention: null, examAt: null, minutesPerDay: null, examId: null }, weights: null };

/** A server with one page of these components. */
const serverWithPage = (components: readonly Component[]): Answers => ({
  pages: {
    getPage: () => ({
      page: recentPage(
        "biology",
        components.map(({ _id }) => _id),
      ),
      components: [...components],
    }),
  },
  study: {
    getDue: () => ({ decks: [] }),
    getDeckSchedule: () => ({ ...schedule, ...terms, secondsPerReview: 8, load: [] }),
  },
});

test("a quiz uses its own bucket of cards", async () => {
  const { answers } = serverWithPreferences(
    { flashcards: { bucket: "all", quiz_bucket: "new" } },
    serverWithPage(blocks),
  );
  await openApp("/page/biology/study/deck?mode=quiz", { signedIn: true, answers });
  const bucket = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Cards to study" });
  await waitFor(() => expect(bucket.value).toBe("new"));
});

test("flipping starts with every card, although the cards to study are the due ones and none is due", async () => {
  const { answers } = serverWithPreferences({ flashcards: { bucket: "due" } }, serverWithPage(blocks));
  await openApp("/page/biology/study/deck?mode=flip", { signedIn: true, answers });
  await screen.findByRole("button", { name: /Flip card/ });
  // What is chosen while flipping changes nothing for the next learning session.
  await userEvent.setup().selectOptions(screen.getByRole("combobox", { name: "Cards to study" }), "due");
  await screen.findByRole("heading", { name: "Nothing due" });
  expect(store.get(preferencesAtom).flashcards.bucket).toBe("due");
});

test("study shows as many new cards as the preferences allow", async () => {
  const { answers } = serverWithPreferences({ flashcards: { new_cards_per_day: 2 } }, serverWithPage(blocks));
  await openApp("/page/biology/study/deck", { signedIn: true, answers });
  await screen.findByText("1 of 2");
});

test("the tutor panel beside a page has the saved width, or is collapsed to a button", async () => {
  const wide = serverWithPreferences({ assistant: { width: 612 } }, serverWithPage(blocks));
  const app = await openApp("/page/biology", { signedIn: true, answers: wide.answers });
  const handle = await screen.findByRole("separator", { name: "Tutor width" }, { timeout: 10_000 });
  await waitFor(() => expect(handle.getAttribute("aria-valuenow")).toBe("612"));
  await close(app);
  const small = serverWithPreferences({ assistant: { minimized: true } }, serverWithPage(blocks));
  await openApp("/page/biology", { signedIn: true, answers: small.answers });
  await screen.findByRole("button", { name: "Open tutor" });
  expect(screen.queryByRole("separator")).toBeNull();
});

test("an empty page shows first steps until they are hidden", async () => {
  const helped = serverWithPreferences({}, serverWithPage(blocks.slice(0, 1)));
  const app = await openApp("/page/biology", { signedIn: true, answers: helped.answers });
  await screen.findByRole("heading", { name: "Start writing, or add a chapter" });
  await close(app);
  const alone = serverWithPreferences({ hidePageOnboarding: true }, serverWithPage(blocks.slice(0, 1)));
  await openApp("/page/biology", { signedIn: true, answers: alone.answers });
  await waitFor(() => expect(document.querySelector(".page-document")).not.toBeNull());
  expect(screen.queryByRole("heading", { name: "Start writing, or add a chapter" })).toBeNull();
});
