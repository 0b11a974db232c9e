import { describe, expect, test } from "vitest";
import { cardTexts, newCardTexts } from "./card-texts.ts";
import { cutSecondFact } from "#shared/cards/source/clause-splitting.ts";
import { tagSentence } from "#shared/text/tagging.ts";

describe("leaves out questions that readers couldn't answer", () => {
  test.each([
    [
      '"a special case of" as a definition',
      "The **storm lamp** is a special case of the tower lamp.",
      /→ A special case/,
    ],
    [
      "a plural term defined by one instance",
      "The lamps of the port are known by their club-shaped towers called **basides**, which are the swollen terminal room of a quay.",
      /^What are basides\? → The swollen/,
    ],
    [
      "an item from an announced list of three",
      "There are three main kinds of lamps in the ports of the coast: **oil-fed**, in which the flame is the most obvious part of the lamp.",
      /: ____, in which/,
    ],
    [
      "a superlative used as a name",
      "The **clearest case** for closing a whole port of the coast is the discovery of drifting ice.",
      /→ clearest case/,
    ],
    [
      'something that "might indicate"',
      "The **signal method** of the port might indicate that the lamp of the tower will be lit before the ship is seen.",
      /^What might/,
    ],
    [
      "one of two examples",
      "In sea ports, such as mole ports and **quay ports**, the lamp is composed of only a few rings and is kept within the tower.",
      /such as mole ports and ____/,
    ],
    [
      "a conversion with half of its pair",
      "In the harbour, a **lamp smith** converts copper plates into bright rings.",
      /convert\?/,
    ],
    [
      "a symbol from a missing formula",
      "and **Zij** is the number of ports where both lamps are absent.",
      /^What is zij/i,
    ],
    ["a single letter", "**R** is the number of turns and use of the lamp in one night.", /^What is R\?/],
    [
      "an adjective that isn't part of the name",
      "Since spring, the **new Signal Lamp** book holds a list of marks which reports on what the harbour might have.",
      /→ new Signal/,
    ],
    [
      '"when" for a state that just was',
      "Light keeping was an early harbour innovation after the appearance of the lighted boats.",
      /^When was/,
    ],
    ["an arrow from a drawing", "**even lamp**: balance oil on wick −→ form lights for each room", /→ .*→/],
    [
      'what "most" of them do',
      "Most **standing keepers** write monthly reports that list lamps in which oil is short.",
      /→ Most/,
    ],
    [
      '"when" for a moment in a story',
      "The **harbour book** is whole and dry in its box when the light of the tower comes back.",
      /^When is/,
    ],
    ['"in what" for a time', "The **tower chains** of the port are broken in late spring.", /broken in\?/],
    ['"differs in several ways"', "However, **quay lamps** differ from tower lamps in several ways.", /differ from\?/],
    [
      "praise used as a definition",
      "**Lamp lore** is the culmination of the skills of the coast from their beginning to today.",
      /→ The culmination|^What is the culmination/,
    ],
    [
      "a part of a picture",
      "left box: All ships in the harbour before the great storm\n\nThe **left box** stands on the quay.",
      /^What is (?:the )?left box/,
    ],
  ])("%s", (_, text, thrown) => {
    expect(newCardTexts(text).filter((face) => thrown.test(face))).toEqual([]);
  });
});

describe("leaves out or completes text that depends on something else", () => {
  test.each([
    [
      "a diagram",
      "The bottom right diagram shows a common state of the port known as the **ebb state** with return.",
      /./,
    ],
    [
      '"in return"',
      "In return, the keeper shields the **bright lamp** from rain and frost by closing its glass.",
      /return/,
    ],
    [
      '"that cycle"',
      "A **waiting light** is designed to prevent that cycle by letting the ships of the port pass.",
      /that cycle/,
    ],
    ['"just described"', "The free light from the row of **lamp works** just described is used to mark the bay.", /./],
    [
      "a line that is missing",
      "The bright parts of the lamp oil are the following: The oil used in this lamp is **colza oil**.",
      /./,
    ],
    [
      "a drawn line",
      "The tide table of the port gives a **mean tide** for the year, the height of which is shown by the dotted horizontal line.",
      /./,
    ],
    [
      '"that opening"',
      "In the tower, that opening is a passage through a special wall ring called the **lamp gate**.",
      /that opening/,
    ],
    [
      '"this state", twice',
      "A small flame is needed to reach this twisted state. This twisted state is called the **blue state**, and it is a hot, brief state of the lamp.",
      /this twisted state\. This/,
    ],
    [
      "a repeated word",
      "A simple harbour would the the early keeper have called the **lamp room** for a last visit.",
      /./,
    ],
  ])("%s", (_, text, thrown) => {
    expect(newCardTexts(text).filter((face) => thrown.test(face))).toEqual([]);
  });

  test("a third group is one of several", () => {
    const text =
      "A third very interesting group of ports makes light, not by burning oil, but by burning gas from the ground; hence, they are called **gas ports**.";
    expect(newCardTexts(text).join("\n")).toMatch(/^One group of ports makes light/m);
  });
});

