import { describe, expect, test } from "vitest";
import type { CardStyle } from "#shared/cards/generate/candidates.ts";
import { readFacts } from "#shared/cards/source/facts.ts";
import { ambiguityPenalty } from "#shared/cards/features/penalties.ts";
import { cutSecondFact } from "#shared/cards/source/clause-splitting.ts";
import { isWholePhrase } from "#shared/cards/generate/blank-positions.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isVagueWord } from "#shared/cards/source/terms.ts";
import { cardTexts, newCardTexts } from "./card-texts.ts";
import { aCandidate } from "./a-candidate.ts";

describe("leaves out questions with several right answers, or none", () => {
  test.each([
    [
      "a condition about something named earlier",
      "If the amount is less than the harbour fee, the harbour master must write to the owner of the ship.",
      /^What happens if the amount/,
    ],
    [
      "a comparison with something unnamed",
      "The time that a keeper needs for the cleaning of a **Fresnel lens** is much longer.",
      /longer/,
    ],
    [
      "one of two alternatives",
      "If the tide pilot fails to appear at the quay, the harbour office may either close the gate or proceed with calling another pilot.",
      /close the gate$/,
    ],
    [
      "a deadline counted from an event",
      "Tide reports must be sent within 30 days after the end of each month.",
      /^When must/,
    ],
    ['"soon after"', "Old lamp rooms are painted soon after the spring storms of the coast.", /soon\?/],
    [
      '"such a procedure"',
      "The **harbour office** should consult with the coast guard before implementing such a procedure.",
      /such a procedure/,
    ],
    [
      "a list cut before its end",
      "**Guard II**, in which the second round of watches takes place, includes dogwatch II, midwatch II, and so on.",
      /midwatch II$/,
    ],
    [
      "a footnote number attached to a word",
      "Marilee Keeper and her colleagues2 compared the **lamp glass** of old towers with that of new ones.",
      /colleagues2/,
    ],
    [
      "numbered theorems",
      "The **lamp rules** of the coast are straightforward readings of Theorems 1 and 2 for light.",
      /./,
    ],
    [
      "a cause without its decisive word",
      "Painting stone twice can lead to lamp corruption, which can potentially lead to broken glass.",
      /^What can painting stone lead to/,
    ],
    [
      "a word torn by a lost letter",
      "If the **harbour master** must continue/ a meeting, the crew of the boat waits for a sign.",
      /./,
    ],
    [
      "an emphasised adjective",
      "Keepers of the coast find that a fair match of the **actual** light and its drawing is enough for sailors.",
      /→ actual$/,
    ],
    [
      '"make it so that"',
      "In addition, the lamp trimming rules often make it so that lamp oil is not necessary in summer months.",
      /make it\?/,
    ],
    [
      "half of two words for one thing",
      "An **ecosystem** consists of all the living things in a particular harbour together with the abiotic, non-living parts of that environment such as salt in the water.",
      /the abiotic$/,
    ],
    [
      "two verbs, the second a participle",
      "Therefore, the **harbour office** must follow controlling legal authority in the port as to payment of foreign pilots who have not filed claims.",
      /follow controlling\?/,
    ],
    [
      "an instruction after its purpose",
      "To understand the **Fresnel lens**, think of a stack of glass rings around a small oil lamp.",
      /./,
    ],
    [
      "an instruction with an adverb",
      "Review promptly the broken lamps of the harbour and object when a keeper is late.",
      /./,
    ],
    [
      "a statement cut before the sentence that refers to it",
      "The **lamp oil** of the coast is vital because it burns for a whole night in the dry glass rings of the tower. Those rings are the place where the harbour office keeps the **Fresnel lens**.",
      /vital\. Those rings/,
    ],
    [
      "a pointer to a later section",
      "The **lighthouse** of the outer mole is a tower of stone. Before learning how keepers trim the **lamp wick**, it is important to know the parts of a lamp.",
      /it is important/,
    ],
    [
      "a recipient read as a definition",
      "As soon as practicable, the keeper shall file with the port, and serve upon the **harbour master**, a statement of the losses that the ship has had.",
      /^What is the harbour master/,
    ],
    [
      "commas left over from two note numbers",
      "The port office of the coast uses **gas lamps**, and lights them by default since the great storm (1821-10-12)[30], [31].",
      /,\./,
    ],
    [
      'an emphasised "nothing more"',
      "A lamp of plain glass offers the keepers of the coast **nothing more** than those of the older towers.",
      /→ nothing more$/,
    ],
  ])("%s", (_, text, broken) => {
    expect(newCardTexts(text).filter((face) => broken.test(face))).toEqual([]);
  });
});

