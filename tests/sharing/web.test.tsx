// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import { noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";
import type { ExploreItem, ItemExcerpt, Share, SharedItem } from "#shared/sharing/schema.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { openShareDialog } from "#webapp/sharing/share-dialog-state.ts";
import { aCard, deckContent } from "#tests/store/changes.ts";

const press = async () => userEvent.setup().click(await screen.findByRole("button", { name: "Make a copy" }));

test.each([
  ["a page that is refused", "/duplicate/page/genes", "duplicatePage", "not_found", "Failed to duplicate page"],
  ["a page on a broken server", "/duplicate/page/genes", "duplicatePage", "broken", "Failed to duplicate page"],
  ["a PDF on a broken server", "/duplicate/pdf/lecture", "duplicateComponent", "broken", "Failed to duplicate PDF"],
  [
    "a PDF that is not public",
    "/duplicate/pdf/lecture",
    "duplicateComponent",
    "not_found",
    "Failed to clone PDF, please make sure the PDF is public or you have access to it.",
  ],
] as const)(
  "a failure to copy %s is shown, and the screen allows another try",
  async (...[, path, call, code, message]) => {
    const app = await openApp(path, { signedIn: true, answers: { sharing: { [call]: () => refuse(code, "No") } } });
    await press();
    await screen.findByText(message);
    expect(app.address()).toBe(path);
    await screen.findByRole("button", { name: "Make a copy" });
  },
);

test("copying without a network shows a message", async () => {
  await openApp("/duplicate/page/genes", { signedIn: true, answers: { sharing: { duplicatePage: noNetwork } } });
  await press();
  await screen.findByText("Failed to duplicate page");
});

const listing = { description: "", topic: "biology", licence: "none", attribution: "" } as const;

/** A page as Explore lists it. */
const aListedItem = (title: string, excerpt: ItemExcerpt): ExploreItem => {
  const counts = { views: 0, duplicates: 0, createdAt: 1 };
  return { _id: "link-1", type: "page", title, emoji: null, ...listing, excerpt, ...counts };
};

test("a visitor who wants a copy sees why to sign in, and registering leads back too", async () => {
  const head = { _id: "link-1", type: "page", title: "Cells", emoji: null, ...listing } as const;
  const shared = { ...head, views: 0, duplicates: 0, createdAt: 1, targetId: "page-1", components: [] };
  const answers = { sharing: { openShare: () => ({ shared }), recordView: () => ({ success: true as const }) } };
  await openApp("/s/link-1", { answers });
  await press();
  await screen.findByRole("heading", { name: "Sign in to copy this" });
  const register = screen.getByRole("link", { name: "Create account" }).getAttribute("href") ?? "";
  expect(new URL(register, "http://here").searchParams.get("from")).toBe("/s/link-1");
});

test("a card of a listed deck can be tried on Explore, and the whole deck is studied from there", async () => {
  const samples = [
    { question: "What is a codon?", answer: "Three nucleotides" },
    { question: "What is a promoter?", answer: "A DNA sequence" },
  ];
  const items = [aListedItem("Genes", { text: "", samples, cards: 20, language: "de" })];
  const explore = () => ({ items, more: false, next: null, topics: ["biology" as const] });
  await openApp("/explore", { answers: { sharing: { explore } } });
  const user = userEvent.setup();
  const cards = within(await screen.findByRole("region", { name: "Cards from Genes" }));
  screen.getByText("Biology · Page · 20 cards, 6 min · German");
  expect(cards.queryByText("Three nucleotides")).toBeNull();
  await user.click(cards.getByRole("button", { name: "Show answer" }));
  cards.getByText("Three nucleotides");
  await user.click(cards.getByRole("button", { name: "Next card" }));
  cards.getByText("What is a promoter?");
  expect(cards.queryByText("A DNA sequence")).toBeNull();
  expect(screen.getByRole("link", { name: "Study now: Genes" }).getAttribute("href")).toBe("/s/link-1?study=");
  const topics = within(screen.getByRole("navigation", { name: "Topics" })).getAllByRole("link");
  expect(topics.map(({ textContent }) => textContent)).toEqual(["All topics", "Biology"]);
});

