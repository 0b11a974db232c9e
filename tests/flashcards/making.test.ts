import { expect, test } from "vitest";
import { buildOcclusionCards, buildListCards, reverseCard, withReversed } from "#shared/flashcards/card-builders.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";
import { chooseSection, splitSectionLine } from "#shared/flashcards/section-line.ts";
import { buildRequest, createDefaultOptions } from "#webapp/flashcards/parts/card-maker/card-maker-options.ts";
import type { PageSource } from "#webapp/pages/page-port.tsx";
import { middleRegion, moveRegionByKey, regionBetween } from "#shared/flashcards/occlusion-regions.ts";

const ids = () => {
  let at = 0;
  return () => `id-${(at += 1)}`;
};

test("each hidden part of a picture becomes a card with the picture, all parts and its citation", () => {
  const regions = [
    { id: "a", x: 0.1, y: 0.1, w: 0.2, h: 0.1, label: "Nucleus " },
    { id: "b", x: 0.5, y: 0.5, w: 0.2, h: 0.1, label: "Vacuole" },
  ];
  const picture = { image: "/v1/files/x.png", question: "What is hidden here?", regions, citation: "pdf_citation:c:2" };
  const cards = buildOcclusionCards({ ...picture, hidesAll: true }, ids());
  expect(cards.map((card) => Flashcard.parse(card))).toMatchObject([
    {
      kind: "occlusion",
      answer: "Nucleus",
      questionImage: "/v1/files/x.png",
      occlusion: { regionId: "a", hidesAll: true },
    },
    { kind: "occlusion", answer: "Vacuole", citation: "pdf_citation:c:2", occlusion: { regionId: "b" } },
  ]);
  expect(new Set(cards.map(({ groupId }) => groupId)).size).toBe(1);
});

test("list cards ask item by item, with earlier items shown and later ones hidden", () => {
  const cards = buildListCards("Phases", ["prophase", "", "metaphase", "anaphase"], ids());
  expect(cards.map(({ question, answer }) => [question, answer])).toEqual([
    ["Phases\n____\n…\n…", "prophase"],
    ["Phases\nprophase\n____\n…", "metaphase"],
    ["Phases\nprophase\nmetaphase\n____", "anaphase"],
  ]);
  expect(Flashcard.parse(cards[1]).cloze).toEqual({
    text: "Phases\n{{c1::prophase}}\n{{c2::metaphase}}\n{{c3::anaphase}}",
    index: 2,
    isOverlapping: true,
  });
  expect(buildListCards("Phases", ["prophase"], ids())).toEqual([]);
});

test("a selected pair gets one reversed card right after it; cloze and picture cards don't", () => {
  const pair = Flashcard.parse({
    id: "p",
    question: "What holds DNA?",
    answer: "The nucleus",
    citation: "pdf_citation:c:2",
  });
  const blank = Flashcard.parse({ id: "b", question: "____ holds DNA", answer: "The nucleus", kind: "cloze" });
  const both = withReversed([pair, blank], new Set(["p", "b"]), ids());
  expect(both.map(({ question, isReversed }) => [question, isReversed ?? false])).toEqual([
    ["What holds DNA?", false],
    ["The nucleus", true],
    ["____ holds DNA", false],
  ]);
  expect(both[1]).toMatchObject({ answer: "What holds DNA?", citation: "pdf_citation:c:2", groupId: both[0]?.groupId });
  expect(withReversed(both, new Set(both.map(({ id }) => id)), ids())).toEqual(both);
});

test("a region is drawn between two points, stays within the picture, and can be moved and resized by keys", () => {
  expect(regionBetween({ x: 0.5, y: 0.5 }, { x: 0.2, y: 0.9 })).toMatchObject({ x: 0.2, y: 0.5 });
  expect(regionBetween({ x: 0.5, y: 0.5 }, { x: 0.501, y: 0.9 })).toBeUndefined();
  const region = middleRegion();
  expect(moveRegionByKey(region, "ArrowLeft", false)?.x).toBeCloseTo(region.x - 0.01);
  expect(moveRegionByKey(region, "ArrowDown", true)?.h).toBeCloseTo(region.h + 0.01);
  expect(moveRegionByKey({ ...region, x: 0.8 }, "ArrowRight", false)?.x).toBeCloseTo(0.8);
  expect(moveRegionByKey(region, "Enter", false)).toBeUndefined();
});

const turn = (question: string, answer: string) => reverseCard({ question, answer });

