import { describe, expect, test } from "vitest";
import { generateCards } from "#shared/engine/cards.ts";
import { passagesFromText } from "#shared/engine/plain-text.ts";
import type { Density } from "#shared/engine/schema.ts";

const faces = (text: string, density: Density = "VERY_HIGH") =>
  [...generateCards(passagesFromText(text), { density })].flatMap((e) =>
    e.type === "card" ? [`${e.card.question} → ${e.card.answer}`] : [],
  );

/** What the harbour texts begin with, so that a source has matter of its own. */
const OPENING = "The sea has marks of many kinds that help a ship on its way.";
const own = new Set(faces(OPENING));
const facesOf = (text: string) => faces(`${OPENING}\n\n${text}`).filter((face) => !own.has(face));

describe("what has several right answers, or none, is not asked", () => {
  test.each([
    [
      "one of two ways, where the other was left out",
      "If a harbour keeper is absent at dusk, the harbour office may either light the lamp or send for another boat.",
      /→ .*light the lamp$/i,
    ],
    [
      "what happens to a thing that was named before",
      "If the amount is less than the harbour fee, the harbour master must write to the owner of the ship.",
      /^What happens if the amount/,
    ],
    [
      "a name that would fit anything good",
      "After every winter storm the harbour master must take appropriate action for the broken lamps.",
      /→ appropriate action$/,
    ],
    [
      "a thing that is more so than something unnamed",
      "The time that a keeper needs for the cleaning of a **Fresnel lens** is much longer.",
      /longer/,
    ],
    [
      "the last thing of a list",
      "Keepers must know the rules of the harbour, the chart of the coast, the law of the sea, and fog signals.",
      /and ____\.? → fog signals/,
    ],
    [
      "one of many good things of its kind",
      "The old **tide table** of the harbour is a popular guide for sailors of small boats.",
      /^What is a popular guide/,
    ],
    [
      "an order after its purpose",
      "To understand the **Fresnel lens**, think of a stack of glass rings around a small oil lamp.",
      /./,
    ],
    [
      "an order with its manner",
      "Review promptly the broken lamps of the harbour and object when a keeper is late.",
      /./,
    ],
    [
      "when, of what is counted from there",
      "The monthly report of the **harbour office** must be sent to the coast guard within 30 days after the end of each month.",
      /^When must/,
    ],
    [
      "soon after",
      "The **harbour office** makes sure that all boats are painted soon after the spring storms of the coast.",
      /soon\?/,
    ],
    [
      "such a thing as was spoken of before",
      "The **harbour master** should ask the coast guard before building such a tower on the mole.",
      /such a tower$/,
    ],
    [
      "two verbs of which the second says how a noun is",
      "The **harbour master** must follow controlling authority as to the fees of foreign ships.",
      /follow controlling\?/,
    ],
    [
      "a clause of its own behind the verb",
      "In storms, Tower Lamps and Harbour Lamps dim slowly and StoneMole breaks slightly at its foot.",
      /^What (?:dims|dim) slowly and/,
    ],
  ])("%s", (_, text, broken) => {
    expect(facesOf(text).filter((face) => broken.test(face))).toEqual([]);
  });
});

describe("a verb that was missed is read", () => {
  test.each([
    [
      "between two nouns",
      "The lower part of the pump extracts oil from the fish.",
      "What does the lower part of the pump extract? → Oil from the fish",
    ],
    [
      "behind a word that is often an adjective",
      "The current of cold sea water powers the great wheel of the mill.",
      "What does the current of cold sea water power? → The great wheel of the mill",
    ],
    [
      "before what is done",
      "The east gate of the lock releases trapped boats so that they can sail with the evening tide.",
      "Why does the east gate of the lock release trapped boats? → So that they can sail with the evening tide",
    ],
    [
      "and after “are” a noun is none",
      "**Beacons** are plant oil lamps that carry a flame through the night.",
      "What are beacons? → Plant oil lamps that carry a flame through the night",
    ],
  ])("%s", (_, text, face) => {
    expect(facesOf(text)).toContain(face);
  });
});

describe("what a sentence speaks of is known from what stands before it", () => {
  test.each([
    [
      "in its own opening",
      "In an old steam engine, the glass piston moves cold water out of the deep basin.",
      "In an old steam engine, what does the glass piston move? → Cold water out of the deep basin",
    ],
    [
      "two sentences before, where both go on with one word",
      "A **lightship** is a ship that carries a lamp. It has a strong hull. It serves as a beacon for the ships of the outer bank.",
      "What serves as a beacon for the ships of the outer bank? → A lightship",
    ],
  ])("%s", (_, text, face) => {
    expect(facesOf(text)).toContain(face);
  });

  test("but not where the opening names nothing", () => {
    expect(
      facesOf("In this part, the glass piston moves cold water out of the deep basin.").filter((face) =>
        face.includes("?"),
      ),
    ).toEqual([]);
  });
});

test("how something is done is no part of the answer to what", () => {
  expect(facesOf("Adding more glass rings to a lamp improves the view of the coast considerably.")).toContain(
    "What does adding more glass rings to a lamp improve? → The view of the coast",
  );
});

const SIDES = "north south east west upper lower".split(" ");
const TIMES = "spring summer autumn winter morning evening".split(" ");
const tower = (i: number) =>
  `The ${SIDES[i]} harbour tower must send a tide report to the coast office every ${TIMES[i]} of the year.`;

test("a deck that follows the length of its source asks no blank for a word that is set off nowhere", () => {
  const text = `${OPENING}\n\n${Array.from({ length: 6 }, (_, i) => tower(i)).join(" ")} A **lighthouse** is a tower that sends out light to guide ships at night.`;
  const found = faces(text, "AUTO");
  expect(found).toContain("What is a lighthouse? → A tower that sends out light to guide ships at night");
  expect(found.filter((face) => /→ (?:tide reports?|coast office)$/.test(face))).toEqual([]);
});
