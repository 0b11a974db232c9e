import { expect, test } from "vitest";
import { findSections } from "#api/library/sources.ts";
import type { RetrievedPassage } from "#api/tutor/answering/answer-builder.ts";
import { findContextWindows, readContextText } from "#api/tutor/answering/context-windows.ts";
import type { IndexedPassage, PassageIndex } from "#api/store/search/port.ts";

const passage = (id: string, text: string, section?: number): IndexedPassage => ({
  id,
  text,
  kind: "paragraph",
  locator: {},
  componentId: "file",
  ...(section === undefined ? {} : { section }),
});

/** An index with one source. */
const indexOf = (passages: readonly IndexedPassage[]) =>
  ({
    read: async (_owner: string, _source: string, { from, limit }: { from: number; limit: number }) =>
      passages.slice(from, from + limit),
  }) as unknown as PassageIndex;

const windowsIn = (passages: readonly IndexedPassage[], kind: "file" | "deck" = "file") =>
  passages.map(
    (each, position) =>
      ({ source: { id: "file:1", kind }, passage: each, position, score: 1 }) as unknown as RetrievedPassage,
  );

const idsOf = (windows: readonly (readonly RetrievedPassage[])[]) =>
  windows.map((window) => window.map((ground) => ground.passage.id));

const filler = "Nothing of the matter is said in these many words. ".repeat(24);

test("neighbouring paragraphs that together cover the question rank before one that repeats a single word", async () => {
  const passages = [
    passage("often", `Light, light, light and light again. ${filler}`, 1),
    passage("gap", filler, 1),
    passage("one", "Chlorophyll stands in the thylakoid.", 2),
    passage("two", "There it takes up light.", 2),
  ];
  const index = indexOf(passages);
  const found = windowsIn(passages).filter((ground) => ground.passage.id !== "gap");
  const question = "How does chlorophyll in the thylakoid take up light?";
  const [first, second] = await findContextWindows(index, "ada", { passages: found, question });
  expect(first?.map((ground) => ground.passage.id)).toEqual(["one", "two"]);
  expect(first?.[0]?.contextText).toBe("Chlorophyll stands in the thylakoid.\nThere it takes up light.");
  expect(second?.map((ground) => ground.passage.id)).toEqual(["often"]);
});

test("a context window stays within its section and a citation's length, and no passage is in two windows", async () => {
  const passages = Array.from({ length: 24 }, (_, n) =>
    passage(`${n}`, `The ribosome number ${n}. ${filler.slice(0, 500)}`, n < 9 ? 1 : 2),
  );
  const windows = await findContextWindows(indexOf(passages), "ada", {
    passages: windowsIn(passages),
    question: "Which ribosome?",
  });
  const ids = idsOf(windows).flat();
  expect(new Set(ids).size).toBe(ids.length);
  for (const window of windows) {
    expect(new Set(window.map((ground) => ground.passage.section)).size).toBe(1);
    expect(window[0]?.contextText?.length).toBeLessThanOrEqual(2000);
  }
});

test("each card of a deck is its own context window", async () => {
  const cards = [passage("a", "What is light? Waves."), passage("b", "What takes up light? Chlorophyll.")];
  const windows = await findContextWindows(indexOf(cards), "ada", {
    passages: windowsIn(cards, "deck"),
    question: "What of light?",
  });
  expect(idsOf(windows).toSorted(([a = ""], [b = ""]) => a.localeCompare(b))).toEqual([["a"], ["b"]]);
});

test("a question of stop words leaves the retrieved passages unchanged", async () => {
  const passages = [passage("a", "Light."), passage("b", "Water.")];
  expect(
    idsOf(
      await findContextWindows(indexOf(passages), "ada", { passages: windowsIn(passages), question: "Summarise this" }),
    ),
  ).toEqual([["a"], ["b"]]);
});

const block = (kind: "heading" | "paragraph", text: string, level?: number) => ({
  ...passage(text, text),
  kind,
  bold: [],
  italic: [],
  ...(level === undefined ? {} : { level }),
});

test("a section continues over a page break and includes its subsections; a citation ends with it", async () => {
  const read = [
    block("paragraph", "before"),
    block("heading", "Chapter", 1),
    block("paragraph", "opening"),
    block("heading", "Cells", 2),
    block("paragraph", "cells"),
    block("heading", "Nucleus", 3),
    block("paragraph", "nucleus"),
    block("heading", "Leaves", 2),
    block("paragraph", "leaves"),
  ];
  expect(findSections(read)).toEqual([undefined, 1, 1, 3, 3, 3, 3, 7, 7]);
  const sections = findSections(read);
  const indexed = read.flatMap((each, n) =>
    each.kind === "heading" ? [] : [passage(each.text, each.text, sections[n])],
  );
  const grounds = windowsIn(indexed);
  const widened = await Promise.all(grounds.map((ground) => readContextText(indexOf(indexed), "ada", ground)));
  expect(widened).toEqual(["before", "opening", "cells\nnucleus", "cells\nnucleus", "leaves"]);
});