test("a definition can be reversed; other questions can't", () => {
  expect(turn("What is osmosis?", "The movement of water across a membrane")).toEqual({
    question: "What is the term for the movement of water across a membrane?",
    answer: "Osmosis",
  });
  expect(turn("What is the term for vesicles that digest worn parts?", "Lysosomes")).toEqual({
    question: "What are lysosomes?",
    answer: "Vesicles that digest worn parts",
  });
  expect(turn("What is the term for the molecule that carries energy?", "ATP")?.question).toBe("What is ATP?");
  expect(turn("What are the parts of a cell?", "The nucleus, the membrane and the cytoplasm")).toBeUndefined();
  expect(turn("What is a cell membrane?", "The membrane that encloses a cell")).toBeUndefined();
  expect(turn("Why do cells divide?", "Because the body grows")).toBeUndefined();
  expect(turn("What is the pH of blood?", "About 7.4")).toBeUndefined();
});

test("a card's section is the heading that its question names, otherwise the nearest one", () => {
  const headings = ["Prokaryotic RNA Polymerase", "Initiation of Transcription in Prokaryotes", "Genes"];
  expect(chooseSection("Initiation of Transcription in Prokaryotes: What is it?", headings)).toBe(headings[1]);
  expect(chooseSection("What is a promoter?", headings)).toBe(headings[0]);
  expect(chooseSection("True or false: It binds DNA.", headings)).toBe(headings[0]);
  expect(chooseSection("What is a promoter?", [])).toBeUndefined();
});

test("a card's section is shown apart from its question, unless it gives the answer away", () => {
  const card = {
    question: "The genetic code: What is a codon?",
    answer: "Three nucleotides",
    citation: "pdf_citation:c:2",
    section: "15.1 The Genetic Code",
  };
  expect(splitSectionLine(card)).toEqual({
    section: "15.1 The Genetic Code",
    prefix: "The genetic code: ",
    question: "What is a codon?",
  });
  const other = "True or false: A codon has four letters.";
  expect(splitSectionLine({ ...card, question: other })).toMatchObject({ section: card.section, question: other });
  const unchanged = { section: null, prefix: "", question: card.question };
  expect(splitSectionLine({ ...card, answer: "It is a code of three letters" })).toEqual(unchanged);
  expect(splitSectionLine({ ...card, section: "Polymerase chain reaction", answer: "PCR." })).toEqual(unchanged);
  expect(splitSectionLine({ ...card, section: "Uses of PCR", answer: "Polymerase chain reaction" })).toEqual(unchanged);
  expect(splitSectionLine({ ...card, citation: null })).toEqual(unchanged);
  expect(splitSectionLine({ ...card, section: undefined })).toEqual(unchanged);
});

const sourceOf = (componentId: string, kind: PageSource["kind"]): PageSource => ({
  componentId,
  name: componentId,
  title: componentId,
  kind,
});

/** The request for the sources of a page, with these form values. */
function requestFor(change: Partial<ReturnType<typeof createDefaultOptions>>) {
  const sources = [sourceOf("book", "document"), sourceOf("talk", "video"), sourceOf("photo", "picture")];
  const port = { pageId: "page", listSources: () => sources, getText: () => "" };
  const result = buildRequest({ ...createDefaultOptions(sources, undefined), ...change }, port);
  return "problem" in result ? result.problem : result.request;
}

test("page numbers typed for a document do not prevent cards from a video or a picture", () => {
  const pages = { startPage: "9", endPage: "3" };
  expect(requestFor(pages)).toEqual({
    field: "range",
    message: "The first page must come before the last page",
  });
  expect(requestFor({ ...pages, componentId: "talk" })).toMatchObject({ videoComponents: [{ componentId: "talk" }] });
  expect(requestFor({ ...pages, componentId: "photo" })).toMatchObject({ pdfComponents: [{ componentId: "photo" }] });
});

test.each(["0", "x", "5-10", "-1", "2.5"])("the page %j is refused, not ignored", (page) => {
  const problem = { field: "range", message: "Enter page numbers as whole numbers, starting at 1" };
  expect(requestFor({ startPage: page })).toEqual(problem);
  expect(requestFor({ startPage: "5", endPage: page })).toEqual(problem);
});

test("spaces around a page number are ignored, and an empty field is no limit", () => {
  expect(requestFor({ startPage: " 5 ", endPage: " " })).toMatchObject({
    pdfComponents: [{ componentId: "book", startPage: 5 }],
  });
});

test("a file that was removed from the page meanwhile is not used", () => {
  expect(requestFor({ componentId: "removed" })).toEqual({
    field: "source",
    message: "This file is no longer on the page. Choose another one.",
  });
});