test.each([
  [
    "the last item of a list with its purpose",
    "the clear oil, the makers of candles, and black pitches used to stop leaks",
  ],
  ["an infinitive with two verbs", "asking the keeper to raise his hand and answer the call of the crew"],
  ["the materials of a thing", "a clever engine made of brass and iron rings, and many distinct ropes"],
  ["two parts joined by a participle", "a house with a room of oil and a room of wood joined together with a rope"],
  [
    "a fact with its content clause",
    "their name from the fact that their height, eight to ten feet, is more than that of a man",
  ],
  ["a list in which one item has a reason", "wet lamps, dark lamps because no one lit them, and broken ones"],
])("keeps what belongs together in one answer: %s", (_, text) => {
  expect(cutSecondFact(tagSentence(text))).toHaveLength(tagSentence(text).length);
});

describe("an answer is complete", () => {
  test.each([
    [
      "with a relative clause of what can be done",
      "A **tide guess** is a suggested time for a flood, which can be tested.",
      "What is a tide guess? → A suggested time for a flood, which can be tested",
    ],
    [
      "with two relative clauses",
      "A **guard boat** is a vessel that does not sail during the first watch, but that can be manned at once.",
      "What is a guard boat? → A vessel that does not sail during the first watch, but that can be manned at once",
    ],
    [
      "with the second of two parts",
      "A **double store** is a house with a room of oil and a room of wood joined together with a rope.",
      "What is a double store? → A house with a room of oil and a room of wood joined together with a rope",
    ],
    [
      "with only the name of the person it is named after",
      "The light that bends is called by two names: the **Morley effect**, after Edward Morley, who first measured it in 1887 on a hill.",
      "Whom is the Morley effect named after? → Edward Morley",
    ],
    [
      "with everything that it allows",
      "A **bell frame** is a short-lived ring, and it allows one of the buoys (such as the northern) and the boats to more readily answer the calls of the quay.",
      "A/an ____ is a short-lived ring, and it allows one of the buoys and the boats to more readily answer the calls of the quay. → bell frame",
    ],
    [
      "without the sentence's full stop",
      "Every change of the tide brings a change of the light, called delta L (∆L).",
      "Every change of the tide brings a change of the light, called ____. → delta L",
    ],
    [
      "with its list",
      "The light comes from **wick gas**, the gas that is a waste of the flame in lamps, stoves, ovens, and kilns.",
      "What is wick gas? → The gas that is a waste of the flame in lamps, stoves, ovens, and kilns",
    ],
    [
      "with the restriction in brackets",
      "When a keeper leaves the tower (and it is not in guest mode), he first writes his name into a book called the **exit log**.",
      "When a keeper leaves the tower, and it is not in guest mode, he first writes his name into a book called the ____. → exit log",
    ],
    [
      "with the time in which it holds",
      "In a storm, the **signal office** keeps the quay dark by closing the shutters of all lamps while the great boats are at sea.",
      "In a storm, how does the signal office keep the quay dark? → By closing the shutters of all lamps while the great boats are at sea",
    ],
    [
      'with what follows "in turn"',
      "The **lamp rule** states that keepers rule the books, which in turn rule the lights of the port.",
      "What does the lamp rule state? → That keepers rule the books, which in turn rule the lights of the port",
    ],
  ])("%s", (_, text, face) => {
    expect(newCardTexts(text)).toContain(face);
  });

  test.each([
    [
      "not cut in a list in which one item has a reason",
      "The **signal office** can show wet lamps, dark lamps because no one lit them, and broken ones, all at its will.",
      /^Why can|dark lamps$/,
    ],
    [
      'not ending in "a form" without its description',
      "Then, a row of night posts, collectively called **tide watch**, draws the news from the ships and turns it into a form that all men of the port can use and all harbours of the coast can read.",
      /into a form\./,
    ],
    [
      "not with the reason of a possibility",
      "A **quay lamp** can become dull if the oil burns low due to a leak or a thief at the quay.",
      /^Why can/,
    ],
    [
      "not without an item of a list",
      "The **bell frame** is composed of brass rings, another iron part, rope ring (of hemp), and four hard steel bolts.",
      /brass rings rope|rings,? rope ring, and/,
    ],
    [
      "not before the examples of the reason",
      "The **tower store** is a crucial part of a working port because mist surfaces, such as the sea walls, are the first walls onto which salt is laid.",
      /→ Because mist surfaces$/,
    ],
    [
      "not with the verb before a name",
      "After the watch is over, it lowers the flag and produces gas-oil-water (GOW), simple drinks that can later be turned into lamp oil.",
      /produces gas|^What is produces/,
    ],
    [
      "not for a whole of which the term is a part",
      "The tide is measured by the port to guard its wall, which serves as a track for the movement of a long boat called **skimmer**.",
      /^What is a track/,
    ],
  ])("%s", (_, text, broken) => {
    expect(newCardTexts(text).filter((face) => broken.test(face))).toEqual([]);
  });
});

