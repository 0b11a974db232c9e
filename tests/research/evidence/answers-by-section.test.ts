import { expect, test } from "vitest";
import { hasCue } from "#shared/research/evidence/cues.ts";
import { extendWithNeighbours } from "#shared/research/evidence/extend-with-neighbours.ts";
import { subjectOfQuestion } from "#shared/research/evidence/parse-question-subject.ts";
import { matchesPurpose } from "#shared/research/evidence/sections/heading-purpose.ts";
import { selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import { withUsualForms } from "#shared/research/evidence/terms/abbreviations.ts";
import { decomposeQuestion } from "#shared/research/plan/decompose.ts";
import { researchWording } from "#shared/research/wording.ts";
import { searchTerms } from "#shared/text/search-terms.ts";

const aSection = (source: number, heading: string, texts: readonly string[]) =>
  texts.map((text, at) => ({
    source,
    passageId: `p${at}`,
    title: "",
    text,
    context: heading,
    section: { heading, start: 0, at },
    score: 1,
  }));

const select = (query: string, passages: Parameters<typeof selectEvidence>[0]) =>
  selectEvidence(passages, { query, topic: null, language: "en", most: 5, used: new Set() }).map(({ text }) => text);

const ownHeadings = (question: string) =>
  decomposeQuestion(question, 7, researchWording.en.headings)
    .filter(({ topic }) => topic === null)
    .map(({ heading }) => heading);

test("“How do … and … differ?” is a comparison, and both things have the noun of the second", () => {
  const question = "How do prokaryotic and eukaryotic cells differ?";
  expect(ownHeadings(question)).toEqual([question, "Prokaryotic cells", "Eukaryotic cells"]);
  expect(ownHeadings("How do lichens and mosses differ?").slice(1)).toEqual(["Lichens", "Mosses"]);
});

test("if no sentence names both compared things, the comparison begins with what each of them is", () => {
  const moss = "A moss is a small plant without roots that grows in wet places.";
  const lichen = "A lichen is a fungus that lives together with an alga.";
  const passages = aSection(1, "Plants and fungi", [
    `${moss} Many plants of a forest grow under trees.`,
    `${lichen} The largest lichen of the forest was found in the north.`,
  ]);
  expect(select("What is the difference between a moss and a lichen?", passages)).toEqual([moss, lichen]);
});

test("next to a sentence of a comparison, a neighbour must name one of the compared things completely", () => {
  const text =
    "Insomnia is a common trouble of sleep at night. Sleep apnea stops the breathing at night. Narcolepsy brings sleep at noon.";
  const picked = { source: 1, passageId: "p", text: "Sleep apnea stops the breathing at night.", at: 1, score: 1 };
  const query = "What is the difference between sleep apnea and narcolepsy?";
  const extended = extendWithNeighbours([picked], () => text, { language: "en", query, used: new Set(), most: 5 });
  expect(new Set(extended.map(({ at }) => at))).toEqual(new Set([1, 2]));
});

test.each([
  ["What caused the crash of the bank?", "Causes of the crash", true],
  ["Why do we sleep?", "Adaptive function of sleep", true],
  ["Which techniques should I use for an exam?", "How to study effectively", true],
  ["How has inflation changed since 1900?", "Historical inflation", true],
  ["What are the effects of caffeine?", "Effects of caffeine", true],
  ["Why do we sleep?", "Stages of sleep", false],
  ["What is sleep?", "Why we sleep", false],
])("whether “%s” is what a section “%s” wants to explain: %s", (question, heading, isMatch) => {
  expect(matchesPurpose(question, heading)).toBe(isMatch);
});

test("a question is answered from the section whose heading names its purpose, not from others about its subject", () => {
  const stages = aSection(1, "Stages of sleep", [
    "Sleep has several stages, which follow each other in the night. The first stage of sleep is short. The second stage of sleep has spindles.",
  ]);
  const reasons = aSection(2, "Why we sleep", [
    "Rest restores the energy that the body has used during the day. Safe places at night protect animals from predators.",
    "The brain stores memories while the body rests.",
  ]);
  const answer = select("Why do we sleep?", [...stages, ...reasons]);
  expect(answer.length).toBeGreaterThan(0);
  expect(answer.filter((text) => stages[0]?.text.includes(text))).toEqual([]);
});

test("a sentence that addresses the reader answers a question for advice, and no other question", () => {
  const advice = "Link the new words of an exam to something that you already know well.";
  const passages = aSection(1, "Memory for an exam", [advice]);
  expect(select("What should I do with the new words of an exam?", passages)).toEqual([advice]);
  expect(select("What are the new words of an exam?", passages)).toEqual([]);
});

test("a place or a time in a question is not its subject", () => {
  expect(subjectOfQuestion("How has inflation in the United States changed?")?.head).toEqual(searchTerms("inflation"));
});

test("an abbreviation that the texts introduce counts as its long form", () => {
  const texts = [
    "Transcription makes messenger RNA (mRNA) from a gene.",
    "The mRNA gets a cap. Then the mRNA gets a tail of many bases.",
  ];
  expect(withUsualForms("What happens to messenger RNA in the nucleus?", texts)).toBe(
    "What happens to mRNA in the nucleus?",
  );
  const index = [
    "The Consumer Price Index (CPI) measures prices.",
    "A Consumer Price Index begins at 100. Each consumer price index has a base year.",
  ];
  expect(withUsualForms("How is the CPI measured?", index)).toBe("How is the consumer price index measured?");
  expect(withUsualForms("How is the CPI measured?", ["The CPI is measured each month."])).toBe(
    "How is the CPI measured?",
  );
});

test("“is defined by” and “occurs when” define, “is much more common” does not", () => {
  const isNamed = [(text: string) => /apnea/i.test(text)];
  expect(hasCue("Sleep apnea is defined by episodes without breathing.", "definition", isNamed)).toBe(true);
  expect(hasCue("Sleep apnea occurs when the breathing of a sleeper stops.", "definition", isNamed)).toBe(true);
  expect(hasCue("Sleep apnea is much more common in old people.", "definition", isNamed)).toBe(false);
});
