import { expect, test } from "vitest";
import { keepProbability } from "#shared/cards/features/keep-probability.ts";
import type { RankedText } from "#shared/cards/features/keep-features.ts";
import { deckLimitsFor } from "#shared/cards/select/deck-limits.ts";
import { cardsOf, newCardTexts, OPENING } from "./card-texts.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

test.each([
  [
    "a definition in a sentence that opens on its term is used, though it says our",
    "A **sea lag** is a tiredness that results from the mismatch between our inner clocks and the time of the port.",
    "What is a sea lag? → A tiredness that results from the mismatch between our inner clocks and the time of the port",
  ],
  [
    "a definition after a colon is used, though its sentence addresses the reader",
    "You could find your way by using a **sextant**: an instrument that measures the angle between the horizon and the sun.",
    "What is a sextant? → An instrument that measures the angle between the horizon and the sun",
  ],
  [
    "another person is anybody else",
    "A **pilot** is a seaman who hands the wheel to another person outside the harbour.",
    "What is a pilot? → A seaman who hands the wheel to another person outside the harbour",
  ],
])("%s", (_, text, face) => {
  expect(newCardTexts(text)).toContain(face);
});

test("what the book says of its own course defines nothing", () => {
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

test("the automatic deck asks about every section that has something likely to be kept", () => {
  const text = Object.values(SECTIONS)
    .map((sentence, i) => `## Part ${i + 1}\n\n${sentence}`)
    .join("\n\n");
  const answers = cardsOf(passagesFromText(`${OPENING}\n\n${text}`), "AUTO").map(({ answer }) => answer);
  expect(answers.toSorted()).toEqual(Object.keys(SECTIONS).toSorted());
});

const card = (rest: Partial<RankedText>): RankedText => ({
  question: "What is a sextant?",
  answer: "An instrument that measures angles",
  style: "definition",
  score: 1.6,
  signs: ["marked_sentence", "marked_term", "has_term"],
  codeShare: 0,
  ...rest,
});

test("a definition of an emphasised term is likelier kept than a blank in a sentence without one", () => {
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

test("the automatic deck of a manual asks for more certainty than that of a textbook; the medium one does not", () => {
  expect(limitsOf("AUTO", false)).toMatchObject({ leastProbability: 0.45, coverage: { deckProbability: 0.5 } });
  expect(limitsOf("AUTO", true)).toMatchObject({
    leastProbability: 0.5,
    coverage: { deckProbability: 0.55 },
    least: { probability: 0.35 },
  });
  expect(limitsOf("MEDIUM", true)).toEqual(limitsOf("MEDIUM", false));
});

test("a card of a manual is less likely kept than the same card of a textbook", () => {
  expect(keepProbability(card({ codeShare: 0.3 }))).toBeLessThan(keepProbability(card({ codeShare: 0 })));
});