test("more can be shown when nothing of the first page could be read, and a search says that it is cut", async () => {
  const item = aListedItem("Cells", { text: "", samples: [], cards: 0, language: "en" });
  const page = { topics: [] };
  const explore = ({ q, before }: { q?: string; before?: number }) =>
    q
      ? { items: [item], more: true, next: null, ...page }
      : before === undefined
        ? { items: [], more: true, next: 7, ...page }
        : { items: [item], more: false, next: null, ...page };
  await openApp("/explore", { answers: { sharing: { explore } } });
  const more = await screen.findByRole("button", { name: "Show more" });
  expect(screen.queryByText("Nothing shared yet")).toBeNull();
  await userEvent.setup().click(more);
  await screen.findByText("Cells");
  cleanup();
  await openApp("/explore/search?q=cells", { answers: { sharing: { explore } } });
  await screen.findByText("These are the 1 best matches. Add words to narrow the search.");
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("where the starter collection is in another language than the interface, Explore says so", async () => {
  const item = aListedItem("Cells", { text: "", samples: [], cards: 0, language: "de" });
  const explore = () => ({ items: [{ ...item, _id: "starter-cells" }], more: false, next: null, topics: [] });
  await openApp("/explore", { answers: { sharing: { explore } } });
  await screen.findByText(/So far they are in English only\.$/);
  expect(screen.getByRole("link", { name: "Deutsch" }).getAttribute("href")).toBe("?lang=de");
  cleanup();
  const english = { ...item, _id: "starter-cells", excerpt: { ...item.excerpt, language: "en" } };
  const own = () => ({ items: [english], more: false, next: null, topics: [] });
  await openApp("/explore", { answers: { sharing: { explore: own } } });
  await screen.findByText(/Yours to copy, change and share\.$/);
});

/** Explore with a first page that has more after it, which cannot be loaded. */
const exploreOnce = ({ before }: { before?: number }) =>
  before === undefined ? { items: [], more: true, next: 7, topics: [] } : noNetwork();

test("if more cannot be loaded on Explore, a notice says what failed", async () => {
  await openApp("/explore", { answers: { sharing: { explore: exploreOnce } } });
  await userEvent.setup().click(await screen.findByRole("button", { name: "Show more" }));
  const message = "Shared content could not be loaded. Check your connection and try again.";
  await waitFor(() => expect(store.get(alertsAtom).map((alert) => alert.message)).toEqual([message]));
});

test("a visitor who changes the language of a search keeps the search", async () => {
  await openApp("/explore/search?q=cells%20%26%20more");
  const link = await screen.findByRole("link", { name: "Deutsch" });
  const query = new URLSearchParams(link.getAttribute("href") ?? "");
  expect(Object.fromEntries(query)).toEqual({ q: "cells & more", lang: "de" });
});

test("a picture in a card on Explore loads through the share", async () => {
  const samples = [{ question: "![cell](/v1/files/cell.png) What is this?", answer: "A cell" }];
  const items = [aListedItem("Cells", { text: "", samples, cards: 1, language: null })];
  await openApp("/explore", {
    answers: { sharing: { explore: () => ({ items, more: false, next: null, topics: [] }) } },
  });
  const picture = await screen.findByRole("img", { name: "cell" });
  expect(picture.getAttribute("src")).toBe("/v1/shared/link-1/files/cell.png");
});

test("a link to study a shared page begins with the first card of its deck", async () => {
  const deck = {
    ...base,
    _id: "deck-1",
    type: "flash_cards",
    content: deckContent([aCard("codon"), aCard("gene")]),
  };
  const head = { _id: "link-1", type: "page", title: "Cells", emoji: null, ...listing } as const;
  const components = [line("A cell is alive."), Component.parse(deck)];
  const shared = { ...head, views: 0, duplicates: 0, createdAt: 1, targetId: "page-1", components };
  const answers = { sharing: { openShare: () => ({ shared }), recordView: () => ({ success: true as const }) } };
  await openApp("/s/link-1?study=", { answers });
  await screen.findByText("Card 1 of 2");
  expect(document.activeElement?.textContent).toBe("Show answer");
});

const base = { pageId: "page-1", createdAt: 1, modifiedAt: 1, createdBy: "", lastOpenedAt: null, version: 1 };
const line = (words: string, more: { subType?: string; indents?: number; pen?: string; color?: string } = {}) => {
  const { subType = "normal", indents = 0, pen = null, color } = more;
  const text = [{ content: words, ...(color === undefined ? {} : { attributes: { color } }) }];
  const content = { text, subType, metadata: { indents, highlightColor: pen } };
  return Component.parse({ ...base, _id: words, type: "text", content });
};

test("a link to study loads parts of the page until it finds the deck, before the page is shown", async () => {
  const head = { _id: "link-1", type: "page", title: "Cells", emoji: null, ...listing } as const;
  const counts = { views: 0, duplicates: 0, createdAt: 1, targetId: "page-1" };
  const content = deckContent([aCard("codon"), aCard("gene")]);
  const first: SharedItem = { ...head, ...counts, components: [line("one")], next: 1 };
  const later: SharedItem[] = [
    { ...head, ...counts, components: [line("two")], next: 2 },
    { ...head, ...counts, components: [Component.parse({ ...base, _id: "deck-1", type: "flash_cards", content })] },
  ];
  const arrived = createDeferred<undefined>();
  const openShare = async ({ from = 0 }: { from?: unknown }) => {
    if (from === 2) await arrived.promise;
    return { shared: later[Number(from) - 1] ?? first };
  };
  const sharing = { openShare, recordView: () => ({ success: true as const }) };
  await openApp("/s/link-1?study=", { answers: { sharing } });
  await screen.findByRole("heading", { name: "Cells" });
  screen.getByRole("status", { name: "Loading" });
  expect(screen.queryByText("one")).toBeNull();
  arrived.resolve(undefined);
  await screen.findByText("Card 1 of 2");
  screen.getByText("one");
  screen.getByText("two");
  expect(document.activeElement?.textContent).toBe("Show answer");
});

test("a shared page is rendered as written: pens, colours, list numbering, hidden parts of pictures", async () => {
  const card = {
    id: "c1",
    question: "What is this?",
    answer: "A nucleus",
    questionImage: "/v1/shared/link-1/files/cell.png",
    citation: null,
    occlusion: { regions: [{ id: "r1", x: 0.1, y: 0.1, w: 0.2, h: 0.2, label: "" }], regionId: "r1" },
  };
  const components = [
    line("lit", { pen: "green" }),
    line("warm", { color: "#c00" }),
    line("odd", { color: "url(x)" }),
    line("one", { subType: "list_ordered" }),
    line("two", { subType: "list_ordered", indents: 1 }),
    line("three", { subType: "list_ordered", indents: 2 }),
    Component.parse({
      ...base,
      _id: "deck",
      type: "flash_cards",
      content: { title: "Parts", cards: [card], minimized: false },
    }),
  ];
  const head = { _id: "link-1", type: "page", title: "Cells", emoji: null, ...listing } as const;
  const shared = { ...head, views: 0, duplicates: 0, createdAt: 1, targetId: "page-1", components };
  const answers = { sharing: { openShare: () => ({ shared }), recordView: () => ({ success: true as const }) } };
  await openApp("/s/link-1", { answers });
  expect((await screen.findByText("lit")).closest("[data-highlight]")?.getAttribute("data-highlight")).toBe("green");
  expect(screen.getByText("warm").getAttribute("style")).toContain("#c00");
  expect(screen.getByText("odd").getAttribute("style") ?? "").not.toContain("url");
  for (const numeral of ["1.", "a.", "i."]) screen.getByText(numeral);
  const picture = screen.getByRole("img", { name: "Card picture" });
  expect(picture.parentElement?.querySelector(".hidden-part")?.getAttribute("data-state")).toBe("shown");
});

test("shared cards can be studied without an account: the answer is hidden until it is asked for", async () => {
  const cards = ["one", "two"].map((id) => ({
    id,
    question: `Question ${id}`,
    answer: `Answer ${id}`,
    citation: null,
  }));
  const deck = { ...base, _id: "deck", type: "flash_cards", content: { title: "Parts", cards, minimized: false } };
  const head = { _id: "link-4", type: "page", title: "Cells", emoji: null, ...listing } as const;
  const counts = { views: 0, duplicates: 0, createdAt: 1, targetId: "page-1" };
  const shared = { ...head, ...counts, components: [Component.parse(deck)] };
  const answers = { sharing: { openShare: () => ({ shared }), recordView: () => ({ success: true as const }) } };
  await openApp("/s/link-4", { answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Study these cards" }));
  screen.getByText("Card 1 of 2");
  screen.getByText("Question one");
  expect(screen.queryByText("Answer one")).toBeNull();
  expect(screen.queryByText("Question two")).toBeNull();
  await user.keyboard("{Enter}");
  screen.getByText("Answer one");
  await user.keyboard("{Enter}");
  screen.getByText("Card 2 of 2");
  expect(screen.queryByText("Answer two")).toBeNull();
  await user.keyboard("{Enter}{Enter}");
  screen.getByText(/^That was the last card/);
  // The focus stays where the removed button was.
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Show all cards" }));
  await user.keyboard("{Enter}");
  screen.getByText("Answer one");
  screen.getByText("Answer two");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Study these cards" }));
});

test("a long shared page loads its next part on request and shows a failure to do so", async () => {
  const head = { _id: "link-2", type: "page", title: "Cells", emoji: null, ...listing } as const;
  const counts = { views: 0, duplicates: 0, createdAt: 1, targetId: "page-1" };
  const first = { ...head, ...counts, components: [line("one"), line("two")], next: 2 };
  const second = { ...head, ...counts, components: [line("two"), line("three")] };
  let fails = 1;
  const openShare = ({ from = 0 }: { from?: unknown }) => {
    if (from === 0) return { shared: first };
    fails -= 1;
    return fails >= 0 ? refuse("broken", "No") : { shared: second };
  };
  await openApp("/s/link-2", { answers: { sharing: { openShare, recordView: () => ({ success: true as const }) } } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Show more" }));
  await screen.findByRole("alert");
  expect(screen.queryByText("three")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("three");
  expect(screen.getAllByText("two")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

const foreignFile = (id: string, type: "video" | "image", more: object = {}) =>
  Component.parse({
    ...base,
    _id: id,
    type,
    content: { file: { id, name: id }, url: "https://canary.test/a.mp4", title: id, ...more },
  });

test("a shared video on another site is a link and loads nothing", async () => {
  const head = { _id: "link-3", type: "page", title: "Cells", emoji: null, ...listing } as const;
  const components = [
    foreignFile("stored.mp4", "video"),
    foreignFile("link-1", "video", { videoType: "url" }),
    foreignFile("youtube-abcdefghij1", "video", { videoType: "youtube" }),
    foreignFile("cell.png", "image"),
    foreignFile("cell.pdf", "image"),
  ];
  const shared = { ...head, views: 0, duplicates: 0, createdAt: 1, targetId: "page-1", components };
  const answers = { sharing: { openShare: () => ({ shared }), recordView: () => ({ success: true as const }) } };
  await openApp("/s/link-3", { answers });
  for (const name of components.map(({ _id }) => _id)) {
    const link = await screen.findByRole("link", { name: new RegExp(name) });
    expect(link.getAttribute("href")).toBe("https://canary.test/a.mp4");
  }
  expect(document.querySelectorAll("video, img[src*=canary], iframe, embed, object")).toHaveLength(0);
});

test("a topic chosen while the description is being saved keeps the description", async () => {
  const isSaved = createDeferred<undefined>();
  const sent: Record<string, unknown>[] = [];
  const counts = { views: 0, duplicates: 0, createdAt: 1 };
  const share = {
    _id: "link-1",
    targetId: "genes",
    type: "page",
    title: "Genes",
    isTakenDown: false,
    ...counts,
  } as const;
  const shareWith = (fields: Record<string, unknown>) => ({
    share: { ...share, visibility: "listed" as const, ...listing, ...fields } as Share,
  });
  await openApp("/home", {
    signedIn: true,
    answers: {
      sharing: {
        getShare: () => shareWith({}),
        putShare: async (fields) => {
          sent.push(fields);
          if (sent.length === 1) await isSaved.promise;
          return shareWith(fields);
        },
      },
    },
  });
  act(() => openShareDialog({ type: "page", id: "genes", title: "Genes" }));
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Description (optional)" }), "How genes work");
  await user.tab();
  await user.selectOptions(screen.getByRole("combobox", { name: "Topic" }), "medicine");
  isSaved.resolve(undefined);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ description: "How genes work", topic: "medicine" });
});
