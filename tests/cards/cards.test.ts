import { describe, expect, test } from "vitest";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { checkCard } from "#shared/cards/gates/card-gates.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { BLANK, type EngineCard, type EngineEvent, type EngineOptions } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const eventsFor = (source: string | Passage[], options: Partial<EngineOptions> = {}): EngineEvent[] => [
  ...generateCards(typeof source === "string" ? passagesFromText(source) : source, { density: "MEDIUM", ...options }),
];
const cardsOf = (events: EngineEvent[]): EngineCard[] => events.flatMap((e) => (e.type === "card" ? [e.card] : []));
const cardsFor = (source: string | Passage[], options?: Partial<EngineOptions>) => cardsOf(eventsFor(source, options));
const cardTexts = (source: string, options?: Partial<EngineOptions>) =>
  cardsFor(source, options).map((c) => `${c.question} → ${c.answer}`);
const everyFace = (source: string) => cardTexts(source, { density: "VERY_HIGH" });
const notices = (events: EngineEvent[]) => events.flatMap((e) => (e.type === "notice" ? [e.notice] : []));

const LIGHTHOUSE = `# Lighthouses

A **lighthouse** is a tower that sends out light to guide ships at night. The **Fresnel lens** focuses the light of a small lamp into a narrow beam. Keepers trimmed the wick every four hours because soot dims the flame. Older lamps burned whale oil, whereas modern lamps use electricity.

## Signals

A **daymark** is a pattern of colour that tells one tower from another by day. Fog hides the beam of a lighthouse. When fog hides the beam, a horn sounds a warning. The pause between two flashes is called the **eclipse**. Sailors identify a lighthouse by counting its flashes. A **buoy** consists of a float, a chain and an anchor.

## Keepers

The keeper of a lighthouse kept a logbook. A **logbook** is a diary in which the weather and every passing ship are written down. The lamp room is located at the top of the tower. The tower of a lighthouse protects the lamp from the waves. Storms damage the glass of the lantern room.`;

