import { describe, expect, test } from "vitest";
import { checkCard } from "#shared/cards/gates/card-gates.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { cardsOf, cardTexts, OPENING } from "./card-texts.ts";

const paragraph = (id: string, text: string, page: number): Passage => ({
  id,
  kind: "paragraph",
  text,
  bold: [],
  italic: [],
  locator: { page },
});

describe("a heading isn't read as part of the sentence below it", () => {
  test("from the foot of the previous page", () => {
    const cards = cardsOf([
      paragraph("1", "Keepers lit the lamp of the tower at dusk every day of the year.", 1),
      paragraph("2", "Harbour Insurance", 1),
      paragraph("3", "The harbour master must renew all insurance of the quay by the first of May.", 2),
    ]);
    expect(cards.length).toBeGreaterThan(0);
    expect(cards.map((c) => `${c.question} ${c.quote}`).join("\n")).not.toContain("Harbour Insurance");
  });

  test("glued to the sentence", () => {
    const found = cardTexts(
      `${OPENING}\n\nLamp Inspection The harbour master must renew all lamps of the quay every spring.`,
    );
    expect(found.length).toBeGreaterThan(0);
    expect(found.join("\n")).not.toContain("Inspection");
  });
});

test("a backslash that a converter left before a colon is not printed on a card", () => {
  const text =
    "Keepers and pilots are together called light wardens\\: they are the ones who keep a coast lit at night.";
  const start = text.indexOf("light wardens");
  const passage: Passage = {
    ...paragraph("1", text, 1),
    bold: [[start, start + "light wardens\\".length]],
    locator: { page: 1, rect: [0, 0, 100, 20] },
  };
  const faces = cardsOf([passage]).map(({ question, answer }) => `${question} ${answer}`);
  expect(faces.join("\n")).toContain("light wardens");
  expect(faces.join("\n")).not.toContain("\\");
});

describe("the subject of a whole source", () => {
  const places = "quay lock mole beach channel basin dock ferry bridge market yard pier".split(" ");
  const things = "lamps ropes gates buoys horns charts boats bells chains anchors ladders nets".split(" ");
  const text = places
    .map((place, i) => `The harbour master must repair the broken ${things[i]} of the ${place} after every storm.`)
    .join(" ");

  test("is never an answer, because it would answer any question", () => {
    const found = cardTexts(`${text}\n\nA new chain of the dock is paid for by the harbour master.`);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((face) => /→ (?:the )?harbour master$/i.test(face))).toEqual([]);
  });

  test("gets no question with a plain verb", () => {
    expect(cardTexts(`${text}\n\nThe harbour master keeps a diary of ships.`).join("\n")).not.toContain(
      "What does the harbour master keep?",
    );
  });
});

