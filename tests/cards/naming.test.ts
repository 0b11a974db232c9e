import { describe, expect, test } from "vitest";
import { areDuplicates } from "#shared/cards/gates/card-gates.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { cardsOf, cardTexts } from "./card-texts.ts";

describe("a term makes a card in whatever way the author introduces it", () => {
  test.each([
    [
      "in brackets",
      "Each pair of rails is held by iron clamps (**rail chairs**) that keep the rails of a railway at the same distance.",
      "Each pair of rails is held by iron clamps (____) that keep the rails of a railway at the same distance. → rail chairs",
    ],
    [
      "with its singular",
      "The cells of the plant are divided by thin endwalls of cellulose called **septa** (singular, **septum**).",
      "What are thin endwalls of cellulose called? → Septa (singular septum)",
    ],
    [
      "with its eponym",
      "The light that bends is called by two names: the **Morley effect**, after Edward Morley, who first measured it in 1887 on a hill.",
      "Whom is the Morley effect named after? → Edward Morley",
    ],
    [
      "with the reason for its name",
      "This path has several names: the **ring road** (since it runs around the whole of the old town), and the **green road**.",
      "Why is the ring road so called? → Since it runs around the whole of the old town",
    ],
    [
      "after a semicolon",
      "Some towers carry small rooms of glass that hold the lamp of the harbour; these are called **lanterns**.",
      "Some towers carry small rooms of glass that hold the lamp of the harbour; these are called ____. → lanterns",
    ],
    [
      'with "the term"',
      "The term **avidity** describes the binding of antibodies that are joined to each other.",
      "What does avidity describe? → The binding of antibodies that are joined to each other",
    ],
    [
      "as part of a longer phrase",
      "The keeper of a lighthouse writes the storms of each winter into the **results** section of the yearly report.",
      "The keeper of a lighthouse writes the storms of each winter into the ____ section of the yearly report. → results",
    ],
  ])("%s", (_, text, face) => {
    expect(cardTexts(text)).toContain(face);
  });
});

test.each([
  ["Okay, so the heart of a whale pumps sixty gallons of blood.", "What does the heart of a whale pump?"],
  ["And, um, the heart of a whale pumps, you know, sixty gallons of blood.", "What does the heart of a whale pump?"],
])("filler words of speech are left out of the question: %s", (text, question) => {
  expect(cardTexts(text).some((face) => face.startsWith(question))).toBe(true);
});

test("no verbless question is made when the verb is not recognised", () => {
  const text = "The trustees of a bank must select software providers who keep the accounts of the bank in order.";
  expect(cardTexts(text).filter((face) => /^What must [^?]*trustees(?: of a bank)?\?/.test(face))).toEqual([]);
});

describe("a sentence that refers to the previous one", () => {
  test("is asked about the term that both sentences share, and quotes both", () => {
    const text = "A **buoy** is a float that marks a channel. It carries a bell of bronze for nights of fog.";
    const card = cardsOf(passagesFromText(text)).find(({ question }) => question.startsWith("What carries a bell"));
    expect(card?.answer).toBe("A buoy");
    expect(card?.quote).toBe(text.replaceAll("*", ""));
  });

  test("isn't asked if two things could be meant", () => {
    const text =
      "When the **buoy** meets the **beacon**, the ship turns. It carries a bell of bronze for nights of fog.";
    expect(cardTexts(text).filter((face) => /What carries a bell/.test(face))).toEqual([]);
  });
});

test("an abbreviation is spelled out on its first card only", () => {
  const text = `Light is caught by two machines of the leaf, the **photosystem II** (PSII) and its neighbour.

The pigments of the leaf pass light energy to PSII in the membrane. The water of the leaf gives its electrons to PSII in the morning.`;
  const questions = cardsOf(passagesFromText(text)).map(({ question }) => question);
  expect(questions.filter((question) => question.includes("photosystem II (PSII)"))).toHaveLength(1);
});

test("a sentence asks for the same words only once", () => {
  const cards = cardsOf(
    passagesFromText("The **keeper** of a lighthouse keeps a logbook of every ship that passes the tower at night."),
  );
  const answers = cards.map(({ answer }) => answer.toLowerCase().replace(/^(?:the|an?) /, ""));
  expect(new Set(answers).size).toBe(answers.length);
});

test("the same question with a shortened answer is a duplicate", () => {
  const question = "What happens in the light-dependent reactions?";
  const whole = { question, answer: "Light is absorbed by chlorophyll and turned into chemical energy" };
  expect(areDuplicates({ question, answer: "Light is absorbed by chlorophyll" }, whole)).toBe(true);
  expect(areDuplicates({ question, answer: "Water is split into oxygen and hydrogen" }, whole)).toBe(false);
});
