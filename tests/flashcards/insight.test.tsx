// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { mergeCoverage } from "#shared/flashcards/coverage.ts";
import { aCard } from "#tests/store/changes.ts";
import { PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { generateHighlights, checkHighlights, type HighlightsState } from "#webapp/flashcards/deck/highlights.ts";
import { setTransport } from "#webapp/app/client.ts";

afterEach(() => cleanup());

const source = { name: "Cells.pdf", kind: "pdf" as const, componentId: "pdf-1", from: 1, to: 4 };
const entry = (label: string, cardIds: string[], skipped: "no_fact" | "left_out" | null = null) => ({
  kind: "section" as const,
  label,
  page: 2,
  cardIds,
  skipped,
});
const deck = {
  _id: "deck-1",
  type: "flash_cards" as const,
  content: { title: "Key terms", cards: [aCard("c1"), aCard("c2")], minimized: false },
};

async function openPanel(name: string) {
  const region = await screen.findByRole("region", { name: "Flashcards: Key terms" });
  await userEvent.click(within(region).getByRole("button", { name: "Deck menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name }));
  return screen.findByRole("dialog");
}

test("coverage shows which sections have cards and why others were skipped, and can make more cards", async () => {
  const world = new PageWorld([paragraph("a", "Notes"), deck]);
  const entries = [entry("Nucleus", ["c1", "c2"]), entry("Vacuoles", [], "left_out")];
  world.answers.set("/v1/flashcards/page-1/deck-1/coverage", () => ({
    generations: [{ createdAt: 1, sources: [source], entries }],
  }));
  showPage();
  const dialog = await openPanel("Coverage");
  expect(await within(dialog).findByText("2 cards")).toBeTruthy();
  expect(within(dialog).getByText("Skipped for stronger facts")).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("checkbox", { name: "Only sections without cards" }));
  expect(within(dialog).queryByText("2 cards")).toBeNull();
  await userEvent.click(within(dialog).getByRole("button", { name: "Make more cards about Vacuoles" }));
  const asked = world.calls.find(({ path }) => path === "/v1/flashcards/content/ai_generation");
  expect(JSON.parse(asked?.form["pdfComponents"] ?? "")).toEqual([{ componentId: "pdf-1", startPage: 1, endPage: 4 }]);
  expect(JSON.parse(asked?.form["options"] ?? "")).toMatchObject({ focus: { kind: "section", label: "Vacuoles" } });
});

test("a section covered by one generation counts as covered even if another skipped it", () => {
  const lines = mergeCoverage([
    { createdAt: 2, sources: [source], entries: [entry("Nucleus", [], "left_out")] },
    { createdAt: 1, sources: [], entries: [entry("nucleus", ["c1"])] },
  ]);
  expect(lines).toEqual([
    { kind: "section", label: "nucleus", page: 2, source: null, cardCount: 1, skipped: null, sources: [source] },
  ]);
});

test("with several sources, each line names its file; pasted text has no name", () => {
  const text = { ...source, kind: "text" as const, name: "Osmosis moves", componentId: null };
  const entries = [
    { ...entry("Nucleus", ["c1"]), passageId: "0/4" },
    { ...entry("Osmosis", ["c2"]), passageId: "1/0" },
  ];
  const sourcesOf = (sources: (typeof source | typeof text)[]) =>
    mergeCoverage([{ createdAt: 1, sources, entries }]).map((line) => line.source);
  expect(sourcesOf([source, text])).toEqual([source.name, null]);
  expect(sourcesOf([source])).toEqual([null, null]);
});

const deckLocation = { pageId: "page-1", flashcardsId: "deck-1" };

async function statesOf(answer: (asked: number) => string[]): Promise<{ states: HighlightsState[]; asked: number }> {
  let asked = 0;
  setTransport(async ({ path }) => {
    // Ignores late requests from the previous test.
    if (!path.includes("highlight")) throw new NoResponseError("network");
    const pieces = answer(++asked);
    return {
      text: async () => "",
      blob: async () => new Blob(),
      async *pieces() {
        yield* pieces;
      },
    };
  });
  const states: HighlightsState[] = [];
  const show = (state: HighlightsState) => states.push(state);
  await generateHighlights(deckLocation, {
    cards: [aCard("c1")],
    signal: new AbortController().signal,
    show,
    waitMs: 1,
  });
  return { states, asked };
}

test("highlights appear on the screen as they stream", async () => {
  const { states } = await statesOf(() => ["- One\n", "- Two\n"]);
  expect(states.map(({ highlights }) => highlights)).toEqual([null, "- One\n", "- One\n- Two\n", "- One\n- Two\n"]);
  expect(states.at(-1)).toMatchObject({ loading: false, error: null });
});

test("failing highlights are retried three times before the final message", async () => {
  const { states, asked } = await statesOf(() => {
    throw new NoResponseError("network");
  });
  expect(asked).toBe(4);
  expect(states.at(-1)?.error).toEqual({
    title: "Failed to generate highlights",
    message: "An error occurred while generating the highlights.",
    retryCount: 3,
  });
});

test("refused highlights show the server's message, or the default message if there is none", async () => {
  const refused = await statesOf(() => {
    throw new Failure("bad_input", { message: "These cards say nothing." });
  });
  expect(refused.states.at(-1)?.error).toEqual({
    title: "Failed to generate highlights",
    message: "These cards say nothing.",
    retryCount: 0,
  });
  setTransport(async () => {
    throw new NoResponseError("network");
  });
  expect((await checkHighlights(deckLocation)).error).toEqual({
    title: "Failed to check highlights status",
    message: "There was an error processing your flashcards. Please try again later.",
    retryCount: 0,
  });
});

test("a deck without requested highlights shows no error", async () => {
  setTransport(async () => {
    throw new Failure("not_found", { message: "No such deck" });
  });
  expect((await checkHighlights(deckLocation)).error).toBeNull();
});

test("highlights that fail once arrive on the retry", async () => {
  const { states, asked } = await statesOf((time) => {
    if (time === 1) throw new NoResponseError("timeout");
    return ["- One\n"];
  });
  expect(asked).toBe(2);
  expect(states.at(-1)).toMatchObject({ highlights: "- One\n", error: null });
});
