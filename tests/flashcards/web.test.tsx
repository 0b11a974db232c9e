// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { afterEach, expect, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { DeckContent, Flashcard } from "#shared/flashcards/schema.ts";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setNavigate } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";
import { CardDraftPopover } from "#webapp/flashcards/parts/card-draft-popover.tsx";
import { queue } from "#webapp/offline/sync.ts";

afterEach(() => cleanup());

const quote = "Most amino acids are specified by more than one codon";
const card = (id: string, question: string, answer: string, citation: string | null = null): Flashcard => ({
  id,
  question,
  answer,
  questionImage: null,
  citation,
});
const pdf = {
  _id: "pdf-1",
  type: "image" as const,
  content: {
    file: { id: "pdf-1.pdf", name: "Lecture 9.pdf" },
    url: "/v1/files/pdf-1.pdf",
    isArchived: false,
    archivedAt: null,
    thumbnail: null,
    title: "Lecture 9",
  },
};
const deckOf = (id: string, cards: Flashcard[]) => ({
  _id: id,
  type: "flash_cards" as const,
  content: { title: "Key terms", cards, minimized: false },
});
const two = [
  card("c1", "What does one codon specify?", "One amino acid", `pdf_citation:pdf-1:4:${encodeURIComponent(quote)}`),
  card("c2", "What reads the template?", "RNA polymerase"),
];

async function sentDeck(world: PageWorld): Promise<DeckContent> {
  const { session } = await openSession();
  await session.saver.flush();
  await queue().flush();
  return world.sent("component_content_update").at(-1)?.data.newContent as unknown as DeckContent;
}

test("a deck lists its cards, each with its source location and quote", async () => {
  const world = new PageWorld([paragraph("a", "Notes"), pdf, deckOf("deck-1", two)]);
  showPage();
  const deck = await screen.findByRole("region", { name: "Flashcards: Key terms" });
  expect(within(deck).getByText("2 cards")).toBeTruthy();
  expect(within(deck).getByDisplayValue("RNA polymerase")).toBeTruthy();
  expect(within(deck).getByRole("link", { name: "Study" }).getAttribute("href")).toBe("/page/page-1/study/deck-1");
  const badge = within(deck).getByRole("button", { name: "p. 4 of Lecture 9.pdf: open source" });
  badge.focus();
  expect((await screen.findAllByText(quote)).length).toBeGreaterThan(0);
  expect(world.sent("component_content_update")).toEqual([]);
});

test("a card on a page opens a cited video, another page, and in a new tab a web page", async () => {
  const world = new PageWorld([
    deckOf("deck-3", [
      card("c1", "When is the anticodon shown?", "At once", "video_citation:v:3000-4000"),
      card("c2", "What is a gene?", "A stretch of DNA", "page_citation:page-2:a"),
      card("c3", "What is a codon?", "Three bases", "web_citation:example.org/codons:Three%20bases"),
      card("c4", "What is an exon?", "An expressed part", "web_citation:/home/ada/exons.html"),
    ]),
  ]);
  showPage();
  const visited: string[] = [];
  setNavigate((path) => visited.push(path));
  await userEvent.click(await screen.findByRole("button", { name: "0:03 of Source: open source" }));
  await userEvent.click(within(screen.getByRole("group", { name: "Card 2" })).getByRole("button", { name: "Source" }));
  expect(visited).toEqual(["/video/v?t=3", "/page/page-2?component=a"]);
  const link = screen.getByRole("link", { name: "example.org of example.org/codons: open source" });
  expect(link.getAttribute("target")).toBe("_blank");
  expect(link.getAttribute("href")).toBe("https://example.org/codons?utm_source=lamplight#:~:text=Three%20bases");
  // A file on the device can't be opened by a page of the web.
  expect(within(screen.getByRole("group", { name: "Card 4" })).queryByRole("link")).toBeNull();
  expect(world.sent("component_content_update")).toEqual([]);
});

test("a formula is rendered below the field in which it is edited", async () => {
  const world = new PageWorld([deckOf("deck-8", [card("c1", "What is $x^2$ for $x = 3$?", "Nine")])]);
  showPage();
  const row = await screen.findByRole("group", { name: "Card 1" });
  expect(within(row).getByDisplayValue("What is $x^2$ for $x = 3$?")).toBeTruthy();
  // Only the formula is shown, without its dollar signs.
  expect([...row.querySelectorAll(".side-shown")].map((side) => side.textContent)).toEqual(["What is x^2 for x = 3?"]);
  expect(world.sent("component_content_update")).toEqual([]);
});

