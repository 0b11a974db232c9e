import { expect, test } from "vitest";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { isAskable, isAnswerableFromMemory } from "#shared/podcasts/script/host/questions.ts";
import { samplePassages } from "#shared/podcasts/script/sample-passages.ts";
import { type ChosenSection, joinChapters } from "#shared/podcasts/script/choose.ts";
import { estimateMs } from "#shared/podcasts/script/script-line.ts";
import { type Script, writeScript } from "#shared/podcasts/script/write-script.ts";
import { replaceLine } from "#shared/podcasts/script/dialogue.ts";
import { LENGTHS_MINUTES } from "#shared/podcasts/schema.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { aTextbook } from "./textbook.ts";

const msPerChar = { host: 68, guest: 65 };

interface ReadText {
  passages: Passage[];
  cards: EngineCard[];
}

/** Cached, because most tests write scripts from one textbook, whose cards take longer than the script. */
const readTexts = new Map<string, ReadText>();

function readText(text: string): ReadText {
  const known = readTexts.get(text);
  if (known) return known;
  const passages = passagesFromText(text);
  const cards: EngineCard[] = [];
  for (const event of generateCards(passages, { density: "MEDIUM" })) if (event.type === "card") cards.push(event.card);
  readTexts.set(text, { passages, cards });
  return { passages, cards };
}

function scriptOf(text: string, lengthMinutes: number, hasBreaks = true) {
  const { passages, cards } = readText(text);
  const source = {
    title: "Cells.pdf",
    passages,
    cards,
    cite: (_: unknown, quote: string) => `pdf_citation:c:1:${quote}`,
  };
  const options = { lengthMinutes, hasBreaks, title: "Cells", guestName: "Maya", hostName: "Noah", msPerChar };
  return { passages, script: writeScript([source], options) };
}

const guestLines = ({ lines }: Script) => lines.filter(({ speaker }) => speaker === "guest");

test.each(LENGTHS_MINUTES)("an episode of %i minutes is planned within 10 percent of its length", (minutes) => {
  const { script } = scriptOf(aTextbook(), minutes);
  expect(Math.abs(estimateMs(script.lines, msPerChar) / (minutes * 60_000) - 1)).toBeLessThan(0.1);
  expect(script.isShort).toBe(false);
});

test("every line of the guest is in the source, word for word, with its citation", () => {
  const { script, passages } = scriptOf(aTextbook(), 10);
  expect(guestLines(script).length).toBeGreaterThan(20);
  for (const { text, citation } of guestLines(script)) {
    expect(findExactQuote(passages, text)).toBeDefined();
    expect(citation).toContain(text);
  }
  const recap = script.chapters.length - 1;
  const first = guestLines(script).filter(({ chapter }) => chapter !== recap);
  expect(new Set(first.map(({ text }) => text)).size).toBe(first.length);
});

test("the host only speaks questions of the cards, prompts and titles", () => {
  const { script, passages } = scriptOf(aTextbook(), 10);
  for (const { text, speaker, citation } of script.lines)
    if (speaker === "host") {
      expect(citation).toBeNull();
      expect(text.split(" ").length < 7 || findExactQuote(passages, text) === undefined).toBe(true);
    }
});

test("chapters follow the headings, each with time to answer, and the end repeats the terms", () => {
  const { script } = scriptOf(aTextbook(), 10);
  expect(script.chapters.length).toBeGreaterThanOrEqual(3);
  expect(script.chapters.length).toBeLessThanOrEqual(8);
  expect(script.chapters.at(-1)?.title).toBe("What to remember");
  expect(script.lines.filter(({ pauseMs }) => pauseMs >= 3000).length).toBeGreaterThanOrEqual(3);
  expect(script.lines.map(({ chapter }) => chapter)).toEqual(
    script.lines.map(({ chapter }) => chapter).toSorted((a, b) => a - b),
  );
});

test("the recap asks three questions about what was heard, leaves time to answer, and repeats the sentence", () => {
  const { script } = scriptOf(aTextbook(), 10);
  const recap = script.lines.filter(({ chapter }) => chapter === script.chapters.length - 1);
  const earlier = new Set(
    guestLines(script)
      .filter(({ chapter }) => chapter < script.chapters.length - 1)
      .map(({ text }) => text),
  );
  const [, ...round] = recap.slice(0, -1);
  expect(round).toHaveLength(6);
  for (const [index, { speaker, text, pauseMs }] of round.entries()) {
    expect(speaker).toBe(index % 2 === 0 ? "host" : "guest");
    if (speaker === "host") expect(pauseMs).toBeGreaterThan(0);
    else expect(earlier).toContain(text);
  }
});

