import { describe, expect, test } from "vitest";
import type { Passage } from "#shared/pdf/schema.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { cardsOf } from "./card-texts.ts";

const heading = (text: string, level: number): Passage => ({
  id: `h-${text}`,
  kind: "heading",
  text,
  level,
  bold: [],
  italic: [],
  locator: {},
});
const body = (text: string): Passage[] =>
  passagesFromText(text).map((p, i) => ({ ...p, id: `${i}-${text.slice(0, 20)}` }));

const questions = (passages: readonly Passage[]) => cardsOf(passages).map(({ question }) => question);

const SENTENCE = "Trimming starts with the removal of charred wick from either one of two brass burners.";
const underHeadings = (...titles: string[]) =>
  questions([...titles.map((title, i) => heading(title, i + 1)), ...body(SENTENCE)]);

describe("a question without context starts with its topic", () => {
  test("the nearest heading above that adds something to the question", () => {
    expect(underHeadings("Harbour Lights", "Fresnel Lanterns")).toContainEqual(
      expect.stringMatching(/^Fresnel Lanterns: /),
    );
  });

  test.each([
    [
      "without its number and additions",
      ["Harbour Lights", "4.2 Overview of Fresnel Lanterns (since 1823)"],
      /^Fresnel Lanterns: /,
    ],
    ["in sentence case if it is in capitals", ["Harbour Lights", "B. FRESNEL LANTERNS"], /^Fresnel lanterns: /],
    ["the name before the colon", ["Harbour Lights", "Fresnel Lanterns: The Bright Ones"], /^Fresnel Lanterns: /],
    ["not what the question already says", ["Harbour Lights", "Charred Wick Trimming"], /^Harbour Lights: /],
    ["not a front matter heading", ["Harbour Lights", "Introduction"], /^Harbour Lights: /],
    ["not a question", ["Harbour Lights", "What Is a Fresnel Lantern?"], /^Harbour Lights: /],
    ["not a date", ["Harbour Lights", "October 6, 2018"], /^Harbour Lights: /],
    ["not a single generic word", ["Harbour Lights", "Upkeep"], /^Harbour Lights: /],
    ["not a type of document", ["Harbour Lights", "Fresnel Lantern Handbook"], /^Harbour Lights: /],
  ])("%s", (_, titles, opening) => {
    const asked = underHeadings(...titles);
    expect(asked.length).toBeGreaterThan(0);
    for (const question of asked) expect(question).toMatch(opening);
  });

  test("none without a heading", () => {
    expect(questions(body(SENTENCE)).filter((question) => question.includes(": "))).toEqual([]);
  });

  test("none if the same heading repeats in every part", () => {
    const passages = ["one", "two", "three"].flatMap((nth) => [
      heading(`Chapter about the ${nth} quay`, 1),
      heading("Brass Burner Advice", 2),
      ...body(SENTENCE.replace("two", nth === "one" ? "four" : nth)),
    ]);
    expect(questions(passages).filter((question) => question.startsWith("Brass Burner Advice"))).toEqual([]);
  });

  test("none before a question for a definition", () => {
    const text = "A **baside** is a tower of granite that carries a lamp.";
    const asked = questions([heading("Fresnel Lanterns", 1), ...body(text)]);
    expect(asked).toContain("What is a baside?");
  });

  test("none that would reveal the answer", () => {
    const text = "The **FRL** was first lit by the keepers of the western rock in the year of the great storm.";
    const asked = cardsOf([heading("Fresnel Rock Lanterns", 1), ...body(text)]);
    expect(asked.filter(({ answer, question }) => /FRL/.test(answer) && question.startsWith("Fresnel"))).toEqual([]);
  });

  test("and isn't asked again in a deck that has it, with or without its topic", () => {
    const passages = [heading("Harbour Lights", 1), heading("Fresnel Lanterns", 2), ...body(SENTENCE)];
    const first = cardsOf(passages);
    const again = [...generateCards(passages, { density: "VERY_HIGH", existingCards: first })];
    expect(first.length).toBeGreaterThan(0);
    expect(again.filter(({ type }) => type === "card")).toEqual([]);
  });
});