test("cards can be edited inline by keyboard: Enter moves to the answer, then to a new card", async () => {
  const world = new PageWorld([deckOf("deck-2", two)]);
  showPage();
  const question = await screen.findByRole("textbox", { name: "Question of card 2" });
  await userEvent.type(question, " Really?{Enter}!{Enter}");
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Question of card 3"));
  await userEvent.keyboard("What is a gene?{Enter}A stretch of DNA");
  await userEvent.tab();
  const { cards } = await sentDeck(world);
  expect(cards.map(({ question: q, answer }) => [q, answer])).toEqual([
    ["What does one codon specify?", "One amino acid"],
    ["What reads the template? Really?", "RNA polymerase!"],
    ["What is a gene?", "A stretch of DNA"],
  ]);
  expect(cards[0]?.citation).toBe(two[0]?.citation);
});

test("the section of a question is shown above it, and stays part of the question when that is edited", async () => {
  const section = "Transcription";
  const sourced = {
    ...card("c1", "Transcription: What unwinds DNA?", "Helicase"),
    citation: "pdf_citation:c:2",
    section,
  };
  const world = new PageWorld([deckOf("deck-9", [sourced])]);
  showPage();
  const row = within(await screen.findByRole("group", { name: "Card 1" }));
  expect(row.getByText("Transcription")).toBeTruthy();
  await userEvent.type(row.getByDisplayValue("What unwinds DNA?"), " Say why.");
  await userEvent.tab();
  expect((await sentDeck(world)).cards[0]?.question).toBe("Transcription: What unwinds DNA? Say why.");
});

test("a deleted card can be restored to its position", async () => {
  const world = new PageWorld([deckOf("deck-3", two)]);
  showPage();
  await userEvent.click(await screen.findByRole("button", { name: "Delete card 1" }));
  expect((await sentDeck(world)).cards.map(({ id }) => id)).toEqual(["c2"]);
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect((await sentDeck(world)).cards.map(({ id }) => id)).toEqual(["c1", "c2"]);
});

test("a long deck shows its first dozen cards, and the rest on request", async () => {
  const world = new PageWorld([
    deckOf(
      "deck-4",
      Array.from({ length: 40 }, (_, i) => card(`c${i}`, `q${i}`, `a${i}`)),
    ),
  ]);
  showPage();
  const more = await screen.findByRole("button", { name: "Show all 40 cards" });
  expect(screen.getAllByRole("textbox", { name: /^Question of card/ })).toHaveLength(12);
  await userEvent.click(more);
  expect(screen.getAllByRole("textbox", { name: /^Question of card/ })).toHaveLength(40);
  expect(world.requests.filter(({ type }) => type === "component_content_update")).toEqual([]);
});