test("without breaks there is no silence", () => {
  const { script } = scriptOf(aTextbook(), 5, false);
  expect(script.lines.every(({ pauseMs }) => pauseMs === 0)).toBe(true);
});

test("a source with little text gives a shorter episode with a notice", () => {
  const { script } = scriptOf("# Cells\n\nA cell is the smallest unit of life that can reproduce by itself.\n", 10);
  expect(script.isShort).toBe(true);
  expect(guestLines(script)).toHaveLength(1);
});

test("a source without a sentence gives no line", () => {
  expect(scriptOf("# Cells\n\n12 34 56\n", 5).script.lines).toEqual([]);
});

const SECTIONS = ["Leaves", "Roots", "Stems", "Flowers", "Seeds", "Fruits", "Buds"];

/** A source on plants: each section has its own facts about water, light and growth. */
const aPlantBook = (extra: Record<string, string> = {}) =>
  SECTIONS.map((name, at) => {
    const lower = name.toLowerCase();
    const facts = [
      `The ${lower} of a plant take part in its growth from the first week on.`,
      `Without water, the ${lower} of a plant stop their growth within ${at + 2} days.`,
      `More light lets the ${lower} of most plants become stronger before winter.`,
    ];
    return `## ${name}\n\n${[...facts, extra[name] ?? ""].join(" ")}\n`;
  }).join("\n");

const spokenBy = (text: string) => guestLines(scriptOf(text, 10).script).map((line) => line.text);

test("of two sentences that say the same in almost the same words, one is spoken", () => {
  const first = "Although dense methods do better than sparse methods in general, their results differ in quality.";
  const again =
    "Although dense methods do better than sparse methods in general, their results actually differ in quality.";
  const spoken = spokenBy(aPlantBook({ Roots: first, Seeds: again }));
  expect(spoken.filter((text) => text === first || text === again)).toHaveLength(1);
});

test("a sentence whose words occur nowhere else in a long source is an example of something else, and is left out", () => {
  const stray = "Cycling is represented on the Isle of Man by a national association.";
  const atHome = "Deserts have plants whose roots find water at night.";
  const spoken = spokenBy(aPlantBook({ Stems: `${stray} ${atHome}` }));
  expect(spoken).toContain(atHome);
  expect(spoken).not.toContain(stray);
});

test("filler words before a sentence of a talk are not spoken", () => {
  const sentences = [
    "So a root takes up water and salts from the soil.",
    "And so, well, a stem carries the water to all leaves.",
  ];
  const passages = sentences.map((text, index): Passage => {
    const locator = { startMs: index * 5000, endMs: index * 5000 + 4000 };
    return { id: `${index}`, text, kind: "paragraph", bold: [], italic: [], locator };
  });
  const talk = { title: "Talk.mp4", passages, cards: [], cite: (_: unknown, quote: string) => quote };
  const script = writeScript([talk], { ...options, hasBreaks: false });
  const spoken = guestLines(script).map(({ text }) => text);
  expect(spoken).toEqual(["A root takes up water and salts from the soil.", "A stem carries the water to all leaves."]);
  expect(spoken.every((text) => findExactQuote(passages, text) !== undefined)).toBe(true);
});

/** A part of an episode under a heading. */
const aPart = (title: string, costMs: number): ChosenSection => ({
  section: { title, path: [], source: 0, runs: [] },
  chosen: [],
  costMs,
});

test.each([
  ["NQ TriviaQA WQ TREC SQuAD", "Root Growth"],
  ["Key Concepts and Summary", "Root Growth"],
  ["Bark and Wood", "Bark and Wood"],
])("a chapter is named neither by a row of labels nor by a heading that any book has: %s", (heading, title) => {
  const chapters = joinChapters([aPart("Leaves", 120_000), aPart(heading, 30_000), aPart("Root Growth", 10_000)]);
  expect(chapters.map((chapter) => chapter.title)).toEqual(["Leaves", title]);
});