describe("a misread sentence makes no broken card", () => {
  test.each([
    [
      "the last item of a list read as an explanation",
      "Nobody may open the lamp room other than the **harbour master**, the keeper or a certified engineer.",
      /^What is the harbour master\?/,
    ],
    [
      "a list of things with their articles read as an explanation of the first",
      "The main parts of the ship that last are the **mast**, the keel, the deck, and the long rudder.",
      /^What is the mast\?/,
    ],
    [
      "an example of something named elsewhere",
      "But keepers looked for a lamp that is fed with oil, and the Argand type is a great example.",
      /→ A great example/,
    ],
    [
      "a noun spelt like a verb",
      "**Debtor tax** returns in the trustee’s possession must be destroyed following the meeting of creditors.",
      /^What returns/,
    ],
    [
      "the last item of a list read as a clause",
      "Sailors who know the trade say that the idea of copying the chart, length, and depth of a channel sounds like a shallow survey.",
      /^Depth of/,
    ],
    [
      "the second of two contrasted things",
      "This guide does not take a stance on how each change should be treated, as the difference between minor and patch changes are conventions that depend on the nature of the change.",
      /What are patch changes/,
    ],
    [
      'half of an "either … or"',
      "Storm damages are losses that are either common on all coasts, or part of the usual wear of a quay.",
      /either common on all coasts$/,
    ],
    [
      "a clause that ends where its reason starts",
      "Although not within the harbour, the outer **mole** is counted among its works because, as you will see, it breaks the waves of the open sea.",
      /because\.|because →/,
    ],
    [
      '"the first of which" after a list',
      "The function returns a **tuple**, the first element of which is the sending end of the channel.",
      /^What is a tuple/,
    ],
    [
      "the material of a thing read as its definition",
      "The body of the mould is a tangle of slender thread-like structures called **hyphae**.",
      /^What is a tangle/,
    ],
    [
      "a time or a cause read as a place",
      "In moulds, **sexual reproduction** occurs in response to harsh conditions.",
      /^(?:In moulds, )?where/i,
    ],
    [
      "a person's work read as the agent",
      "Recent work has shown that the **Fresnel lens** can be combined with other lenses.",
      /→ Recent work$/,
    ],
    ["identifiers in code", "When c goes out of its scope, the **count** of all owners goes down by one.", /./],
    [
      '"doing so", which refers to the previous sentence',
      "Doing so improves the light of the **Fresnel lens** without a larger flame.",
      /Doing so/,
    ],
    [
      '"it" as the object of an infinitive',
      "The **harbour office** encourages all keepers to use it as a guide for their towers.",
      /^(?:What|Who) encourages/,
    ],
    [
      "how a thing works read as how it is something",
      "A memory network is a type of model that avoids a vanishing gradient by adding gates that forget.",
      /^How is a memory network/,
    ],
    [
      'a thing that it is "no longer"',
      "Word processors are no longer standalone tools of an office.",
      /^What are word processors/,
    ],
    [
      "a bullet from a symbol font read as a word",
      "Error analysis is analyzing the root cause of the difference in performance between both models. r Ablative analysis – a second way of it.",
      /r Ablative/,
    ],
    [
      "a sentence that introduces a formula",
      "The **sigmoid function** of a model, also known as the logistic function, is defined as follows:",
      /as follows/,
    ],
    ["an unwritten TODO", "TODO: negative reasoning vs positive reasoning of the crew?", /TODO/],
    [
      '"as long as" cut in half',
      "**Lifetimes** ensure that the data referenced by a struct is valid for as long as the struct is.",
      /for\?/,
    ],
    [
      "a predicate adjective read as a definition",
      "Remember that strings are UTF-8 encoded, so they hold any properly encoded data.",
      /→ UTF-8 encoded/,
    ],
    [
      "one of two participles read as the subject",
      "The authors express this concept in code by defining an enumeration and listing the possible kinds an address can be, V4 and V6.",
      /^Listing/,
    ],
  ])("%s", (_, text, broken) => {
    const own = new Set(cardTexts(OPENING));
    expect(cardTexts(`${OPENING}\n\n${text}`).filter((face) => !own.has(face) && broken.test(face))).toEqual([]);
  });

  test("asks with the verb that has an object", () => {
    expect(cardTexts(`${OPENING}\n\nOld **guillemots** lay spotted eggs on the bare rock.`)).toContain(
      "What do old guillemots lay? → Spotted eggs on the bare rock",
    );
  });

  test.each([
    [
      "the name of a thing read as a person",
      "Unsafe Beacon is exactly like Safe Beacon with all of the same rules. A safe beacon and an unsafe beacon burn oil.",
      /^Who is exactly/,
    ],
    [
      "a person read as a thing",
      "Augustin Fresnel invented a lens of glass rings for the coast. A lens of glass rings is light.",
      /^What invented/,
    ],
  ])("distinguishes who from what: %s", (_, text, broken) => {
    expect(cardTexts(`${OPENING}\n\n${text}`).filter((face) => broken.test(face))).toEqual([]);
  });

  test.each([
    [
      "with the distinguishing relative clause",
      "A **combination** is an arrangement of lamps from a larger pool, where the order does not matter.",
      "What is a combination? → An arrangement of lamps from a larger pool, where the order does not matter",
    ],
    [
      'with "why" for a negated fact',
      "Old towers did not need electricity because oil lamps were cheap and reliable.",
      "Why did old towers not need electricity? → Because oil lamps were cheap and reliable",
    ],
    [
      'with "where" for an appearance',
      "True harbours appeared in sheltered bays.",
      "Where did true harbours appear? → In sheltered bays",
    ],
    [
      "with the full name from the previous sentence",
      "The crew of the boat starts a controlled drift reaction. This reaction occurs near the outer mole of the harbour.",
      "The ____ occurs near the outer mole of the harbour. → controlled drift reaction",
    ],
  ])("asks the right question: %s", (_, text, face) => {
    expect(cardTexts(`${OPENING}\n\n${text}`)).toContain(face);
  });

  test("asks what a person is required to do", () => {
    expect(
      cardTexts(`${OPENING}\n\nA lamp inspector is required to report broken lenses to the coast guard.`).join("\n"),
    ).toContain("What is a lamp inspector required to do? → Report broken lenses to the coast guard");
  });
});