describe("recognises verbs that the tagger missed", () => {
  test.each([
    [
      "between two nouns",
      "The lower part of the pump extracts oil from the fish.",
      "What does the lower part of the pump extract? → Oil from the fish",
    ],
    [
      "after a word that is often an adjective",
      "The current of salt ions powers the catalytic action of the pump.",
      "What does the current of salt ions power? → The catalytic action of the pump",
    ],
    [
      "before a participle",
      "The east gate of the lock releases trapped boats so that they can sail with the evening tide.",
      "Why does the east gate of the lock release trapped boats? → So that they can sail with the evening tide",
    ],
    [
      'but not after "are", where it is a noun',
      "**Beacons** are plant oil lamps that carry a flame through the night.",
      "What are beacons? → Plant oil lamps that carry a flame through the night",
    ],
  ])("%s", (_, text, face) => {
    expect(newCardTexts(text)).toContain(face);
  });
});

describe("resolves the subject from the preceding text", () => {
  test.each([
    [
      "in its own opening",
      "In an old steam engine, the glass piston moves cold water out of the deep basin.",
      "In an old steam engine, what does the glass piston move? → Cold water out of the deep basin",
    ],
    [
      "two sentences earlier, with the same pronoun in between",
      "A **lightship** is a ship that carries a lamp. It has a strong hull. It serves as a beacon for the ships of the outer bank.",
      "What serves as a beacon for the ships of the outer bank? → A lightship",
    ],
  ])("%s", (_, text, face) => {
    expect(newCardTexts(text)).toContain(face);
  });

  test("but not of a sentence whose subject is what it stresses", () => {
    const cards = newCardTexts(
      "A **lightship** does not care about the shape of any sail. It is the harbour master that needs to know the ships of the bank.",
    );
    expect(
      cards.filter((face) => face.includes("?") && /lightship/i.test(face) && /harbour master/i.test(face)),
    ).toEqual([]);
  });

  test("but not of a sentence whose “it” stands for what follows", () => {
    const cards = newCardTexts(
      "A **lightship** is a ship that carries a lamp. It is quite common and useful to have a second chain for the anchor of the bow.",
    );
    expect(cards.filter((face) => /lightship is quite common/i.test(face))).toEqual([]);
  });

  test("but not if the opening names nothing", () => {
    expect(
      newCardTexts("In this part, the glass piston moves cold water out of the deep basin.").filter((face) =>
        face.includes("?"),
      ),
    ).toEqual([]);
  });
});

test('an answer to "what" leaves out how something is done', () => {
  expect(newCardTexts("Adding more glass rings to a lamp improves the view of the coast considerably.")).toContain(
    "What does adding more glass rings to a lamp improve? → The view of the coast",
  );
});

test.each([
  ["appropriate action", true],
  ["clear advantage", true],
  ["popular approach", true],
  ["tide table", false],
])("“%s” is a vague name: %s", (name, isEmpty) => {
  expect(name.split(" ").every(isVagueWord)).toBe(isEmpty);
});

test.each([
  ["The keeper must know the harbour code, the tide rules, and case law.", false],
  ["Sailors read the rules that the courts have made, or case law.", true],
])("the last item of a list is not a whole phrase for a cloze card, but another name is: %s", (text, isFit) => {
  const passage = { id: "1", kind: "paragraph" as const, text, bold: [], italic: [], locator: {} };
  const [fact] = readFacts(passage, [], 0);
  const last = fact?.tokens.findIndex((t) => t.lower === "law") ?? -1;
  expect(fact && isWholePhrase(fact, last - 1, last)).toBe(isFit);
});