describe("makes cards of several kinds from a source", () => {
  test.each([
    ["A **lighthouse** is a tower that sends out light.", "What is a lighthouse? → A tower that sends out light"],
    [
      "The pause between two flashes is called the **eclipse**.",
      "What is the pause between two flashes called? → Eclipse",
    ],
    [
      "Keepers trimmed the wick every four hours because soot dims the flame.",
      "Why did keepers trim the wick every four hours? → Because soot dims the flame",
    ],
    ["Sailors identify a tower by counting its flashes.", "How do sailors identify a tower? → By counting its flashes"],
    [
      "When fog hides the beam of a lamp, a horn sounds a warning.",
      "What happens when fog hides the beam of a lamp? → A horn sounds a warning",
    ],
    [
      "Older lamps burned whale oil, whereas modern lamps use electricity.",
      "How do older lamps and modern lamps differ? → Older lamps burned whale oil, whereas modern lamps use electricity",
    ],
    [
      "A **buoy** consists of a float, a chain and an anchor.",
      "What does a buoy consist of? → A float, a chain and an anchor",
    ],
    [
      "The old lamp room is located at the top of the tower.",
      "Where is the old lamp room located? → At the top of the tower",
    ],
    ["The whole tower is painted by the coast guard.", "What is the whole tower painted by?"],
    [
      "Salt spray damages the glass of the lantern room.",
      "What does salt spray damage? → The glass of the lantern room",
    ],
    ["Tall towers allow keepers to see ships early.", "What do tall towers allow keepers to do? → See ships early"],
    [
      "There are three kinds of sea marks: towers, buoys and beacons.",
      "What are the three kinds of sea marks? → Towers, buoys and beacons",
    ],
  ])("%s", (text, face) => {
    const found = everyFace(`The sea has marks of many kinds that help a ship on its way.\n\n${text}`);
    if (face.includes("→")) expect(found).toContain(face);
    else expect(found.filter((f) => f.startsWith(face))).toEqual([]);
  });

  test.each([
    [
      "a name with an abbreviation in brackets, explained without an article",
      "Infected cells are destroyed by **natural killer (NK) cells**, lymphocytes that can kill cells infected with viruses.",
      "What are natural killer cells? → Lymphocytes that can kill cells infected with viruses",
    ],
    [
      "a definition in brackets",
      "The membrane of a leaf cell holds a **pigment** (molecule that absorbs light) in large amounts.",
      "What is a pigment? → Molecule that absorbs light",
    ],
    [
      "what happens in an emphasised stage",
      "In the **light-dependent reactions**, chlorophyll absorbs energy from sunlight and turns it into chemical energy.",
      "What happens in the light-dependent reactions? → Chlorophyll absorbs energy from sunlight and turns it into chemical energy",
    ],
    [
      "a term defined by a list",
      "The cytokines of the body encourage **inflammation**, the localized redness, swelling, heat, and pain that result from the movement of fluid to a site of infection.",
      "What is inflammation? → The localized redness, swelling, heat, and pain that result from the movement of fluid to a site of infection",
    ],
    [
      "why, from the previous sentence",
      "Whale oil became very expensive after the year 1850. Therefore, the lighthouses of the coast burned kerosene instead of oil.",
      "Why did the lighthouses of the coast burn kerosene instead of oil? → Whale oil became very expensive after the year 1850",
    ],
    [
      "a name with its own reason",
      "Carbon dioxide is taken from the air by the leaves. This process is called **carbon** **fixation**, because carbon is fixed from an inorganic form into organic molecules.",
      "Because carbon is fixed from an inorganic form into organic molecules, this process is called ____. → carbon fixation",
    ],
    [
      "a sentence in brackets",
      "A lamp room is a room of glass. (The keeper of the tower cleans the glass of the lamp room every morning.)",
      "What does the keeper of the tower clean? → The glass of the lamp room every morning",
    ],
    [
      "a sentence after a missing space",
      "The tower carries the lamp of the harbour.The keeper of the tower trims the wick of the lamp every evening.",
      "What does the keeper of the tower trim? → The wick of the lamp every evening",
    ],
  ])("%s", (_, text, face) => {
    expect(everyFace(text)).toContain(face);
  });

  test("a card from two sentences quotes both", () => {
    const text =
      "Whale oil became very expensive after the year 1850. Therefore, the lighthouses of the coast burned kerosene instead of oil.";
    const why = cardsFor(text, { density: "VERY_HIGH" }).find(({ question }) => question.startsWith("Why"));
    expect(why?.quote).toBe(text);
  });

  test("makes cloze cards, with four underscores, for emphasised words", () => {
    const cards = cardsFor(LIGHTHOUSE, { density: "VERY_HIGH" }).filter((c) => c.kind === "cloze");
    expect(cards.length).toBeGreaterThan(0);
    for (const c of cards) expect(c.question.split(BLANK)).toHaveLength(2);
  });

  test("every card passes the gates and names the passage with its quote", () => {
    const passages = passagesFromText(LIGHTHOUSE);
    const cards = cardsFor(passages, { density: "VERY_HIGH" });
    for (const [i, c] of cards.entries()) {
      expect(checkCard(c, passages, cards.slice(0, i))).toEqual({ ok: true });
      expect(passages.find((p) => p.id === c.passageId)?.text).toContain(c.quote);
    }
  });

  test("asks every emphasised term at any density", () => {
    const asked = cardTexts(LIGHTHOUSE, { density: "LOW" }).join("\n").toLowerCase();
    for (const term of ["lighthouse", "fresnel lens", "daymark", "eclipse", "buoy", "logbook"]) {
      expect(asked).toContain(term);
    }
  });
});

describe("student notes", () => {
  test("a label and its text become a definition", () => {
    const found = everyFace(
      "Geography notes for the test in May:\n\n- Isthmus: a narrow strip of land between two seas\n- Strait – a narrow channel of water that joins two seas\n- The two words are easy to confuse in a test.",
    );
    expect(found).toContain("What is isthmus? → A narrow strip of land between two seas");
    expect(found).toContain("What is strait? → A narrow channel of water that joins two seas");
  });

  test.each([
    ["Angiotensin II", "angiotensin II"],
    ["Photosystem I", "photosystem I"],
    ["World War II", "World War II"],
    ["Carbon 14", "carbon 14"],
  ])("a term may end in a number: %s", (label, name) => {
    const found = everyFace(`Notes for the test in May:\n\n- ${label}: a narrow strip of land between two seas`);
    expect(found).toContain(`What is ${name}? → A narrow strip of land between two seas`);
  });

  test("a list after a colon is asked as a list and quoted completely", () => {
    const text =
      "The layers of the atmosphere are:\n\n- the troposphere\n- the stratosphere\n- the mesosphere\n\nThe weather happens in the lowest of them, and it is the one that people know.";
    const card = cardsFor(text, { density: "VERY_HIGH" }).find((c) => c.question.startsWith("What are the layers"));
    expect(card?.answer).toBe("The troposphere; the stratosphere; the mesosphere");
    expect(card?.quote).toContain("the mesosphere");
  });

  test("an abbreviation is asked with the words it stands for", () => {
    expect(
      everyFace("The World Meteorological Organization (WMO) is an agency that collects records of the weather."),
    ).toContain("What does WMO stand for? → World Meteorological Organization");
  });
});

