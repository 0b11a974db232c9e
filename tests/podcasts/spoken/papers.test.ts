import { expect, test } from "vitest";
import type { Passage } from "#shared/pdf/schema.ts";
import { listenabilityPenalty } from "#shared/podcasts/script/listenability.ts";
import { isPaper } from "#shared/podcasts/script/paper.ts";
import { readRuns } from "#shared/podcasts/script/read-runs.ts";
import { namesTopic } from "#shared/podcasts/script/section-kinds.ts";
import { isClearInContext, isSelfContained } from "#shared/podcasts/script/self-contained.ts";
import { writeScript } from "#shared/podcasts/script/write-script.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

const readText = (text: string) => {
  const source = {
    title: "Paper",
    passages: passagesFromText(text),
    cards: [],
    cite: (_: Passage, quote: string) => quote,
  };
  return { source, sections: readRuns(source, 0, new Set()) };
};

const abstract =
  "Trees along a river cool the water in summer. Fish in warm rivers grow more slowly. In this paper we compare forty rivers with and without trees.";
const introduction =
  "Rivers have become warmer in most countries. Farmers cut trees to gain land. Shade keeps the sun from the water.";
const summary =
  "Shaded rivers stayed two degrees cooler than others. Fish grew faster in the shade of old trees. Planting trees helps every river in a dry country.";
const gauges = Array.from(
  { length: 40 },
  (_, at) =>
    `Gauge ${at + 2} stood beside a bridge of stone near village ${at + 2}. A battery fed the gauge of village ${at + 2} during winter. Its cable reached the bridge through a pipe of iron.`,
).join("\n\n");
const paper = `# Shade over rivers\n\n### March 3, 2021\n\n${abstract}\n\n## 1. Introduction\n\n${introduction}\n\n## 2. Gauges\n\n${gauges}\n\n## 3. Summary\n\n${summary}`;

test("what stands before the introduction of a paper is its abstract, and its summary is the conclusion", () => {
  const titles = readText(paper).sections.map(({ title }) => title);
  expect([...new Set(titles)]).toEqual(["Abstract", "1. Introduction", "2. Gauges", "Conclusion"]);
});

test("an episode about a paper says what it asks and concludes, however long its other parts are", () => {
  const options = { lengthMinutes: 5, hasBreaks: true, title: "Shade", guestName: "Maya", hostName: "Noah" };
  const { lines } = writeScript([readText(paper).source], { ...options, msPerChar: { host: 68, guest: 65 } });
  const spoken = lines.map(({ text }) => text).join(" ");
  for (const part of [abstract, introduction, summary]) expect(spoken).toContain(part.split(". ")[0]);
  expect(spoken).not.toContain("March");
});

test.each([
  [["Cells", "Membranes", "Summary"], false],
  [["Introduction", "The Nucleus", "The Membrane"], false],
  [["1. Introduction", "2. Model", "7 Conclusion"], true],
  [["Motivation", "Data", "Summary and outlook"], true],
  [["Abstract", "Model"], true],
])("sections with the headings %j are those of a paper: %s", (titles, expected) => {
  expect(isPaper(titles)).toBe(expected);
});

test("a chapter with an introduction and a summary, but no conclusion, keeps its summary unspoken", () => {
  const chapter = `# Rivers\n\n${abstract}\n\n## Shade\n\n${introduction}\n\n## Summary\n\n${summary}`;
  expect(readText(chapter).sections.map(({ title }) => title)).not.toContain("Conclusion");
});

test.each(["February 10, 2023", "10 February 2023", "5.1. Aghion et al. (2013) and Berger et al. (2017)"])(
  "the heading %s names no topic",
  (heading) => expect(namesTopic(heading)).toBe(false),
);

test.each(["The Stock Market Crash of 1929", "The Great War (1914)"])("the heading %s names a topic", (heading) => {
  expect(namesTopic(heading)).toBe(true);
});

test.each([
  "In this paper we describe a test that works for all linear models.",
  "In this work, we show that dense vectors find more passages than words.",
  "To solve a problem, you split it into smaller problems, and then you solve these problems one by one.",
])("a sentence is clear alone although it contains “this” or “these”: %s", (sentence) => {
  expect(isSelfContained(sentence)).toBe(true);
});

test.each([
  "The prize was given for this work in the spring of the next year.",
  "The teacher then solved these problems one by one for the whole class.",
  "Similar results hold for tests with one side and small samples.",
  "The last alternative is convenient when groups of animals are compared.",
  "The outcome is a tree in which each node has a model.",
])("a sentence needs the one before it: %s", (sentence) => {
  expect([isClearInContext(sentence), isSelfContained(sentence)]).toEqual([true, false]);
});

test.each([
  "In what follows we use adjusted values to describe the rules.",
  "The same procedures as sketched above are available for other models.",
  "The example presented in Subsection 6.2 shows how models are chosen.",
  "For details on the tests we refer to the files of the package.",
  "The details for the other case are omitted here for brevity.",
  "The values are found with integrals instead of the integrals (5).",
  "In the end, we get the following sorted array.",
  "So that to minimize the time of all the patients in the queue.",
  "Suitable methods are provided for “glm” and “coxph” objects.",
  "The matrix is computed by vcovHC from the fitted values.",
  "What to do in the general case.",
  "We're going to prove that the choice is the best one.",
  "We prove in just a few minutes that the choice is the best one.",
  "The fungus and the plant help both species Alternatively, lichens are an association.",
])("a sentence is not spoken: %s", (sentence) => {
  expect(isClearInContext(sentence)).toBe(false);
});

test.each([
  "The following year brought rain, and the plants that grew above the river were taller.",
  "The drug is used before surgery and works below the skin.",
  "The temperature given off by a fire rises above the roof.",
])("a sentence is spoken: %s", (sentence) => {
  expect(isClearInContext(sentence)).toBe(true);
});

test("how software is used is chosen after what it is about", () => {
  const use = "The scores argument of the package takes a list of numbers.";
  expect(listenabilityPenalty(use)).toBeGreaterThan(0);
  expect(listenabilityPenalty("A heart muscle takes oxygen from a list of vessels.")).toBe(0);
  expect(listenabilityPenalty("Arguments for a law need arguments against the others.")).toBe(0);
  expect(listenabilityPenalty("The software of a pacemaker measures each beat.")).toBe(0);
});
