// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EngineCard, EngineNotice } from "#shared/cards/schema.ts";
import { tools } from "#shared/messages/en/public/tools.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { CardsMessage } from "#webapp/marketing/tools/cards-worker.ts";
import { CardsTool } from "#webapp/marketing/tools/cards-tool.tsx";
import { readText } from "#webapp/marketing/tools/readers/read-text.ts";
import { useCards } from "#webapp/marketing/tools/use-cards.ts";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

const passage = (id: string, text: string, kind: Passage["kind"]): Passage => ({
  id,
  text,
  kind,
  bold: [],
  italic: [],
  locator: {},
});
const passages = [
  passage("p1", "Zygomycota", "heading"),
  passage("p2", "A sporangium is a case that holds spores.", "paragraph"),
];
const card: EngineCard = {
  kind: "qa",
  question: "Zygomycota: What is a sporangium?",
  answer: "A case that holds spores",
  quote: "A sporangium is a case that holds spores.",
  passageId: "p2",
};

/** What the worker makes from every source. */
let madeCards = [card];
/** What the worker says about every source. */
let madeNotice: EngineNotice | undefined;

/** Makes these cards from every source, because the test environment has no workers. */
class CardsWorker extends EventTarget {
  postMessage(): void {
    const messages: CardsMessage[] = [
      ...madeCards.map((made) => ({ type: "card" as const, card: made })),
      ...(madeNotice === undefined ? [] : [{ type: "notice" as const, notice: madeNotice }]),
      { type: "end" },
    ];
    for (const data of messages) this.dispatchEvent(new MessageEvent("message", { data }));
  }
  terminate(): void {
    // There is no worker to end.
  }
}

beforeEach(() => {
  vi.stubGlobal("Worker", CardsWorker);
  madeCards = [card];
  madeNotice = undefined;
  setToolWords(tools, "en");
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

test.each([
  ["a file keeps the only heading with its question, as its set is named after the file", "Lecture 3", "Zygomycota"],
  ["a pasted text names its set after its only heading, which no question repeats", "", undefined],
])("%s", async (_, name, section) => {
  const { result } = renderHook(() => useCards("pdf"));
  await act(() => result.current.make(name, async () => ({ passages })));
  expect(result.current.title).toBe(name || "Zygomycota");
  expect(result.current.list).toHaveLength(1);
  expect(result.current.list[0]?.question).toBe("What is a sporangium?");
  expect(result.current.list[0]?.section).toBe(section);
});

test.each([
  [undefined, /^Only the first 60 pages were read\. Cards are made from whole sentences/],
  [
    "language_not_supported" as const,
    /^Only the first 60 pages were read\. No sentence in English was found: the text is a list/,
  ],
])("a file without a card says why, and what was left out: %s", async (notice, reason) => {
  madeCards = [];
  madeNotice = notice;
  const { result } = renderHook(() => useCards("office"));
  const note = "Only the first 60 pages were read.";
  await act(() => result.current.make("Slides", async () => ({ passages, note })));
  expect(result.current.phase).toMatchObject({
    text: "9 words were read.",
    note: expect.stringMatching(reason) as string,
    readText: "Zygomycota\nA sporangium is a case that holds spores.",
  });
});

test("the words of a text without spaces are counted", async () => {
  madeCards = [];
  const { result } = renderHook(() => useCards("text"));
  await act(() => result.current.make("", () => readText("孢子囊是一种容纳孢子的结构，真菌用它来繁殖后代。")));
  expect(result.current.phase).toMatchObject({ kind: "done", text: expect.stringMatching(/^1\d words were read\.$/) });
});

test("cards of a long source are in the order of its pages, whatever the order they are made in", async () => {
  madeCards = [4, 18, 8, 18, 2].map((page, at) => ({ ...card, question: `Question ${at}`, page }));
  const { result } = renderHook(() => useCards("office"));
  await act(() => result.current.make("Handbook", async () => ({ passages })));
  expect(result.current.list.map(({ page, question }) => `${page}: ${question}`)).toEqual([
    "2: Question 4",
    "4: Question 0",
    "8: Question 2",
    "18: Question 1",
    "18: Question 3",
  ]);
});

/** Adds a card, and fills it in. */
async function writeCard(user: ReturnType<typeof userEvent.setup>, number: number, question: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: "Add a card" }));
  await user.type(screen.getByRole("textbox", { name: `Question ${number}` }), question);
}

const questions = () =>
  screen.queryAllByRole<HTMLTextAreaElement>("textbox", { name: /^Question/ }).map(({ value }) => value);

const pasteText = async (user: ReturnType<typeof userEvent.setup>, text: string) => {
  const field = screen.getByRole("textbox", { name: "Your text" });
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
  await user.click(screen.getByRole("button", { name: "Make flashcards" }));
};

const TEXT = "A sporangium is a case that holds spores, and it is found in many fungi.";
/** The question that the worker makes from every text. */
const MADE = "Zygomycota: What is a sporangium?";

test("a source that cannot be read leaves the cards as they are", async () => {
  const user = userEvent.setup();
  render(<CardsTool source="text" />);
  await pasteText(user, TEXT);
  expect(await screen.findByText("1 card from your text")).toBeDefined();
  await writeCard(user, 2, "Where are they found?");
  await pasteText(user, "Too short.");
  expect(await screen.findByText(/^That is too little text/)).toBeDefined();
  expect(questions()).toEqual([MADE, "Where are they found?"]);
});