describe("leaves out what isn't understandable alone", () => {
  test.each([
    ["this and these", "This is the largest of the glaciers in the valley. These move a few metres every year."],
    ["speaking to the reader", "In the next part you will see how we measure the speed of a glacier in the field."],
    ["figures", "Figure 3 shows how a glacier shapes the valley under the ice over many years."],
    ["questions", "What does a glacier do to the valley under the ice over many years of moving?"],
    ["orders", "Measure the speed of the glacier with two stakes and a rope in the summer."],
    ["formulas", "The speed v = d / t of the glacier follows where d = 4 and t = 2 are known values."],
  ])("%s", (_, text) => {
    expect(everyFace(text)).toEqual([]);
  });

  test("references, exercises and multiple-choice options", () => {
    const text = `# Glaciers\n\nA **glacier** is a mass of ice that moves slowly down a valley.\n\nWhich of the following statements is true?\n\n- Glaciers consist of warm salt water.\n- Glaciers consist of liquid iron.\n\n# References\n\nSmith is the author of a book that describes the glaciers of the north in detail.`;
    expect(everyFace(text).join("\n")).not.toMatch(/salt|iron|Smith/);
    expect(everyFace(text)).toContain("What is a glacier? → A mass of ice that moves slowly down a valley");
  });

  test("a second fact in an answer", () => {
    expect(
      everyFace("A **moraine** is a ridge of stones that a glacier leaves behind, and the ice melts in the summer."),
    ).toContain("What is a moraine? → A ridge of stones that a glacier leaves behind");
  });
});

describe("generation is stable", () => {
  test("the same input gives the same cards in the same order", () => {
    expect(eventsFor(LIGHTHOUSE)).toEqual(eventsFor(LIGHTHOUSE));
  });

  test("cards come section by section: the first arrives long before the last section is processed", () => {
    const source = Array.from({ length: 12 }, (_, i) =>
      LIGHTHOUSE.replaceAll("lighthouse", `beacon${"x".repeat(i % 7)}`),
    ).join("\n\n");
    const events = eventsFor(source);
    const first = events.findIndex((e) => e.type === "card");
    const lastProgress = events.findLastIndex((e) => e.type === "progress");
    expect(events.slice(first, lastProgress).filter((e) => e.type === "progress").length).toBeGreaterThan(5);
  });

  test("progress only increases and ends complete", () => {
    const done = eventsFor(LIGHTHOUSE).flatMap((e) => (e.type === "progress" ? [e.done / e.total] : []));
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(1);
  });

  test("existing cards aren't made again", () => {
    const before = cardsFor(LIGHTHOUSE);
    const after = cardsFor(LIGHTHOUSE, { existingCards: before });
    expect(after.map((c) => c.question)).not.toContain(before[0]?.question);
  });

  test("a higher density never makes fewer cards, and a thin source isn't stretched", () => {
    const counts = (["LOW", "MEDIUM", "HIGH", "VERY_HIGH"] as const).map(
      (density) => cardsFor(LIGHTHOUSE, { density }).length,
    );
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(notices(eventsFor(LIGHTHOUSE, { density: "HIGH" }))).toContain("fewer_cards_than_asked");
  });

  test("the student's focus is preferred when space is limited", () => {
    const long = Array.from(
      { length: 60 },
      (_, i) => `The village number${i} produces a cheese of its own kind in winter.`,
    ).join(" ");
    const options = { density: "LOW" as const, customInstructions: "Focus on logbooks and storms, please" };
    const asked = cardTexts(`${long}\n\n${LIGHTHOUSE}`, options).join("\n").toLowerCase();
    expect(asked).toMatch(/logbook/);
  });
});