test.each([
  ["What does the use of dense vectors have?", "The use of dense vectors has a long history."],
  ["What does typically creep up with inflation?", "Wages do typically creep up with inflation."],
  ["What are services combined into?", "Prices of goods and services are combined into a price level."],
  ["What intended to feed the family withered?", "Crops intended to feed the family withered and died."],
  ["What is drugs that raise the activity?", "Stimulants are drugs that raise the activity of neurons."],
  ["What is mixed modeling?", "Mixed modeling is an extremely useful but slow technique."],
  ["What is levels of processing?", "Levels of processing is a model of memory."],
  ["What would look to the next president?", "Americans would look to the next president for a solution."],
  ["What recalled hearing the word even?", "Participants recalled hearing the word even though nobody had spoken."],
  ["What presents seven memory errors?", "Schacter presents seven memory errors that lead to forgetting."],
  ["What is a pigment?", "Embedded in the membrane is chlorophyll, a pigment responsible for the first step."],
  [
    "Why are witnesses misled due to suggestibility?",
    "Because memory is fragile, witnesses are misled due to suggestibility.",
  ],
  ["What happens when an index is calculated?", "When an index is calculated, the first task is to choose a basket."],
])("a question that lost a part of its sentence is not asked: %s", (question, sentence) => {
  expect(isAskable(question, sentence)).toBe(false);
});

test("a question whose answer is about something else is not asked", () => {
  const question = "Why does each differentiated B cell in the human body have a unique variable chain?";
  expect(isAskable(question, "Recombination and splicing may result in over a million combinations.")).toBe(false);
});

const options = { lengthMinutes: 5, hasBreaks: true, title: "Plants", guestName: "Maya", hostName: "Noah", msPerChar };

/** The lines of guest and host about a text, without the recap. */
function spokenOf(text: string) {
  const passages = passagesFromText(text);
  const script = writeScript([{ title: "Plants.md", passages, cards: [], cite: (_, quote) => quote }], options);
  const recap = script.chapters.findIndex(({ title }) => title === "What to remember");
  return script.lines.filter(({ chapter }) => recap === -1 || chapter < recap);
}

const FILLING = SECTIONS.slice(0, 4)
  .map((name, at) => {
    const lower = name.toLowerCase();
    return `## ${name}\n\nThe ${lower} of a plant take up water for ${at + 2} weeks. They lose it again in a dry ${lower} season. Warm rain returns it to the ${lower} before winter.\n`;
  })
  .join("\n");

const guestOf = (text: string) =>
  spokenOf(`${text}\n${FILLING}`).flatMap((line) => (line.speaker === "guest" ? [line.text] : []));

test("a sentence that needs the one before it is spoken right after that one, and not without it", () => {
  const lines = guestOf(
    "## Bark\n\nThe bark of a tree keeps water in the wood. It also keeps most insects out. In Figure 3 an insect digs in the bark. It then lays eggs in the wood.\n",
  );
  const at = lines.indexOf("The bark of a tree keeps water in the wood.");
  expect(lines[at + 1]).toBe("It also keeps most insects out.");
  expect(lines.join(" ")).not.toMatch(/Figure 3|lays eggs/);
});

test("if the beginning of an example is left out, so is the rest of the example", () => {
  const text = guestOf(
    "## Bark\n\nConsider a tree without bark. A storm takes all of its leaves in one night. Insects eat the wood of the tree.\n",
  ).join(" ");
  expect(text).not.toMatch(/storm|Insects eat/);
});

test("a sentence that announces more is spoken only with what follows it", () => {
  const opening = "The bark of a tree keeps water in the wood.";
  const kinds = "There are two kinds of bark: inner bark and outer bark.";
  expect(guestOf(`## Bark\n\n${opening} ${kinds}\n`)).not.toContain(kinds);
  const followed = guestOf(`## Bark\n\n${opening} ${kinds} Inner bark carries sugar, and outer bark is dead.\n`);
  expect(followed.indexOf("Inner bark carries sugar, and outer bark is dead.") - followed.indexOf(kinds)).toBe(1);
});

test("a sentence about a part of something that was not spoken is left out", () => {
  const text = guestOf(
    "## Bark\n\nFigure 2 lists all seeds that a tree lost in one autumn. Deer and mice live in the wood near by. Most of the seeds were eaten by mice before the winter.\n",
  ).join(" ");
  expect(text).not.toContain("Most of the seeds");
});

test("a short sentence is spoken after another, not alone", () => {
  const [long, short] = ["The rings of a tree show its age.", "They also show droughts."];
  expect(guestOf(`## Rings\n\n${long} ${short}\n`)).toContain(short);
  expect(guestOf(`## Rings\n\n${short}\n`)).not.toContain(short);
});