test("a clause after “and” isn't part of the previous one", () => {
  const tokens = tagSentence("Natural Lamps and WebBeacons improve modestly and TriviaLamp degrades slightly.");
  expect(cutSecondFact(tokens.slice(tokens.findLastIndex((t) => t.lower === "and")))).toEqual([]);
  expect(cutSecondFact(tagSentence("the gate or calls another pilot")).map((t) => t.text)).toContain("or");
});

test("“it” after a name and a semicolon refers to the name", () => {
  expect(
    newCardTexts(
      "Lamps lend their light to the mirrors. This habit is called **passive glow**; it also occurs naturally in sea fog, which makes foggy harbours bright in the first hours of night.",
    ),
  ).toContain("Where does passive glow naturally occur? → In sea fog");
});

describe("a sentence with little text besides its blank", () => {
  const text = "Ropes and tar abound in harbours.";
  const face = "Ropes and tar abound in ____. → harbours";

  test("is asked at high density", () => {
    expect(cardTexts(text, "HIGH")).toContain(face);
  });

  test.each(["LOW", "MEDIUM", "AUTO"] as const)("is not asked at density %s", (density) => {
    expect(cardTexts(text, density)).toEqual([]);
  });
});

test.each([
  ["____ is a manner of bellrocking the waves of a harbour.", true, "Bellrock"],
  ["____ is a manner of calming the waves of a harbour.", false, "Bellrock"],
  ["What does the harbour wall have?", true, "A row of bells", "fact"],
  ["What is the harbour wall?", true, "A wet wall", "definition"],
  ["What is the harbour wall?", false, "A wall that keeps the sea out", "definition"],
  ["For large towers like ____ and Skerryvore the lamps are made of glass rings.", true],
  ["The harbour office must ask the coast guard before it adds a keeper or ____.", true],
  ["The ____ were read from the logs of real ships.", true],
  ["The ____ is called the watch room.", false],
  ["Glass rings around a small lamp make a/an ____ that is seen from afar.", false],
] as [question: string, isDoubtful: boolean, answer?: string, style?: "fact" | "definition"][])(
  "penalises ambiguous questions and those that contain their answer: %s",
  (question, isDoubtful, answer = "Bell Rock", style: CardStyle = "cloze") => {
    expect(ambiguityPenalty(aCandidate(style, question, answer)) > 0).toBe(isDoubtful);
  },
);

test("a manual is not asked which of its programs has a feature, only what a program is", () => {
  const uses = Array.from(
    { length: 45 },
    (_, n) => `In year ${n} the keepers of the coast called **Lampcheck** ${n % 7 === 0 ? "with run_all()" : "again"}.`,
  );
  const manual = [
    "# Lampcheck\n\n**Lampcheck** is a checker of lamps that finds broken wicks.",
    ...uses,
    "# Order\n\n**Lampcheck** will display full call stacks for both accesses involved in a race. This makes it easier to identify the root causes of races.",
  ];
  expect(cardTexts(manual.join("\n\n"), "AUTO")).toEqual([
    "What is Lampcheck? → A checker of lamps that finds broken wicks",
  ]);
});

test("a manual of functions is not asked for their parameters, nor what an option is", () => {
  const functions = Array.from(
    { length: 12 },
    (_, n) => `### Lamp ${n}\n\nCall light(wick, oilgrade) or dim(wick, maxSteps) here.`,
  );
  const manual = [
    "# Lamps\n\nA **wick trimmer** is a tool that shortens the wick of a lamp.",
    ...functions,
    "Each row of **oilgrade** corresponds to one of the lamps in the harbour.",
    "**maxSteps** is the largest number of steps in which a lamp is dimmed.",
    "- maxSteps: the largest number of steps in which a lamp of the harbour is dimmed.",
  ].join("\n\n");
  const cards = cardTexts(manual, "AUTO");
  expect(cards).toContain("What is a wick trimmer? → A tool that shortens the wick of a lamp");
  expect(cards.filter((card) => /oilgrade|maxSteps/u.test(card))).toEqual([]);
});