describe("unsupported languages", () => {
  const german =
    "Die **Photosynthese** wandelt das Licht der Sonne in chemische Energie um, die von der Pflanze gespeichert wird. " +
    "Dabei entsteht aus Wasser und Kohlendioxid auch Sauerstoff, den die Tiere und Menschen zum Atmen brauchen.";

  test("non-English text yields cloze cards for its emphasised words, with a notice", () => {
    const events = eventsFor(german);
    expect(notices(events)).toEqual(["only_emphasised_terms"]);
    expect(cardsOf(events).map((c) => c.answer)).toEqual(["Photosynthese"]);
  });

  test.each([
    [
      "French",
      "La **photosynthèse** transforme la lumière du soleil en énergie chimique que la plante garde dans ses feuilles.",
      "La ____ transforme la lumière du soleil en énergie chimique que la plante garde dans ses feuilles.",
    ],
    [
      "Spanish",
      "La **fotosíntesis** transforma la luz del sol en energía química que la planta guarda en sus hojas.",
      "La ____ transforma la luz del sol en energía química que la planta guarda en sus hojas.",
    ],
    [
      "Russian",
      "**Фотосинтез** превращает свет солнца в химическую энергию, которую растение хранит в своих листьях.",
      "____ превращает свет солнца в химическую энергию, которую растение хранит в своих листьях.",
    ],
  ])("%s is unchanged except for the blank", (_, text, question) => {
    const events = eventsFor(text);
    expect(notices(events)).toEqual(["only_emphasised_terms"]);
    expect(cardsOf(events).map((c) => c.question)).toEqual([question]);
  });

  test.each([
    ["German without emphasis", german.replaceAll("*", "")],
    ["Japanese", "光合成は、植物が光のエネルギーを使って二酸化炭素と水から糖を作る反応である。酸素も放出される。"],
    ["Arabic", "عملية التمثيل الضوئي هي عملية تحول فيها النباتات طاقة الضوء إلى طاقة كيميائية مخزنة."],
    ["numbers", "1 2 3 4 5 6 7 8 9 10"],
    ["one word", "Photosynthesis"],
    [
      "a table of numbers",
      "year | rain | sun\n".concat(
        Array.from({ length: 200 }, (_, i) => `${1800 + i} | ${i * 7} | ${i * 3}`).join("\n"),
      ),
    ],
    ["emoji", "😀😃😄 ".repeat(200)],
    ["nothing", ""],
  ])("%s yields no card and a notice", (_, text) => {
    const events = eventsFor(text);
    expect(cardsOf(events)).toEqual([]);
    expect(notices(events)).toEqual(["language_not_supported"]);
  });

  test("no English question is made from text in another language", () => {
    expect(notices(eventsFor(LIGHTHOUSE, { language: "French" }))).toContain("not_translated");
    expect(notices(eventsFor(LIGHTHOUSE, { language: "English" }))).not.toContain("not_translated");
  });
});

describe("hostile input terminates in time", () => {
  test.each([
    ["three megabytes of one line", "the tower of the keeper is a tower ".repeat(90_000)],
    ["one endless sentence with commas", "the tower, ".repeat(90_000)],
    ["brackets", "((((the tower".repeat(60_000)],
    ["spaces and stops", "the . ".repeat(150_000)],
    ["one word", "a".repeat(1_000_000)],
    ["many paragraphs", "The tower holds a lamp that burns oil at night.\n\n".repeat(2_000)],
    ["bold everywhere", "**the tower** is **the lamp** of ".repeat(20_000)],
    ["lone surrogates", "the \uD800 tower \uDFFF is ".repeat(20_000)],
  ])(
    "%s",
    (_, text) => {
      // Processor time, so that other work on the machine does not count.
      const before = process.cpuUsage();
      eventsFor(text, { density: "VERY_HIGH" });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(6_000);
    },
    60_000,
  );
});

test("part of a name isn't explained by the whole name's explanation", () => {
  const text =
    "A **horn** warns ships in fog.\n\nThe keepers test the steam horn, a loud machine that needs a boiler, on every Monday.";
  expect(everyFace(text).filter((f) => f.includes("→ A loud machine"))).toEqual([]);
});
