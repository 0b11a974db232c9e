import { expect, test } from "vitest";
import { keepProbability } from "#shared/cards/features/keep-probability.ts";
import type { RankedText } from "#shared/cards/features/keep-features.ts";
import { deckLimitsFor } from "#shared/cards/select/deck-limits.ts";
import { cardsOf, newCardTexts, OPENING } from "./card-texts.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

test.each([
  [
    "a definition in a sentence that starts with its term is used although it says “our”",
    "A **sea lag** is a tiredness that results from the mismatch between our inner clocks and the time of the port.",
    "What is a sea lag? → A tiredness that results from the mismatch between our inner clocks and the time of the port",
  ],
  [
    "a definition after a colon is used, though its sentence addresses the reader",
    "You could find your way by using a **sextant**: an instrument that measures the angle between the horizon and the sun.",
    "What is a sextant? → An instrument that measures the angle between the horizon and the sun",
  ],
  [
    "a condition after a colon explains the term before it",
    "The pilots of the coast agreed on the **second lamp rule**: if the lamp of a tower fails, the keeper of the next tower lights another lamp.",
    "What is the second lamp rule? → If the lamp of a tower fails, the keeper of the next tower lights another lamp",
  ],
  [
    "a condition that is too long for an answer asks for the term",
    "The pilots of the coast agreed on the **second lamp rule**: if the lamp of a tower of the coast fails in the dark, the keeper of the next tower in the north lights another lamp at once.",
    "The ____: if the lamp of a tower of the coast fails in the dark, the keeper of the next tower in the north lights another lamp at once. → second lamp rule",
  ],
  [
    "a sentence that opens with its term after a preposition is used although it says “you”",
    "With **night blindness**, you cannot read the marks of a channel, although you know the lamps of a harbour.",
    "With ____, you cannot read the marks of a channel, although you know the lamps of a harbour. → night blindness",
  ],
  [
    "another person is anybody else",
    "A **pilot** is a seaman who hands the wheel to another person outside the harbour.",
    "What is a pilot? → A seaman who hands the wheel to another person outside the harbour",
  ],
])("%s", (_, text, face) => {
  expect(newCardTexts(text)).toContain(face);
});

test("a sentence about the book's own structure makes no definition", () => {
  expect(newCardTexts("A **sea lag** is a tiredness that we will discuss in the last part of our journey.")).toEqual(
    [],
  );
});

const SECTIONS = {
  windlass: "The **windlass** lifts the heavy anchor of a ship from the bed of the sea.",
  splice: "A **splice** joins the ends of two ropes without a knot.",
  oakum: "Shipwrights press **oakum** into the seams of a wooden hull.",
  "lead line": "Sailors measure the depth of water with a **lead line**.",
  mainsail: "In strong wind the crew makes the **mainsail** smaller by tying up its lower part.",
  keel: "The **keel** carries the weight of the mast and stops the ship from drifting sideways.",
};

test("an automatic deck has a card about every section that has a card likely to be kept", () => {
  const text = Object.values(SECTIONS)
    .map((sentence, i) => `## Part ${i + 1}\n\n${sentence}`)
    .join("\n\n");
  const answers = cardsOf(passagesFromText(`${OPENING}\n\n${text}`), "AUTO").map(({ answer }) => answer);
  expect(answers.toSorted()).toEqual(Object.keys(SECTIONS).toSorted());
});

test("an automatic deck takes every card that a reader would very likely keep, though it has one per 250 words without them", () => {
  const text = `${OPENING}\n\n## Ships\n\n${Object.values(SECTIONS).join(" ")}`;
  const answers = cardsOf(passagesFromText(text), "AUTO").map(({ answer }) => answer);
  expect(answers).toContain("splice");
  expect(answers).toContain("lead line");
});

const card = (changes: Partial<RankedText>): RankedText => ({
  question: "What is a sextant?",
  answer: "An instrument that measures angles",
  style: "definition",
  score: 1.6,
  signs: ["marked_sentence", "marked_term", "has_term"],
  codeShare: 0,
  ...changes,
});

test("a definition of an emphasised term is more likely to be kept than a blank in a sentence without such a term", () => {
  const blank = card({
    question: "Storms damage the ____ of the room.",
    answer: "glass",
    style: "cloze",
    score: 0.4,
    signs: [],
  });
  expect(keepProbability(card({}))).toBeGreaterThan(0.7);
  expect(keepProbability(blank)).toBeLessThan(0.4);
});

const limitsOf = (density: "AUTO" | "MEDIUM", isTechnical: boolean) =>
  deckLimitsFor(density, 5000, { facts: [], isTechnical });

test("an automatic deck of a manual needs a higher keep probability than one of a textbook; a medium deck does not", () => {
  expect(limitsOf("AUTO", false)).toMatchObject({ leastProbability: 0.45, coverage: { deckProbability: 0.5 } });
  expect(limitsOf("AUTO", true)).toMatchObject({
    leastProbability: 0.5,
    coverage: { deckProbability: 0.55 },
    least: { probability: 0.35 },
  });
  expect(limitsOf("MEDIUM", true)).toEqual(limitsOf("MEDIUM", false));
});

test("a card from a manual is less likely to be kept than the same card from a textbook", () => {
  expect(keepProbability(card({ codeShare: 0.3 }))).toBeLessThan(keepProbability(card({ codeShare: 0 })));
});