describe("an automatic deck", () => {
  const FUELS: [string, string, string][] = [
    ["Tallow", "bright", "stearin"],
    ["Beeswax", "dim", "esters"],
    ["Whale oil", "yellow", "fat"],
    ["Coal gas", "white", "methane"],
    ["Colza oil", "smoky", "erucic acid"],
    ["Mineral oil", "red", "paraffin"],
    ["Acetylene", "steady", "carbon"],
    ["Rapeseed oil", "blue", "glycerol"],
  ];
  const text = FUELS.map(
    ([fuel, flame, part]) => `${fuel} produces a ${flame} flame because it contains ${part}.`,
  ).join(" ");

  test("uses lower-ranked cards if its source has no better ones", () => {
    expect(cardTexts(text, "AUTO")).toHaveLength(5);
  });

  test("prefers the question forms that readers keep", () => {
    const lamps = FUELS.map(
      ([fuel]) =>
        `A **${fuel} lamp** is a lamp of brass that burns ${fuel} behind a pane of glass. ` +
        `The ${fuel} lamp produces a steady flame of ${fuel} in towers along the northern harbour. ` +
        `The keeper fills the ${fuel} lamp with brass cans of ${fuel} before the winter storms. ` +
        `In a harbour, the ${fuel} lamp replaces the wood fire of the older towers. ` +
        `The ${fuel} lamp requires a clean pane of glass and a dry wick of cotton.`,
    );
    const asked = cardTexts(lamps.join("\n\n"), "AUTO");
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((face) => !face.startsWith("What is"))).toEqual([]);
  });
});

describe("a slide that lists things below a heading that names them", () => {
  test.each([
    [
      "# Causes of the First World War\n\n- Militarism\n- Alliances\n- Nationalism",
      "Militarism; Alliances; Nationalism",
    ],
    ["# Causes of the First World War\n\n- Fear: all powers armed\n- Pride: no power gave way", "Fear; Pride"],
  ])("asks for the things: %s", (slide, answer) => {
    expect(cardTexts(slide, "AUTO")).toContain(`What are the causes of the First World War? → ${answer}`);
  });

  test.each([
    "# The First World War\n\n- Militarism\n- Alliances\n- Nationalism",
    "# Causes of the First World War\n\n- Militarism",
    "# Causes of the First World War\n\n- Militarism\n- All of the great powers had promised one another to help in a war",
  ])("but not if the heading says too little, or a point is alone or long: %s", (slide) => {
    expect(cardTexts(slide).filter((face) => face.startsWith("What are the causes"))).toEqual([]);
  });
});