describe("ignores text that isn't a sentence of the source", () => {
  test.each([
    [
      "an instruction",
      "**Verify** that there is an itemization of the fees, costs, and other charges attached to the proof of claim.",
    ],
    ["an instruction after a condition", "If the glass of the lamp is broken, notify the coast guard at once."],
    ["a caption", "Figure 4-1: The layout of the lamp room after the great storm of that winter"],
    ["a line of an index", "alnum character class: Character Classes and Bracket Expressions. (line 32)"],
    ["a file name", "Filename: src/main.rs"],
    [
      "a wish of the author",
      "But I couldn't resist the temptation to put in a second lamp, since it was so easy to build.",
    ],
  ])("%s", (_, text) => {
    expect(cardTexts(`${OPENING}\n\n${text}`)).toEqual(cardTexts(OPENING));
  });

  test("a label that starts one item after another", () => {
    const points = ["adding a lamp to a tower", "painting a buoy in red", "moving a bell to the quay"];
    const found = cardTexts(`Changes to the marks:\n\n${points.map((p) => `- Minor: ${p} in the spring`).join("\n")}`);
    expect(found.filter((face) => /minor/i.test(face))).toEqual([]);
  });

  test("a text that says what a labelled thing does, as a definition of the thing", () => {
    expect(
      cardTexts("Reports of the harbour:\n\n- Balance report – identifies ships that owe more than a year of fees"),
    ).toEqual([]);
  });

  test.each([
    ["both halves of a title", "Storm Signals: Hardness of the Lamp Glass"],
    ["a text about what the label names", "Outcome: one row for the first occurrence of each outcome of interest"],
    ["a numbered part", "Experiment II: different colours of the lamp glass"],
    ["a numbered picture", "Figure 2: a lamp of the harbour with two colours"],
  ])("%s, as a definition", (_, text) => {
    const face = cardTexts(`Lamps of the harbour:\n\n- ${text}`);
    expect(face).toEqual([]);
  });

  test.each([
    [
      "a remark after a label, as a definition",
      "Lamps of the harbour:\n\n- Small lamps: automatically lit by the harbour pilot",
    ],
    [
      "what a phrase before it is about, as a definition",
      "The small lamp burns oil while for the **beacon**, the lamp of the old harbour tower, keepers need gas.",
    ],
    ["a comparison, as a definition", "A **small lamp** is a more useful sign of the actual state of the harbour."],
    [
      "an emphasised word that names nothing, as an answer",
      "**Let** the lamp be a light that shows the way into the harbour.",
    ],
  ])("%s", (_, text) => {
    expect(
      cardTexts(`${OPENING}\n\n${text}`).filter((face) =>
        /What (?:is|are) (?:an? )?(?:small|the beacon)|→ Let$/i.test(face),
      ),
    ).toEqual([]);
  });

  test("a licence", () => {
    const text =
      "# Lamps\n\nA **lamp** is a thing that gives light at night.\n\n# GNU Free Documentation License\n\nReplacing invariant parts with translations requires special permission from the holders.";
    expect(cardTexts(text).join("\n")).not.toMatch(/permission|translations/);
  });
});

test("every engine refuses an answer that refers to something the question doesn't name", () => {
  const quote = "A bracket expression matches any single character in that list.";
  const passages = passagesFromText(quote);
  const card = {
    question: "What does a bracket expression match?",
    answer: "Any single character in that list",
    quote,
  };
  expect(checkCard(card, passages, [])).toEqual({ ok: false, reason: "needs_context" });
  const named = { ...card, question: "What does a bracket expression match of its list?" };
  expect(checkCard(named, passages, [])).toEqual({ ok: true });
});

const storyParagraph = (i: number) =>
  `Oliver ran down the ${"abcdefghijkl"[i]} lane to the old mill. "Come with me," said Miss Rose, and she took him with her to the green river house of Mr. Brownlow. He told her that the miller had hidden a purse under the white stone of the river house.`;

test("a story yields only cards about what it names or explains", () => {
  const story = Array.from({ length: 12 }, (_, i) => storyParagraph(i)).join("\n\n");
  expect(cardTexts(story).filter((face) => face.includes("____"))).toEqual([]);
});

test("a complete bullet point needs no full stop", () => {
  const found = cardTexts(
    "# The harbour crab\n\n- Has ten legs\n- Harbour crabs are animals that shed a hard shell in the water of late summer\n- Largest of its kind",
  );
  expect(found).toContain("What are harbour crabs? → Animals that shed a hard shell in the water of late summer");
  expect(found.join("\n")).not.toMatch(/ten legs|largest/i);
});