async function askForCards(text: string) {
  await userEvent.click(await screen.findByRole("button", { name: "Page menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /Make flashcards/ }));
  await userEvent.click(await screen.findByRole("radio", { name: "Pasted text" }));
  if (text !== "") await userEvent.type(screen.getByRole("textbox", { name: "Text" }), text);
  await userEvent.click(screen.getByRole("radio", { name: /^Medium/ }));
  await userEvent.click(screen.getByRole("button", { name: "Make cards" }));
}

test("a document above the page limit defaults to its first pages, and more are refused before a deck is created", async () => {
  const world = new PageWorld([
    paragraph("a", "Notes"),
    { ...pdf, _id: "book", content: { ...pdf.content, title: "Genes and Proteins" } },
  ]);
  world.answers.set("/v1/pdf/book/passages", () => ({ pageCount: 18, passages: [] }));
  world.answers.set("/v1/flashcards/content/ai_generation", () => [{ type: "result", seq: 1, result: result(two) }]);
  showPage();
  await openSession();
  await userEvent.click(await screen.findByRole("button", { name: "Page menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /Make flashcards/ }));
  await screen.findByText("This document has 18 pages. Your plan makes cards from 10 pages at a time.");
  const last = screen.getByRole<HTMLInputElement>("textbox", { name: "Last page" });
  expect(last.value).toBe("10");
  await userEvent.clear(last);
  await userEvent.click(screen.getByRole("button", { name: "Make cards" }));
  await screen.findByText("Choose at most 10 pages");
  expect(world.sent("component_create")).toEqual([]);
  await userEvent.type(last, "10");
  await userEvent.click(screen.getByRole("button", { name: "Make cards" }));
  await waitFor(() => expect(world.calls.some(({ path }) => path.includes("ai_generation"))).toBe(true));
  const form = world.calls.find(({ path }) => path.includes("ai_generation"))?.form;
  expect(JSON.parse(form?.["pdfComponents"] ?? "[]")).toEqual([{ componentId: "book", startPage: 1, endPage: 10 }]);
  // Named after the document, not after its file.
  expect(world.sent("component_create")[0]?.data.component.content).toMatchObject({ title: "Genes and Proteins" });
});

const result = (cards: Flashcard[]) => ({
  cards,
  totalCards: cards.length,
  filesProcessed: [],
  notices: [],
});

test("cards appear as they are made, in a deck that was saved before generation started", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  world.answers.set("/v1/flashcards/content/ai_generation", () => [
    { type: "started", seq: 1, jobId: "job-of-this-test" },
    { type: "card", seq: 2, card: two[0], deckVersion: 2 },
    { type: "progress", seq: 3, done: 1, total: 2, stage: "reading" },
    { type: "card", seq: 4, card: two[1], deckVersion: 3 },
    { type: "result", seq: 5, result: result(two) },
  ]);
  showPage();
  await openSession();
  await askForCards("A codon names one amino acid.");
  expect(await screen.findByText("2 cards made")).toBeTruthy();
  expect(await screen.findByDisplayValue("RNA polymerase")).toBeTruthy();
  expect(world.log.indexOf("component_create")).toBeLessThan(world.log.indexOf("/v1/flashcards/content/ai_generation"));
  const form = world.calls.find(({ path }) => path.includes("ai_generation"))?.form;
  const options = JSON.parse(form?.["options"] ?? "{}") as { density: string; target: unknown; jobId: string };
  const [created] = world.sent("component_create");
  expect(options).toMatchObject({
    density: "MEDIUM",
    target: { pageId: "page-1", componentId: created?.resourceId },
  });
  expect(JSON.parse(form?.["texts"] ?? "[]")).toEqual(["A codon names one amino acid."]);
  const { session } = await openSession();
  await session.saver.flush();
  await queue().flush();
  // The server appended them itself, so the client does not send them.
  expect(world.sent("component_content_update")).toEqual([]);
});

test("a notice about limits of the engine is shown beside the card count", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  world.answers.set("/v1/flashcards/content/ai_generation", () => [
    { type: "started", seq: 1, jobId: "job-of-this-test" },
    { type: "card", seq: 2, card: two[0], deckVersion: 2 },
    { type: "result", seq: 3, result: { ...result([two[0] as Flashcard]), notices: ["fewer_cards_than_asked"] } },
  ]);
  showPage();
  await openSession();
  await askForCards("A codon names one amino acid.");
  expect(await screen.findByText(/has fewer facts/)).toBeTruthy();
});

test("a lost connection resumes after the last received card", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  const asked: string[] = [];
  world.answers.set("/v1/flashcards/content/ai_generation", () => [
    { type: "started", seq: 1, jobId: "job-of-this-test" },
    { type: "card", seq: 2, card: two[0] },
    new NoResponseError("network"),
  ]);
  world.answers.set("/v1/flashcards/generation/", ({ path }) => {
    asked.push(path);
    return [
      { type: "card", seq: 3, card: two[1] },
      { type: "result", seq: 4, result: result(two) },
    ];
  });
  showPage();
  await openSession();
  await askForCards("A codon names one amino acid.");
  expect(await screen.findByText("2 cards made")).toBeTruthy();
  expect(asked[0]).toContain("after=2");
  expect(screen.getAllByRole("textbox", { name: /^Question of card/ })).toHaveLength(2);
});

test("an edit beside new cards is based on the deck version on the screen, not a later one", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  world.answers.set("/v1/flashcards/content/ai_generation", () => [
    { type: "started", seq: 1, jobId: "job-of-this-test" },
    { type: "card", seq: 2, card: two[1], deckVersion: 7 },
    { type: "error", seq: 3, code: "cancelled", message: "Stopped." },
  ]);
  showPage();
  await openSession();
  await askForCards("A codon names one amino acid.");
  const question = await screen.findByRole("textbox", { name: "Question of card 1" });
  await userEvent.type(question, " Really?");
  await userEvent.tab();
  expect((await sentDeck(world)).cards.map(({ question: q }) => q)).toEqual(["What reads the template? Really?"]);
  expect(world.sent("component_content_update").map(({ baseVersion }) => baseVersion)).not.toContain(7);
});

test("a limit is shown in the deck with the server's message", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  world.answers.set("/v1/flashcards/content/ai_generation", () => {
    throw new Failure("limit_reached", "usage_limit");
  });
  showPage();
  await openSession();
  await askForCards("A codon names one amino acid.");
  expect(await screen.findByText("You've reached your usage limit. Upgrade to continue!")).toBeTruthy();
});

test("blank text can't be used as a source", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  showPage();
  await openSession();
  await askForCards("");
  expect(await screen.findByText("Paste some text first")).toBeTruthy();
  expect(world.log.some((path) => path.includes("ai_generation"))).toBe(false);
});

