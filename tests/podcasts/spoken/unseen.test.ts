import { expect, test } from "vitest";
import { passagesOfSegments } from "#shared/video/passages.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { createJoinedWordSplitter } from "#shared/podcasts/script/joined-words.ts";
import { lacksPunctuation } from "#shared/podcasts/script/paragraphs.ts";
import { readRuns } from "#shared/podcasts/script/read-runs.ts";
import { hasExplainedVariables } from "#shared/podcasts/script/self-contained.ts";

const aPassage = (text: string, at: number, kind: Passage["kind"] = "paragraph"): Passage => ({
  id: `${at}`,
  text,
  kind,
  bold: [],
  italic: [],
  locator: {},
});

/** Every sentence that can be spoken. */
const spokenOf = (passages: Passage[]) =>
  readRuns({ title: "Source", passages, cards: [], cite: (_, quote) => quote }, 0, new Set()).flatMap(({ runs }) =>
    runs.flatMap(({ sentences }) => sentences.map(({ sentence }) => sentence)),
  );

const CLEAR = "Qualitative palettes give each category of the data a colour of its own.";
const ABOUT_PICTURE = "Light colours signal a small difference between both groups of patients.";

test.each(["Figure 3 shows palettes for both groups.", "The rectangles in Figure 8 signal a higher improvement."])(
  "what follows the description of a picture is not spoken: %s",
  (description) => {
    expect(spokenOf([aPassage(`${CLEAR} ${description} ${ABOUT_PICTURE}`, 0)])).toEqual([CLEAR]);
    expect(spokenOf([aPassage(`${CLEAR} ${ABOUT_PICTURE}`, 0)])).toEqual([CLEAR, ABOUT_PICTURE]);
  },
);

test("the text that explains code is not spoken without the code", () => {
  const explanation =
    "where colours are counted by the first argument. The other arguments give the range of the hues.";
  const passages = (kind: Passage["kind"]) => [
    aPassage(CLEAR, 0),
    aPassage("palette(4, start = 30, end = 300)", 1, kind),
    aPassage(explanation, 2),
  ];
  expect(spokenOf(passages("code"))).toEqual([CLEAR]);
});

test.each<[string, string[], boolean]>([
  ["The fact that n is a factor of its own change makes things go fast.", [], false],
  ["The only way out is that the number E goes down.", [], false],
  ["The residuals have a mean of zero up to t0 and leave it afterwards.", [], false],
  ["Split the node by the variable Zj with the highest value.", [], false],
  ["The more n grows, the faster the disease spreads.", ["The number of cases is n."], true],
  ["A low p value does not prove that a drug works.", [], true],
  ["Hepatitis B and hepatitis C are caused by different viruses.", [], true],
  ["A wave of 5 m broke over the wall on the beach.", [], true],
])("a letter for a value is spoken only after its explanation: %s", (sentence, before, isExplained) => {
  expect(hasExplainedVariables(sentence, before)).toBe(isExplained);
});

test("a piece of captions that begins in the middle of a sentence is not spoken", () => {
  const segments = [
    "Viruses are a good example of this kind of growth in a population.",
    "You get what is known in most of the models of this kind.",
    "ss as a curve, which is very close to the other one at the beginning.",
    "So, people with the disease meet fewer people than they did before.",
  ].map((text, at) => ({ text, startMs: at * 5000, endMs: at * 5000 + 4900 }));
  const spoken = spokenOf(passagesOfSegments(segments));
  expect(spoken.some((sentence) => /^ss as/iu.test(sentence))).toBe(false);
  expect(spoken.some((sentence) => sentence.startsWith("People with the disease"))).toBe(true);
});

/** The score of the only run in captions with these sentences. */
const scoreOf = (texts: readonly string[]) => {
  const segments = texts.map((text, at) => ({ text, startMs: at * 5000, endMs: at * 5000 + 4900 }));
  const source = { title: "Talk", passages: passagesOfSegments(segments), cards: [], cite: () => "" };
  return readRuns(source, 0, new Set())[0]?.runs[0]?.score ?? Number.NaN;
};

test("what a speaker begins with “But” is chosen after other sentences", () => {
  const rest = "A country without visitors has fewer cases.";
  expect(scoreOf(["But if nobody worries, the disease reaches every town.", rest])).toBeLessThan(
    scoreOf(["So if nobody worries, the disease reaches every town.", rest]),
  );
});

const passagesOf = (texts: readonly string[]) =>
  passagesOfSegments(texts.map((text, at) => ({ text, startMs: at * 5000, endMs: at * 5000 + 4900 })));

test("after a remark about the talk, the speaker's explanation goes on", () => {
  const spoken = spokenOf(
    passagesOf([
      "A doctor treats the patient with the shortest treatment first.",
      "And we're going to prove that in a few minutes.",
      "So we then remove this patient from the queue of the doctor.",
    ]),
  );
  expect(spoken).toEqual([
    "A doctor treats the patient with the shortest treatment first.",
    "We then remove this patient from the queue of the doctor.",
  ]);
});

test("captions without punctuation are recognised", () => {
  const words = "so the first thing we do is sort the array and then we look at the element in the middle of it ";
  expect(lacksPunctuation(passagesOf(Array.from({ length: 6 }, () => words)))).toBe(true);
  const sentence = "The first thing we do is sort the array, and then we look at its middle element.";
  expect(lacksPunctuation(passagesOf(Array.from({ length: 6 }, () => sentence)))).toBe(false);
  expect(lacksPunctuation([])).toBe(false);
});

test("words that a PDF joined are spoken apart, and the sentence stays as it is in the source", () => {
  const known = Array.from({ length: 3 }, (_, at) => `A high tower has ${at + 2} bells. A dimensional error is small.`);
  const joined = "A highdimensional space has room for every word.";
  const passages = [...known, joined].map((text, at) => aPassage(text, at));
  const source = { title: "Source", passages, cards: [], cite: (_: Passage, quote: string) => quote };
  const runs = readRuns(source, 0, new Set()).flatMap((section) => section.runs);
  const found = runs.flatMap(({ sentences }) => sentences).find(({ sentence }) => sentence === joined);
  expect(found).toMatchObject({ spoken: "A high dimensional space has room for every word.", citation: joined });
});

test.each([
  ["a word that the source uses again", "It is highdimensional. It stays highdimensional.", "highdimensional"],
  ["a word with a part that the source does not use", "It is multidimensional.", "multidimensional"],
  ["a word with a hyphen", "It is high-dimensional.", "high-dimensional"],
  ["a short word", "A highrise is a tall house.", "highrise"],
])("%s is spoken in one piece", (_, text, word) => {
  const parts = "High and dimensional, high and dimensional, high and dimensional, rise, rise, rise.";
  const split = createJoinedWordSplitter([{ text: parts }, { text }]);
  expect(split(text)).toContain(word);
});
