import { expect, test } from "vitest";
import { fitLength } from "#shared/podcasts/script/fit-length.ts";
import { askAboutRun } from "#shared/podcasts/script/host/host-lines.ts";
import { isAskable } from "#shared/podcasts/script/host/questions.ts";
import { subjectOf } from "#shared/podcasts/script/host/subjects.ts";
import { chooseRecap } from "#shared/podcasts/script/host/recap.ts";
import { withTalkHeadings } from "#api/podcasts/making/talk-headings.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const spellings = new Map(
  ["a", "the", "stimulants", "alcohol", "amphetamines", "hypnosis"].map((word) => [word, word]),
);

test.each([
  [["A depressant is a drug that slows the nervous system."], "What is a depressant?"],
  [["Alcohol leads to a loss of control over the body."], "What are the effects of alcohol?"],
  [["Stimulants are often abused, because they act on the reward system."], "What about stimulants, and why?"],
  [["Hypnosis needs a second person, whereas meditation can be done alone."], "What about hypnosis, in comparison?"],
  [
    ["Amphetamines have many uses.", "For example, doctors prescribe them to children."],
    "Tell us about amphetamines, with an example.",
  ],
  [
    ["Stimulants help some patients.", "Several studies have shown that they sleep better."],
    "What does research say about stimulants?",
  ],
  [
    [
      "Hypnosis begins with a calm voice.",
      "The patient then closes both eyes.",
      "Finally, the therapist gives a task.",
    ],
    "Take us through hypnosis, step by step.",
  ],
  [["Historically, hypnosis has been viewed with suspicion."], "What about hypnosis?"],
])("the host asks what the guest's sentences answer: %s", (sentences, question) => {
  expect(askAboutRun(sentences, spellings, 0)).toBe(question);
});

test.each([
  [
    "What is prices?",
    "Supply is the relationship between a range of prices, a relationship that a curve shows.",
    false,
  ],
  ["What is physics?", "Physics is the science of matter and its motion.", true],
])("the host asks “%s” before “%s”: %s", (question, sentence, isAsked) => {
  expect(isAskable(question, sentence)).toBe(isAsked);
});

test("the host does not ask what “the outcome” is", () => {
  expect(askAboutRun(["The outcome is a tree of models that can be drawn."], spellings, 0)).toBeUndefined();
});

test.each([
  "The fact that n itself grows makes things go fast.",
  "The only way that stops is by staying at home.",
  "The first palette uses a broad range of lights.",
  "The participants slept for eight hours in a dark room.",
  "Under a strong light, the plants grew faster than the others.",
  "It is clear to most people that sleep matters.",
])("the host does not ask about words that name nothing: %s", (sentence) => {
  expect(subjectOf(sentence, spellings)).toBeUndefined();
});

const talk = (sentences: readonly string[]): Passage[] =>
  sentences.map((text, at) => ({
    id: `${at}`,
    text,
    kind: "paragraph",
    bold: [],
    italic: [],
    locator: { startMs: at * 10_000, endMs: at * 10_000 + 9500 },
  }));

const THINGS = ["lamp", "wire", "bulb", "plug", "fuse", "coil", "lens", "cord"];
const partOf = (write: (noun: string) => string) => THINGS.flatMap((noun) => [write(noun), write(noun)]);

test("a part of a talk is named by the term of several words that it repeats", () => {
  const passages = talk([
    ...partOf((noun) => `The growth factor of the ${noun} is a ratio of cases.`),
    ...partOf((noun) => `A magnetic field bends the path of every ${noun} in the river.`),
  ]);
  const headings = withTalkHeadings(passages, []).filter(({ kind }) => kind === "heading");
  expect(headings.map(({ text }) => text)).toEqual(["Growth factor", "Magnetic field"]);
});

test("a talk is not named by a contraction", () => {
  const passages = talk([
    ...partOf(() => "I'm sure I'm right about tau."),
    ...partOf((noun) => `Every ${noun} has a wire and a plug.`),
  ]);
  const headings = withTalkHeadings(passages, []).filter(({ kind }) => kind === "heading");
  expect(headings.map(({ text }) => text).join(" ")).not.toContain("'");
});

const aLine = (text: string, at: number, more: object = {}) => ({
  speaker: "guest" as const,
  text,
  spoken: text.padEnd(80, "."),
  citation: "",
  chapter: 0,
  pauseMs: 0,
  gapMs: 250,
  at,
  run: at,
  isRunStart: true,
  minSentences: 1,
  topic: "Leaves",
  ...more,
});

test("an added run is announced by its own question if the guest has spoken for long", () => {
  const host = { ...aLine("Chapter one.", 0), speaker: "host" as const };
  const timed = [host, host, host, ...["a", "b", "c", "d"].map(aLine)].map((line, at) => {
    const startMs = at * 5000;
    return { ...line, startMs, endMs: startMs + 5000 };
  });
  const unusedSentences = [aLine("Roots hold the soil.", 9, { prompt: "What about roots?" })];
  const progress = { spokenCount: 7, firstEditable: 7, endMs: 35_000, targetMs: 46_000 };
  const { lines } = fitLength({ lines: timed, unusedSentences }, progress);
  expect(lines.slice(7).map(({ text }) => text)).toEqual(["What about roots?", "Roots hold the soil."]);
});

/** The recap's question about a section with a heading and two sentences. */
function recapUnder(title: string, first: string, second: string) {
  const sentences = [first, second].map((sentence, at) => {
    return { sentence, spoken: sentence, citation: "", at, score: 1 - at / 2, isSelfContained: true };
  });
  const run = { sentences, score: 1, minSentences: 2 };
  const part = { section: { title, path: [title], source: 0, runs: [run] }, chosen: [{ run, sentences }], costMs: 1 };
  const chapter = { title, parts: [part], costMs: 1 };
  return chooseRecap([chapter, chapter, chapter], spellings, 1).map(({ asked, answer }) => [asked, answer.sentence]);
}

test("a heading that asks what something is, is asked again only if a definition answers it", () => {
  const rebound = "Sleep rebound makes tired people fall asleep faster.";
  expect(recapUnder("Sleep", rebound, "Many people sleep less than they need.")[0]?.[0]).toMatch(/sleep rebound/iu);
  const other = "People who do not sleep fall asleep faster on the next day.";
  expect(recapUnder("What is sleep?", other, "Many people sleep less than they need.")).toEqual([
    ["What do you remember about sleep?", other],
  ]);
});