const block = (_id: string, type: "image" | "video", content: { name: string; id: string; url?: string }) => ({
  _id,
  type,
  content: { ...pdf.content, file: { id: content.id, name: content.name }, url: content.url ?? "", title: "Talk" },
});

test("one deck can be made from a file's pages, other files, a video, a picture and the page's own text", async () => {
  const world = new PageWorld([
    paragraph("a", "A codon names one amino acid."),
    block("photo-1", "image", { id: "photo-1.png", name: "Board.png" }),
    pdf,
    block("slides-1", "image", { id: "slides-1.pptx", name: "Slides.pptx" }),
    block("talk-1", "video", { id: "", name: "", url: "https://youtu.be/abcdefghij1" }),
    block("empty-1", "video", { id: "", name: "" }),
  ]);
  world.answers.set("/v1/flashcards/content/ai_generation", () => [
    { type: "started", seq: 1, jobId: "job-of-this-test" },
    { type: "card", seq: 2, card: two[0], deckVersion: 2 },
    { type: "result", seq: 3, result: result([two[0] as Flashcard]) },
  ]);
  showPage();
  await openSession();
  await userEvent.click(await screen.findByRole("button", { name: "Page menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /Make flashcards/ }));
  const also = await screen.findByRole("group", { name: "Also from" });
  const names = within(also)
    .getAllByRole("checkbox")
    .map((box) => box.parentElement?.textContent);
  expect(names).toEqual(["Board.png", "Slides.pptx", "Talk", "This page's text"]);
  for (const name of names) await userEvent.click(within(also).getByRole("checkbox", { name: name ?? "" }));
  await userEvent.type(screen.getByRole("textbox", { name: "First page" }), "2");
  await userEvent.type(screen.getByRole("textbox", { name: "Last page" }), "4");
  await userEvent.type(screen.getByRole("textbox", { name: "Card language" }), "German");
  await userEvent.click(screen.getByRole("button", { name: "Make cards" }));
  await screen.findByText("1 card made");
  const form = world.calls.find(({ path }) => path.includes("ai_generation"))?.form;
  const sent = (key: string) => JSON.parse(form?.[key] ?? "null") as unknown;
  expect(sent("pdfComponents")).toEqual([
    { componentId: "photo-1" },
    { componentId: "pdf-1", startPage: 2, endPage: 4 },
    { componentId: "slides-1" },
  ]);
  expect(sent("videoComponents")).toEqual([{ componentId: "talk-1" }]);
  expect(sent("texts")).toEqual([{ text: "A codon names one amino acid.", pageId: "page-1", componentId: "page-1" }]);
  expect(sent("options")).toMatchObject({ density: "AUTO", language: "German" });
});

const firstPageField = () => screen.getByRole<HTMLInputElement>("textbox", { name: "First page" });

test("choosing another file clears the pages that were typed for the first", async () => {
  const world = new PageWorld([
    pdf,
    block("talk-1", "video", { id: "", name: "Talk", url: "https://youtu.be/abcdefghij1" }),
  ]);
  world.answers.set("/v1/flashcards/content/ai_generation", () => [{ type: "result", seq: 1, result: result(two) }]);
  showPage();
  await openSession();
  await userEvent.click(await screen.findByRole("button", { name: "Page menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /Make flashcards/ }));
  await userEvent.type(firstPageField(), "9");
  const files = screen.getByRole("combobox", { name: "File" });
  await userEvent.selectOptions(files, "talk-1");
  await userEvent.selectOptions(files, pdf._id);
  expect(firstPageField().value).toBe("");
  await userEvent.click(screen.getByRole("button", { name: "Make cards" }));
  await waitFor(() => expect(world.calls.some(({ path }) => path.includes("ai_generation"))).toBe(true));
  const form = world.calls.find(({ path }) => path.includes("ai_generation"))?.form;
  expect(JSON.parse(form?.["pdfComponents"] ?? "[]")).toEqual([{ componentId: pdf._id }]);
});

test("offline, the dialog shows a message and preserves the typed text", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  showPage();
  await openSession();
  await screen.findByText("Saved");
  world.isReachable = false;
  await askForCards("A codon names one amino acid.");
  expect(await screen.findByText(/Couldn't connect to the server/)).toBeTruthy();
  expect(screen.getByDisplayValue("A codon names one amino acid.")).toBeTruthy();
  expect(screen.queryByRole("region", { name: /^Flashcards/ })).toBeNull();
});

test("cancelling the dialog while the deck is being saved removes the deck and starts no generation", async () => {
  const world = new PageWorld([paragraph("a", "Notes")]);
  showPage();
  const { session } = await openSession();
  await screen.findByText("Saved");
  const delayedSyncs: (() => void)[] = [];
  setTransport(
    world.transportAfter(({ path }) => path === "/v1/sync/batch" && delayedSyncs.length === 0 && delayedSyncs),
  );
  await askForCards("A codon names one amino acid.");
  await waitFor(() => expect(delayedSyncs).toHaveLength(1));
  await screen.findByRole("region", { name: /^Flashcards/ });
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: /^Flashcards/ })).toBeNull());
  delayedSyncs[0]?.();
  await session.saver.flush();
  await queue().flush();
  await waitFor(() => expect(world.sent("component_delete")).toHaveLength(1));
  expect(world.sent("component_delete")[0]?.resourceId).toBe(world.sent("component_create")[0]?.resourceId);
  expect(world.log.filter((path) => path.includes("ai_generation"))).toEqual([]);
});

const ended = (status: "done" | "failed" | "cancelled", outcome: unknown = null) => ({
  generations: [{ jobId: `job-${status}`, status, target: null, cardCount: 2, createdAt: 1, outcome }],
});

test("students who left during generation see which sources gave nothing, until they dismiss it", async () => {
  const world = new PageWorld([paragraph("a", "Notes"), deckOf("deck-away", two)]);
  const lost = { source: "Scan.pdf", success: false, error: "This PDF holds no text.", openPlanModal: false };
  world.answers.set("/v1/flashcards/generation", () => ended("done", { message: null, filesProcessed: [lost] }));
  showPage();
  expect(await screen.findByText("Scan.pdf: This PDF holds no text.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  cleanup();
  showPage();
  await screen.findByRole("region", { name: "Flashcards: Key terms" });
  await waitFor(() => expect(world.log.filter((path) => path.includes("/generation?")).length).toBe(2));
  expect(screen.queryByText("Scan.pdf: This PDF holds no text.")).toBeNull();
});

test("a stopped generation can be resumed after a reload, and a failed one shows the reason", async () => {
  const world = new PageWorld([paragraph("a", "Notes"), deckOf("deck-stopped", two), deckOf("deck-failed", [])]);
  const failed = { message: "The chosen AI model is no longer available. Choose another one.", filesProcessed: [] };
  world.answers.set("/v1/flashcards/generation", ({ path }) =>
    path.includes("deck-failed") ? ended("failed", failed) : ended("cancelled"),
  );
  showPage();
  expect(await screen.findByRole("button", { name: "Continue" })).toBeTruthy();
  expect((await screen.findByRole("alert")).textContent).toContain(
    "The chosen AI model is no longer available. Choose another one.",
  );
});

test("while cards are being made for an empty deck, it doesn't say that it has none", async () => {
  const world = new PageWorld([deckOf("deck-9", [])]);
  world.answers.set("/v1/flashcards/generation/", () => [{ type: "started", seq: 1, jobId: "job-that-goes-on" }]);
  const generation = { jobId: "job-that-goes-on", status: "running", target: null, cardCount: 0, createdAt: 1 };
  world.answers.set("/v1/flashcards/generation", () => ({ generations: [{ ...generation, outcome: null }] }));
  showPage();
  expect(await screen.findByText("Making cards")).toBeTruthy();
  expect(screen.queryByText(/^No cards yet/)).toBeNull();
});

test("a card from a document that was opened by its address goes to the deck of the page", async () => {
  const world = new PageWorld([deckOf("deck-9", [])]);
  const listed = { _id: "deck-9", type: "flash_cards", pageId: "page-1", title: "Key terms", isArchived: false };
  const content = { pages: [listedPage("page-1", "Biology")], components: [listed], podcasts: [] };
  world.answers.set("/v1/auth/get_content", () => ({ content }));
  world.answers.set("/v1/flashcard/draft", () => ({ question: "What reads a codon?", answer: "A ribosome" }));
  const draft = {
    text: quote,
    citation: "",
    pageId: "page-1",
    newDeck: "Lecture 9",
    findBox: () => ({ left: 0, top: 0, right: 9, bottom: 9 }),
  };
  render(
    <Provider store={store}>
      <CardDraftPopover draft={draft} onClose={() => undefined} />
    </Provider>,
  );
  await screen.findByText("to Key terms");
  expect(screen.queryByText("to Lecture 9")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: /^Keep/ }));
  await waitFor(async () => {
    await queue().flush();
    expect(world.requests.map(({ resourceId }) => resourceId)).toEqual(["deck-9"]);
  });
});
