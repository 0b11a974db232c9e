import { expect, test } from "vitest";
import { z } from "zod";
import { formatCanvas, sentencesOf, toEditableText } from "#shared/research/canvas.ts";
import {
  headingAbove,
  joinSameHeadings,
  listBlocks,
  placeDisagreement,
  sentencesInBlock,
} from "#shared/research/canvas-blocks.ts";
import { snippetOf } from "#shared/research/rules.ts";
import type { CanvasSection, CanvasSentence } from "#shared/research/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { findUnsupported, runResearch } from "#tests/kit/research.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const api = await startApi({ forFile: true });

const aSentence = (text: string): CanvasSentence => ({ text, cites: [1], isSupported: true });

/** A section with a paragraph for each text: `|` separates sentences, and a word before a colon is the heading. */
const aSection = (id: string, texts: readonly string[], topic: CanvasSection["topic"] = null): CanvasSection => ({
  id,
  heading: id,
  topic,
  status: "written",
  paragraphs: texts.map((text) => {
    const [, heading, words = ""] = /^(?:(\w+): )?(.*)$/u.exec(text) ?? [];
    return words
      .split("|")
      .map((sentence, at) => ({ ...aSentence(sentence), ...(at === 0 && heading && { heading }) }));
  }),
  disagreements: [],
});

const pair = { kind: "figures" as const, about: "", sides: [aSentence("A"), aSentence("B")] };
const isSide = ({ text }: CanvasSentence) => text === "A" || text === "B";
const place = (sections: readonly CanvasSection[], fallbackId?: string) =>
  placeDisagreement(sections, pair, { isSide, fallbackId });

/** Each section as its blocks: the pair is "A≠B". */
const shapeOf = (sections: readonly CanvasSection[]) =>
  sections.map((section) =>
    listBlocks(section).map((block) => {
      const heading = headingAbove(block);
      const text = sentencesInBlock(block)
        .map((sentence) => sentence.text)
        .join(block.pair ? "≠" : "|");
      return heading === undefined ? text : `${heading}: ${text}`;
    }),
  );

test.each([
  ["within a paragraph", [aSection("s", ["H: 1|A|2"])], [["H: 1", "A≠B", "2"]]],
  ["at the beginning of a paragraph", [aSection("s", ["1", "H: B|2"])], [["1", "H: A≠B", "2"]]],
  ["instead of a paragraph", [aSection("s", ["1", "H: A", "I: 2"])], [["1", "H: A≠B", "I: 2"]]],
  ["at the first of both, in one section", [aSection("s", ["1|B", "2|A|3"])], [["1", "A≠B", "2|3"]]],
  [
    "at the first of both, in two sections",
    [aSection("s", ["1|A"]), aSection("u", ["H: B|2"])],
    [["1", "A≠B"], ["H: 2"]],
  ],
  [
    "in place of a section of ours that holds nothing else",
    [aSection("s", ["A"]), aSection("u", ["B"], "figures")],
    [["A≠B"], []],
  ],
  ["before the only answer to another question", [aSection("s", ["A"]), aSection("u", ["B"])], [["A≠B"], ["B"]]],
])("two sentences that disagree are shown side by side %s", (_, sections, shape) => {
  expect(shapeOf(place(sections))).toEqual(shape);
});

test("the heading above two sentences that disagree is in the exported text and in the text to edit", () => {
  const [section] = place([aSection("s", ["H: A|2"])]);
  if (!section) throw new Error("no section");
  expect(formatCanvas([section], "en")).toContain("### H\n\n> **These two sources disagree**");
  expect(toEditableText(section, "Disagree")).toBe("### H\n\nDisagree: A [^1] B [^1]\n\n2 [^1]");
});

test("two sentences that are not in the text are shown after the closest section", () => {
  const sections = [aSection("s", ["1"]), aSection("u", ["2"])];
  expect(shapeOf(place(sections, "u"))).toEqual([["1"], ["2", "A≠B"]]);
});

test("a standard section without any other sentence is not shown", () => {
  const [, emptied] = place([aSection("s", ["A"]), aSection("u", ["B"], "figures")]);
  expect(emptied?.status).toBe("not_found");
});

test("two pairs keep their positions, and a pair from an older session comes last", () => {
  const older = { ...aSection("s", ["1", "2"]), disagreements: [pair] };
  expect(shapeOf([older])).toEqual([["1", "2", "A≠B"]]);
  const other = { ...pair, sides: [aSentence("C"), aSentence("D")] };
  const placed = placeDisagreement(place([aSection("s", ["1|A", "2|C|3"])]), other, {
    isSide: ({ text }) => text === "C" || text === "D",
    fallbackId: undefined,
  });
  expect(shapeOf(placed)).toEqual([["1", "A≠B", "2", "C≠D", "3"]]);
});

const HUNDRED = "The human genome contains about 100,000 genes in its chromosomes.";
const TWENTY = "The human genome contains about 20,000 genes in its chromosomes.";