test("the host speaks a question that the source asks and answers", () => {
  const question = "How do the roots of a tree find water?";
  const lines = spokenOf(`## Roots\n\n${question} The roots of a tree grow towards damp soil.\n${FILLING}`);
  const at = lines.findIndex(({ text }) => text === question);
  expect(lines[at]).toMatchObject({ speaker: "host", pauseMs: 0, citation: null });
  expect(lines[at + 1]?.text).toBe("The roots of a tree grow towards damp soil.");
});

test("references to works and figures are not spoken, but stay in the text of the line", () => {
  const sentence = "The bark of a tree keeps water in the wood (Berg et al., 2011; Figure 3).";
  const line = spokenOf(`## Bark\n\n${sentence}\n${FILLING}`).find(({ text }) => text === sentence);
  expect(line?.spoken).toBe("The bark of a tree keeps water in the wood.");
});

test("a story about a person is spoken completely or not at all", () => {
  const story =
    "Anna Berg found a seed in an old garden. She planted it in the soil of her yard. She gave it water for two weeks. The seed became a tree with red fruits.";
  expect(guestOf(`## A Seed\n\n${story}\n`).join(" ")).toContain(story);
  const scene = "In the summer of 2005, Anna Berg found a seed. It lay in the soil of a garden. In Figure 2 it is dry.";
  expect(guestOf(`## A Seed\n\n${scene}\n`).join(" ")).not.toContain("Anna Berg");
  const cut = guestOf(`## A Seed\n\n${story} Table 2 lists the fruits of her tree and of two others.\n`).join(" ");
  expect(cut).not.toMatch(/Anna Berg|her yard/);
});

test("a short form is spoken only after its long form", () => {
  const lines = guestOf(
    "## Growth\n\nEach leaf has an LGR of two weeks in summer. More water raises the LGR of a leaf in spring.\n\n## Rates\n\nThe leaf growth rate (LGR) of a plant depends on water. A dry soil lowers the LGR of its leaves.\n",
  );
  const first = lines.findIndex((line) => line.includes("LGR"));
  expect(lines[first]).toContain("leaf growth rate (LGR)");
});

test("a short form that only a sentence about a figure spells out is spoken in full", () => {
  const shown = "Figure 3 shows the leaf growth rate (LGR) of a plant.";
  const used = "A dry soil lowers the LGR of a leaf in summer.";
  const line = spokenOf(`## Growth\n\n${shown}\n\n## Rates\n\n${used}\n${FILLING}`).find(({ text }) => text === used);
  expect(line?.spoken).toBe("A dry soil lowers the leaf growth rate of a leaf in summer.");
});

test("the article before a short form fits the words in which it is spoken", () => {
  const shown = "Figure 3 shows a recurrent neural network (RNN) of a language.";
  const used = "The words of a text are what an RNN learns in a week.";
  const line = spokenOf(`## Networks\n\n${shown}\n\n## Words\n\n${used}\n${FILLING}`).find(({ text }) => text === used);
  expect(line?.spoken).toBe("The words of a text are what a recurrent neural network learns in a week.");
});

test("a sentence is not removed because of a short form that no spoken sentence spells out", () => {
  const cited = "Figure 3 shows that the leaf growth rate (LGR) of a plant depends on water.";
  const used = "A dry soil lowers the LGR of a leaf in summer. More water raises the LGR of a leaf in spring.";
  expect(spokenBy(`## Growth\n\n${cited} ${used}\n`).join(" ")).toContain(used);
  const late = "The leaf growth rate (LGR) of a plant depends on water.";
  expect(spokenBy(`## Growth\n\n${used} ${late}\n`)).not.toEqual([]);
});