test("a source without a card says how much was read and shows it, and a card can be written instead", async () => {
  madeCards = [];
  const user = userEvent.setup();
  render(<CardsTool source="text" />);
  await pasteText(user, TEXT);
  expect(await screen.findByText(/^15 words were read\. No sentence here makes a good card/)).toBeDefined();
  await user.click(screen.getByText("Show the text that was read"));
  expect(screen.getByText(TEXT, { selector: "details p" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Write a card yourself" }));
  await user.type(screen.getByRole("textbox", { name: "Question 1" }), "Where are they found?");
  expect(questions()).toEqual(["Where are they found?"]);
  expect(screen.queryByRole("button", { name: "Write a card yourself" })).toBeNull();
});

test("cards that another source replaced, or that were cleared, can be brought back", async () => {
  const user = userEvent.setup();
  render(<CardsTool source="text" />);
  await pasteText(user, TEXT);
  await screen.findByText("1 card from your text");
  await writeCard(user, 2, "Where are they found?");
  await user.type(screen.getByRole("textbox", { name: "Name of the set" }), "Fungi");
  await pasteText(user, TEXT);
  await waitFor(() => expect(questions()).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Bring them back" }));
  expect(questions()).toEqual([MADE, "Where are they found?"]);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Name of the set" }).value).toBe("Fungi");
  expect(screen.queryByRole("button", { name: "Bring them back" })).toBeNull();

  await user.click(screen.getByRole("button", { name: "Start over" }));
  expect(questions()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Bring them back" }));
  expect(questions()).toHaveLength(2);
});

test("cards are still there after a reload, with their sentence, and only in their own tool", async () => {
  const user = userEvent.setup();
  const { unmount } = render(<CardsTool source="text" />);
  await pasteText(user, TEXT);
  await screen.findByText("1 card from your text");
  await writeCard(user, 2, "Where are they found?");
  window.dispatchEvent(new Event("pagehide"));
  unmount();
  const reloaded = render(<CardsTool source="text" />);
  expect(questions()).toEqual([MADE, "Where are they found?"]);
  expect(screen.getByRole("button", { name: "source: Show the sentence of card 1" })).toBeDefined();
  // The next card has an id of its own.
  await writeCard(user, 3, "Another?");
  await user.click(screen.getByRole("button", { name: "Remove card 3" }));
  expect(questions()).toHaveLength(2);
  reloaded.unmount();
  render(<CardsTool source="hand" />);
  expect(questions()).toEqual(["", ""]);
});

test("a tool works without storage, and with something else stored under its name", async () => {
  sessionStorage.setItem("lamplight_tool_cards_text", '{"cards":[null],"title":1}');
  const user = userEvent.setup();
  render(<CardsTool source="text" />);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await pasteText(user, TEXT);
  expect(await screen.findByText("1 card from your text")).toBeDefined();
  window.dispatchEvent(new Event("pagehide"));
  expect(questions()).toHaveLength(1);
  vi.restoreAllMocks();
});

test("cards of a video are named after it", async () => {
  const lines = Array.from({ length: 3 }, (_, index) => ({ startMs: index * 1000, text: TEXT }));
  vi.stubGlobal("fetch", async () => Response.json({ title: "Fungi in ten minutes", segments: lines }));
  const user = userEvent.setup();
  render(<CardsTool source="youtube" />);
  await user.type(screen.getByRole("textbox", { name: "YouTube address" }), "https://youtu.be/abcdefghijk");
  await user.click(screen.getByRole("button", { name: "Get the transcript" }));
  expect(await screen.findByText("1 card from Fungi in ten minutes")).toBeDefined();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Name of the set" }).value).toBe(
    "Fungi in ten minutes",
  );
});

const WRONG_TYPE = "This tool does not read files of this type, but PDF.";

test("a file that was chosen before the script was ready is read", async () => {
  const container = document.createElement("div");
  document.body.append(container);
  container.innerHTML = renderToString(<CardsTool source="pdf" />);
  const field = container.querySelector<HTMLInputElement>("input[type=file]");
  if (!field) throw new Error("There is no field for a file");
  await userEvent.upload(field, new File(["x"], "notes.txt"), { applyAccept: false });
  render(<CardsTool source="pdf" />, { container, hydrate: true });
  expect(await screen.findByText(WRONG_TYPE)).toBeDefined();
  expect(screen.getByText("notes.txt")).toBeDefined();
});

test("a file that is dropped beside the field is read, and the browser does not open it", async () => {
  render(<CardsTool source="pdf" />);
  const dataTransfer = { types: ["Files"], files: [new File(["x"], "notes.txt")] };
  // False means that the page handled the event.
  expect(fireEvent.dragOver(document.body, { dataTransfer })).toBe(false);
  expect(fireEvent.drop(document.body, { dataTransfer })).toBe(false);
  expect(await screen.findByText(WRONG_TYPE)).toBeDefined();
  expect(fireEvent.drop(document.body, { dataTransfer: { types: ["text/plain"], files: [] } })).toBe(true);
});