test("a session states figures that disagree only side by side", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada, "Old notes"), `Genes are parts of chromosomes. ${HUNDRED}`);
  await aText(ada, await aPage(ada, "New notes"), `${TWENTY} Genes of the human genome are made of DNA.`);
  const { session } = await runResearch(ada.client, {
    userMessage: "How many genes does the human genome contain, and what are genes made of?",
  });
  const texts = sentencesOf(session.sections).map(({ text }) => text);
  expect(texts.filter((text) => text === HUNDRED || text === TWENTY).toSorted()).toEqual([HUNDRED, TWENTY]);
  const [found] = session.sections.flatMap(({ disagreements }) => disagreements);
  expect(found?.sides.map(({ text }) => text).toSorted()).toEqual([HUNDRED, TWENTY]);
  expect(session.canvas.indexOf("These two sources disagree")).toBeLessThan(session.canvas.indexOf(HUNDRED));
  expect(await findUnsupported(ada.client, session)).toEqual([]);
  expect(session.run.verified).toBe(texts.length);
  expect(session.canvas).toBe(formatCanvas(session.sections, "en"));
});

const QUESTION = "How many genes does the human genome contain?";
const model = await startModelServer({
  // It writes each sentence in other words, from a quote of the whole sentence.
  say: (prompt) => {
    const passages = prompt.split("\n").filter((line) => line.startsWith('{"id":'));
    if (passages.length === 0) return JSON.stringify({ question: QUESTION });
    return passages
      .map((line) => z.object({ id: z.string(), text: z.string() }).parse(JSON.parse(line)))
      .map(({ id, text }) => JSON.stringify({ sentence: text.replace(" about", ""), passage: id, quote: text }))
      .join("\n");
  },
});
const withModel = await startApi({ forFile: true, env: { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" } });

test("both conflicting sentences replace what a model wrote from one of them", async () => {
  const ada = await withModel.newUser();
  const other = "Genes of the human genome lie on 23 pairs of chromosomes.";
  for (const text of [HUNDRED, TWENTY, other]) await aText(ada, await aPage(ada, text), text);
  const { session } = await runResearch(ada.client, { userMessage: QUESTION });
  expect(session.run.model).toBe("test-model");
  const texts = sentencesOf(session.sections).map(({ text }) => text);
  expect(texts.filter((text) => text.includes(",000 genes")).toSorted()).toEqual([HUNDRED, TWENTY]);
  expect(session.sections.flatMap(({ disagreements }) => disagreements)).toHaveLength(1);
  expect(texts).toContain(other);
  expect(await findUnsupported(ada.client, session)).toEqual([]);
});

test("a later question repeats neither a disagreement nor what else is in the sources", async () => {
  const ada = await api.newUser();
  const parts = "A ribosome consists of two subunits, a small one and a large one.";
  const facts = [
    "The ribosome reads messenger RNA one codon at a time.",
    "Ribosomes make proteins by joining amino acids into a chain.",
    parts,
    "The ribosome of a bacterium contains about 55 proteins in its two subunits.",
  ];
  const pageId = await aPage(ada, "Protein synthesis");
  for (const fact of facts) await aText(ada, pageId, fact);
  const other = "The ribosome of a bacterium contains about 70 proteins in its two subunits.";
  await aText(ada, await aPage(ada, "Old lecture"), other);
  const { session: first } = await runResearch(ada.client, { userMessage: "How do ribosomes make proteins?" });
  const pairsOf = ({ sections }: typeof first) => sections.flatMap(({ disagreements }) => disagreements);
  expect(pairsOf(first)).toHaveLength(1);
  const asked = { userMessage: "What does the ribosome read?", conversationId: first._id };
  const { session } = await runResearch(ada.client, asked);
  expect(session.sections.length).toBeGreaterThan(first.sections.length);
  expect(pairsOf(session)).toHaveLength(1);
  const texts = sentencesOf(session.sections.filter(({ topic }) => topic !== null)).map(({ text }) => text);
  const own = sentencesOf(session.sections.filter(({ topic }) => topic === null)).map(({ text }) => text);
  expect(texts).toContain(parts);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.filter((text) => own.includes(text))).toEqual([]);
});

test("if a session found only a disagreement, its snippet is the two sentences", () => {
  const sides = formatCanvas(place([aSection("s", ["A"])]), "en");
  expect(snippetOf(sides)).toBe("A B");
});

const under = (heading: string, text: string, cite: number): CanvasSentence => ({
  ...aSentence(text),
  cites: [cite],
  heading,
});

test("a heading of a source stands once above what was found but not asked for", () => {
  const own = { ...aSection("own", []), status: "written" as const, paragraphs: [[under("Glaciers", "A", 1)]] };
  const kinds = {
    ...aSection("kinds", [], "kinds"),
    paragraphs: [[under("Glaciers", "B", 2)], [under("Ice", "C", 3)]],
  };
  const limits = { ...aSection("limits", [], "limits"), paragraphs: [[under("Glaciers", "D", 4)]] };
  const others = { ...aSection("figures", [], "figures"), paragraphs: [[under("Glaciers", "E", 5)]] };
  const sections = [own, kinds, limits, others].map((one) => ({ ...one, status: "written" as const }));
  // The fifth citation is of another source.
  const joined = joinSameHeadings(sections, (cite) => (cite === 5 ? 2 : 1));
  expect(joined.map(({ paragraphs }) => paragraphs.map((paragraph) => paragraph.map(({ text }) => text)))).toEqual([
    [["A"]],
    [["B", "D"], ["C"]],
    [],
    [["E"]],
  ]);
  expect(joined[1]?.paragraphs[0]?.map(({ heading }) => heading)).toEqual(["Glaciers", undefined]);
  expect(joined[2]?.status).toBe("not_found");
});