test("sections whose titles only look like a box or a summary are read, and so is the text under them", () => {
  const parts = ["## TCP Connections", "## Concepts", "### Threads", "## Summary", "### Queues"].map((heading) => {
    const name = heading.replace(/^#+ /u, "").toLowerCase();
    return `${heading}\n\nThe ${name} of a plant turn water into seeds. They do so for two weeks.\n`;
  });
  const text = guestOf(parts.join("\n")).join(" ");
  for (const name of ["tcp connections", "concepts", "threads", "queues"]) expect(text).toContain(`The ${name} of`);
  expect(text).not.toContain("The summary of");
});

/** Matches a line in which the host announces a chapter or names the next heading. */
const TOPIC_LINE = /(?:[:,]|\b(?:to|about|is)) ([^:;,]+)[.?]$/u;

test.each(["CELL WALL", "THE CELL", "Bark"])("a short section has its own heading: %s", (heading) => {
  const lines = spokenOf(`${FILLING}\n## ${heading}\n\nThe bark of a tree keeps water in the wood.\n`);
  const at = lines.findIndex(({ text }) => text.startsWith("The bark of a tree"));
  const host = lines.slice(0, at).findLast(({ speaker, text }) => speaker === "host" && TOPIC_LINE.test(text));
  expect(host && TOPIC_LINE.exec(host.text)?.[1]?.toLowerCase()).toBe(heading.toLowerCase());
});

const faulty = (id: string) => ({ speaker: "guest" as const, text: "In 1492 bark was new.", id });

test("a faulty line is replaced by its sentence only if the sentence can be understood there", () => {
  const frame = { spoken: "", citation: "", run: 1, minSentences: 2, topic: "", score: 1 };
  const sentences = [
    { ...frame, sentence: "The bark keeps water in the wood.", isRunStart: true },
    { ...frame, sentence: "It also keeps most insects out.", isRunStart: false },
  ];
  const material = { title: "Bark", sentences, openingLineCount: 1, closingLineCount: 0 };
  expect(replaceLine(faulty("2"), material, [])).toBeUndefined();
  const first = replaceLine(faulty("1"), material, []);
  expect(first?.text).toBe("The bark keeps water in the wood.");
  expect(replaceLine(faulty("2"), material, first ? [first] : [])?.text).toBe("It also keeps most insects out.");
});

const opening = (name: string) => `${name} is a language for work with plants and water.`;

test("the recap asks about the beginning of each chapter, and names keep their capitals", () => {
  const parts = ["Python", "Kotlin", "Haskell"].map(
    (name, at) =>
      `## ${name}\n\n${opening(name)} Many gardens use ${name} to count leaves for ${at + 2} weeks. Every old root in a ${name} garden is found by its number.\n`,
  );
  const passages = passagesFromText(parts.join("\n"));
  const script = writeScript([{ title: "Plants.md", passages, cards: [], cite: (_, quote) => quote }], options);
  const recap = script.lines.filter(({ chapter }) => chapter === script.chapters.length - 1);
  expect(recap.flatMap(({ speaker, text }) => (speaker === "guest" ? [text] : []))).toEqual(
    ["Python", "Kotlin", "Haskell"].map(opening),
  );
  expect(recap.map(({ text }) => text)).toContain("What is Python?");
});

test("the last line says goodbye and names the chapters", () => {
  const { script } = scriptOf(aTextbook(), 10);
  const last = script.lines.at(-1);
  expect(last?.speaker).toBe("host");
  expect(last?.text).toMatch(/goodbye\.$/);
  for (const { title } of script.chapters.slice(0, -1)) expect(last?.text).toContain(title);
});

test("summaries, boxes, references and the appendix behind them are not read", () => {
  const parts = ["Summary", "Career Connection", "References", "A Proofs of the Growth"].map(
    (title) =>
      `## ${title}\n\nThe ${title.toLowerCase()} of a plant turn water into seeds. They do so for two weeks.\n`,
  );
  const lines = spokenOf(`${FILLING}\n${parts.join("\n")}`).map(({ text }) => text);
  expect(lines.join(" ")).not.toMatch(/summary|career|references|proofs/i);
});

test("the host announces the chapters at the beginning if most of them have a meaningful heading", () => {
  const { script } = scriptOf(aTextbook(), 10);
  const contents = script.lines.find(({ text }) => text.startsWith("This is what you will hear"));
  for (const { title } of script.chapters.slice(0, -1)) expect(contents?.text).toContain(title);
  const parts = ["Abstract", "Introduction", "Results"].map(
    (title) =>
      `## ${title}\n\nThe ${title.toLowerCase()} of a plant turn water into seeds for weeks. They do so in a dry ${title.toLowerCase()} season.\n`,
  );
  expect(
    spokenOf(parts.join("\n"))
      .map(({ text }) => text)
      .join(" "),
  ).not.toContain("what you will hear");
});

test("the methods of a paper are left out if its findings fill the episode", () => {
  const plants =
    "oak fern moss rose palm pine lily wheat maize bean hop yew ivy fig kale leek mint sage thyme dill".split(" ");
  const places = "valley harbour desert island meadow marsh canyon forest garden swamp".split(" ");
  const say = (word: string) =>
    plants
      .flatMap((plant, at) => [
        `The ${word} of the ${plant} store water from the ${places[at % 10] ?? ""} of its ${plants[(at + 7) % 20] ?? ""} neighbours.`,
        `They lose it when the ${places[(at + 3) % 10] ?? ""} dries and the ${plants[(at + 11) % 20] ?? ""} dies.`,
      ])
      .join(" ");
  const parts = [
    ["Abstract", "leaves"],
    ["Introduction", "roots"],
    ["Data Sets", "stems"],
    ["Results", "buds"],
  ];
  const lines = spokenOf(parts.map(([title, word]) => `## ${title}\n\n${say(word ?? "")}\n`).join("\n"));
  const text = lines.map((line) => line.text).join(" ");
  expect(text).toContain("The buds of");
  expect(text).not.toContain("The stems of");
});

test("the host names a heading before the guest reads the text under it", () => {
  let topic = "";
  for (const { speaker, text } of spokenOf(FILLING)) {
    const named = SECTIONS.find((name) => TOPIC_LINE.exec(text)?.[1] === name);
    if (speaker === "host" && named) topic = named;
    const own = SECTIONS.find((name) => text.startsWith(`The ${name.toLowerCase()} of`));
    if (own) expect(own).toBe(topic);
  }
  expect(topic).not.toBe("");
});

test("an episode without questions from cards also has a recap", () => {
  const passages = passagesFromText(FILLING);
  const script = writeScript([{ title: "Plants.md", passages, cards: [], cite: (_, quote) => quote }], options);
  expect(script.chapters.at(-1)?.title).toBe("What to remember");
  const recap = script.lines.filter(({ chapter }) => chapter === script.chapters.length - 1);
  expect(recap.filter(({ speaker, pauseMs }) => speaker === "host" && pauseMs === 3000)).toHaveLength(3);
});

test.each([
  "What is a macrophage?",
  "What are natural killer cells?",
  "Why does a leaf look green?",
  "What happens when pathogens enter the body?",
  "What does semantic encoding involve?",
  "Where are the stomata typically located?",
])("there is time to answer a question that a listener who knows the subject can answer: %s", (question) => {
  expect(isAnswerableFromMemory(question)).toBe(true);
});

test.each([
  "In the summer of 2005, what did detective Mark Holste follow?",
  "What did buyers purchase?",
  "Who began to lay off workers?",
  "What carried Danielle out of the home?",
  "What was a favorite of the director?",
  "What does MIPS stand for?",
  "What is photosynthesis essential to?",
  "How is the missing electron of P680 replaced?",
])("there is no time to answer a question that only the source answers: %s", (question) => {
  expect(isAnswerableFromMemory(question)).toBe(false);
});

test("a source of 900 pages is sampled from its beginning to its end, in whole blocks", () => {
  const passages = Array.from({ length: 900 * 14 }, (_, at): Passage => {
    const kind = at % 28 === 0 ? "heading" : "paragraph";
    return { id: `${at}`, text: `Text ${at}`, kind, bold: [], italic: [], locator: { page: Math.floor(at / 14) + 1 } };
  });
  const [read, longer] = [samplePassages(passages, 10), samplePassages(passages, 20)];
  expect([Math.abs(read.length - 1000) < 100, Math.abs(longer.length - 2000) < 200]).toEqual([true, true]);
  const pages = read.map(({ locator }) => locator.page ?? 0);
  expect([Math.min(...pages) < 15, Math.max(...pages) > 870]).toEqual([true, true]);
  expect(read.filter(({ kind }) => kind === "heading")).toHaveLength(read.length / 28);
});

test.each([
  ["What does adding more examples improve?", "Adding more examples improves the accuracy."],
  ["Where are the stomata located?", "The stomata are located on the underside of the leaf."],
  ["What are services paid with?", "Services are paid with money."],
  ["What is wavelength?", "They measure its wavelength, the distance between two points of a wave."],
  ["What is encoding?", "It happens in a process called encoding, which takes information in."],
  [
    "What are natural killer cells?",
    "They are destroyed by natural killer (NK) cells, lymphocytes that can kill cells.",
  ],
])("a whole question is asked: %s", (question, sentence) => {
  expect(isAskable(question, sentence)).toBe(true);
});
