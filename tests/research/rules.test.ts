import { expect, test } from "vitest";
import type { EvidenceSentence } from "#shared/research/evidence/candidates.ts";
import { extendWithNeighbours } from "#shared/research/evidence/extend-with-neighbours.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { formatCanvas, listShownSections } from "#shared/research/canvas.ts";
import { hasCue, kindOfQuestion } from "#shared/research/evidence/cues.ts";
import { CopyIndex } from "#shared/research/evidence/copies.ts";
import { findDisagreements } from "#shared/research/evidence/disagreements.ts";
import { learnTerms } from "#shared/research/evidence/terms/learn-terms.ts";
import { selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import { questionTermMatchers } from "#shared/research/evidence/phrases.ts";
import { linkedQueries } from "#shared/research/evidence/linked-queries.ts";
import { orderResults } from "#shared/research/evidence/order-results.ts";
import { isReadable } from "#shared/research/evidence/readable-sentences.ts";
import { subjectWords } from "#shared/research/evidence/common-query-words.ts";
import { findInSnapshot, isSupportedBy } from "#shared/research/evidence/verify.ts";
import { decomposeQuestion } from "#shared/research/plan/decompose.ts";
import { maySearch, idleRun, snippetOf } from "#shared/research/rules.ts";
import type { CanvasSection } from "#shared/research/schema.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { researchWording } from "#shared/research/wording.ts";

const { headings } = researchWording.en;
const split = (question: string) =>
  decomposeQuestion(question, 7, headings)
    .filter(({ topic }) => topic === null)
    .map(({ heading }) => heading);

test.each([
  ["What is osmosis and how does it move water?", ["What is osmosis?", "How does it move water?"]],
  ["Mitosis versus meiosis", ["Mitosis versus meiosis", "Mitosis", "Meiosis"]],
  [
    "If the genetic code is universal, why do mitochondria read UGA differently?",
    ["The genetic code is universal", "Why do mitochondria read UGA differently?"],
  ],
  [
    "What do mitochondria do and how do they differ from chloroplasts?",
    ["What do mitochondria do?", "How do they differ from chloroplasts?"],
  ],
  // A first part without a noun is about what the next part names.
  ["Who gains and who loses from inflation?", ["Who gains and who loses from inflation?"]],
  [
    "What is the difference between mitosis and meiosis, and why do cells divide?",
    ["What is the difference between mitosis and meiosis?", "Mitosis", "Meiosis", "Why do cells divide?"],
  ],
  ["Why do enzymes lower the activation energy?", ["Why do enzymes lower the activation energy?"]],
])("%s is split into what it asks", (question, parts) => {
  expect(split(question)).toEqual(parts);
});

test.each([
  ["The cell contains 46 chromosomes.", "A human cell contains 46 chromosomes in its nucleus.", true],
  ["The cell contains 48 chromosomes.", "A human cell contains 46 chromosomes in its nucleus.", false],
  ["Watson described the helix.", "Crick described the helix in a letter.", false],
  ["The enzyme does not bind oxygen.", "The enzyme binds oxygen.", false],
  ["Glaciers carve valleys in the mountains.", "A human cell contains 46 chromosomes.", false],
  ["The ice carves deep valleys in the mountains.", "A human cell contains 46 chromosomes.", false],
  // Figures: in words or digits, with their scale and unit.
  ["The heart has five chambers.", "The human heart has four chambers.", false],
  ["The heart has 4 chambers.", "The human heart has four chambers.", true],
  ["The heart has one chamber.", "The human heart has four chambers.", false],
  ["The heart has twenty valves.", "The human heart has thirty valves.", false],
  ["The Earth formed 5 billion years ago.", "The Earth formed 5 million years ago.", false],
  ["The town has 5,000,000 inhabitants.", "The town has 5 million inhabitants.", true],
  ["The tablet contains 5 g of iodine.", "The tablet contains 5 mg of iodine.", false],
  ["The tablet contains 5 ml of iodine.", "The tablet contains 5 mg of iodine.", false],
  ["The tablet contains 5 mg of iodine.", "Each tablet contains 5 mg of iodine and 2 g of salt.", true],
  ["The ant has four legs.", "The ant has four eyes and six legs.", false],
  ["The ant has six legs.", "The ant has four eyes and six very thin legs.", true],
  ["The test costs 20 % of the budget.", "The test costs 20 € of the budget.", false],
  ["Half of the cells divide.", "A quarter of the cells divide.", false],
  ["Up to 40 cells divide.", "More than 40 cells divide.", false],
  ["Das Herz hat fünf Kammern.", "Das Herz des Menschen hat vier Kammern.", false],
  ["The protein p21 stops the growth of the cell.", "The protein p53 stops the growth of the cell.", false],
  ["Vitamin B6 helps the liver.", "Vitamin B12 helps the liver.", false],
  ["Yeast makes alcohol without oxygen.", "Yeast makes alcohol with oxygen.", false],
  ["Birds with short wings can fly.", "Not all birds with short wings can fly.", false],
  // Opposites.
  ["The hormone raises the blood sugar.", "The hormone lowers the blood sugar.", false],
  ["The hormone raises the blood sugar.", "The hormone lowers the blood sugar, and it lowers the pulse.", false],
  ["The hormone lowers the blood sugar.", "The hormone lowers the blood sugar and raises the pulse.", true],
  ["Der Stoff erhöht den Blutdruck.", "Der Stoff senkt den Blutdruck.", false],
  ["The enzyme is inactive in the cold.", "The enzyme is active in the cold.", false],
  ["Sound is faster in air than in water.", "Sound is faster in water than in air.", false],
  // Names are whole words.
  ["Ann described the annual rings of trees.", "Trees have annual rings, described in a letter.", false],
  ["Darwin described the annual rings.", "Darwin’s letter described the annual rings.", true],
])("“%s” from “%s”: %s", (sentence, quote, isSupported) => {
  expect(isSupportedBy(sentence, quote)).toBe(isSupported);
});

test("sources disagree by figures, denial and opposed words; one source does not disagree with itself", () => {
  const pairs = [
    ["The human genome has 20,000 genes in total.", "The human genome has 100,000 genes in total.", "figures"],
    ["Viruses are living organisms with cells.", "Viruses are not living organisms with cells.", "negation"],
    [
      "Caffeine increases the blood pressure of adults.",
      "Caffeine decreases the blood pressure of adults.",
      "opposites",
    ],
  ] as const;
  for (const [first, second, kind] of pairs) {
    const statements = [
      { text: first, source: 1 },
      { text: second, source: 2 },
    ];
    expect(findDisagreements(statements).map((pair) => pair.kind)).toEqual([kind]);
    expect(findDisagreements(statements.map((statement) => ({ ...statement, source: 1 })))).toEqual([]);
  }
  const alike = [
    { text: "The human genome has 20,000 genes in total.", source: 1 },
    { text: "In total, the human genome has 20 000 genes.", source: 2 },
  ];
  expect(findDisagreements(alike)).toEqual([]);
});

test("a text that another contains almost completely is a copy; two texts on one topic are not", () => {
  const text = "The ribosome reads messenger RNA one codon at a time and joins amino acids into a chain of protein.";
  const other = "Proteins are made at the ribosome, where a chain of amino acids grows while messenger RNA is read.";
  // A longer text that contains another is no copy of it.
  const longer = `${text} ${other} ${text.split(" ").toReversed().join(" ")}`;
  const copies = new CopyIndex();
  for (const [n, indexed] of [text, other, longer, "A text that is replaced."].entries()) copies.put(n, indexed);
  copies.put(3, `Reposted: ${text}`);
  expect([...copies.compare(0)].toSorted(([a], [b]) => a - b)).toEqual([
    [2, { isCopy: true, isOriginal: false }],
    [3, { isCopy: true, isOriginal: true }],
  ]);
  expect([...copies.compare(2)]).toContainEqual([0, { isCopy: false, isOriginal: true }]);
  expect([...copies.compare(1)]).toEqual([[2, { isCopy: true, isOriginal: false }]]);
  copies.put(3, "A text that is replaced.");
  expect(copies.compare(0).has(3)).toBe(false);
});

test("sentences that depend on others or address the reader are not quoted", () => {
  const text =
    "Finally, enzymes lower the activation energy. Recall that enzymes lower the activation energy. They lower the activation energy of enzymes. Enzymes lower the activation energy of a reaction.";
  const passages = [{ source: 1, passageId: "p", title: "", text, context: "", score: 1 }];
  const selection = {
    query: "How do enzymes lower the activation energy?",
    topic: null,
    language: "en",
    most: 5,
  } as const;
  expect(selectEvidence(passages, { ...selection, used: new Set() }).map((sentence) => sentence.text)).toEqual([
    "Enzymes lower the activation energy of a reaction.",
  ]);
});

test("the terms learned for a second round are only words, without addresses and figures", () => {
  const text = "Catalysts such as platinum (see https://evil.example/x1 or call 555) speed the reaction of platinum.";
  const learned = learnTerms([{ text }, { text: "Platinum speeds the reaction." }], "What speeds up a reaction?");
  expect(learned.every((word) => /^\p{L}+$/u.test(word))).toBe(true);
  expect(learned[0]).toBe("platinum");
});

test("no search starts after seventy per cent of the time, and none beyond the sources of the depth", () => {
  const run = { ...idleRun, depth: "quick" as const, startedAt: 0 };
  expect(maySearch(run, 83_000)).toBe(true);
  expect(maySearch(run, 84_000)).toBe(false);
  expect(maySearch({ ...run, pagesRead: 6 }, 0)).toBe(false);
});

test.each([
  ["What is osmosis?", "definition"],
  ["What is a ribosome made of?", "kinds"],
  ["How do mitosis and meiosis differ?", "comparison"],
  ["What limits photosynthesis?", "limits"],
  ["How many chromosomes does a cell have?", "figures"],
  ["Why do enzymes lower the activation energy?", "workings"],
  ["Did Mendel grow peas?", null],
])("%s asks for: %s", (question, kind) => {
  expect(kindOfQuestion(question)).toBe(kind);
});

test.each([
  ["Enzymes are proteins that speed up reactions.", "enzyme", true],
  ["The molecules that catalyze reactions are called enzymes.", "enzyme", true],
  ["The shape of enzymes is a matter of folding.", "enzyme", false],
  ["Enzymes are found in every cell.", "enzyme", false],
  ["If the supply is a large one, the enzyme stops.", "enzyme", false],
  ["Enzymes are crucial for the cell.", "enzyme", false],
  ["Perfect fungi reproduce sexually, while the so-called imperfect fungi do not.", "fungi", false],
  ["Fungi are easily recognizable under a light microscope.", "fungi", false],
  ["Fungi are heterotrophic organisms that absorb their food.", "fungi", true],
])("“%s” says what %s is: %s", (text, term, isDefinition) => {
  expect(hasCue(text, "definition", questionTermMatchers(searchTerms(term), []))).toBe(isDefinition);
});

test.each([
  ["The battery cannot be charged below 4 degrees.", true],
  ["The engineer drew the bridge on a tide table.", true],
  ["The values of the reaction are given in the table.", false],
  ["The reaction of the enzyme is shown below.", false],
  ["Many visitors ask about the bridge when they come here.", false],
  ["(Early cells did not produce free oxygen from water).", false],
  ["Indeed, the mushroom is a structure for reproduction.", false],
  ["As a result, infected people often suffer from infections.", false],
  ["Pathways of MetabolismThe processes of metabolism consist of several pathways.", false],
  ["One example is the glucose that is broken down in the cell.", false],
  ["LinkedIn is a network of people who work.", true],
  ["It binds again in x = 4. the figure summarizes the properties of immunoglobulins.", false],
])("“%s” can be quoted by itself: %s", (text, readable) => {
  expect(isReadable(text, "en")).toBe(readable);
});

test.each([
  ["The polymerase adds 50 nucleotides in a second.", true],
  ["The theory was published in 1859.", true],
  ["The cap is a 7-methylguanosine at the 5' end.", false],
  ["The cycle fixes CO2 in the dark.", false],
])("“%s” gives a figure: %s", (text, isFigure) => {
  expect(hasCue(text, "figures", [])).toBe(isFigure);
});

test("a phrase of the question is searched for as a whole if the sources contain it", () => {
  const texts = [
    "Crossing over is the exchange of segments between two chromosomes.",
    "Chiasmata show where crossing over has occurred in the chromosomes.",
    "Cross reactivity is the binding of an antibody to an antigen that did not cause it.",
    "Thermodynamics is the study of energy and of matter in a system.",
  ];
  const passages = texts.map((text, at) => ({ source: at, passageId: "p", title: "", text, context: "", score: 1 }));
  const selection = { language: "en", most: 5, used: new Set<string>() } as const;
  const select = (query: string, topic: "definition" | "more" | null) =>
    selectEvidence(passages, { ...selection, query, topic }).map(({ source }) => source);
  expect(select("What is crossing over?", null)).toEqual([0]);
  const whole = "What is crossing over and why does it matter?";
  expect(select(whole, "definition")).toEqual([0]);
  expect(new Set(select(whole, "more"))).toEqual(new Set([0, 1]));
});

test.each([
  ["Fungi reproduce asexually by fragmentation of the hyphae.", true],
  ["The molecules are joined by removing water.", true],
  ["The defences of the body can be defeated by pathogens.", false],
])("“%s” says how something works: %s", (text, isWorkings) => {
  expect(hasCue(text, "workings", [])).toBe(isWorkings);
});

test("if the question asks for the role of one thing, the role of another is not quoted", () => {
  const texts = [
    "Ribosomes make proteins from the messenger RNA of the cell.",
    "The cristae and the matrix have different roles in respiration.",
  ];
  const passages = texts.map((text, at) => ({ source: at, passageId: "p", title: "", text, context: "", score: 1 }));
  const selection = { language: "en", most: 5, used: new Set<string>(), topic: null } as const;
  const picked = selectEvidence(passages, { ...selection, query: "What is the role of ribosomes?" });
  expect(picked.map(({ source }) => source)).toEqual([0]);
});

test("a sentence with all that is asked for is quoted, even if another one looks more like an answer", () => {
  const texts = [
    "Fungi reproduce by producing spores in the spring of 1 year.",
    "In harsh weather some fungi also reproduce sexually with partners.",
  ];
  const passages = texts.map((text, at) => ({
    source: at,
    passageId: "p",
    title: "",
    text,
    context: "",
    score: 1 - at,
  }));
  const selection = { language: "en", most: 5, used: new Set<string>(), topic: null } as const;
  const picked = selectEvidence(passages, { ...selection, query: "How do fungi reproduce?" });
  expect(picked.map(({ source }) => source)).toEqual([0, 1]);
});

test("a sentence that names one of two compared things compares nothing", () => {
  const named = questionTermMatchers(searchTerms("mitosis meiosis"), []);
  expect(hasCue("Mitosis makes the same cells, whereas meiosis makes different ones.", "comparison", named)).toBe(true);
  expect(hasCue("The phases of mitosis have different lengths.", "comparison", named)).toBe(false);
});

test.each([
  ["How do enzymes lower the activation energy, and what limits them?", ["definition", "kinds", "figures"]],
  ["What is osmosis?", ["workings", "kinds", "figures", "limits"]],
  ["Did Mendel grow peas?", ["definition", "workings", "kinds", "figures", "limits"]],
])("“%s” gets standard headings for what it does not ask: %s", (question, topics) => {
  const tasks = decomposeQuestion(question, 7, headings).flatMap(({ topic }) => topic ?? []);
  expect(tasks).toEqual([...topics, "more"]);
});

test.each([
  ["How do enzymes lower the activation energy, and what limits them?", "what limits them? enzymes"],
  ["What is the immune response to a virus, and how does it end?", "how does it end? immune response to a virus"],
  ["How do bacteria start transcription, and how do they stop it?", "how do they stop it? bacteria transcription"],
])("a pronoun in “%s” refers to its subject: %s", (question, query) => {
  expect(decomposeQuestion(question, 7, headings)[1]?.query).toBe(query);
});

const select = (query: string, texts: readonly string[], more: Partial<Parameters<typeof selectEvidence>[1]> = {}) =>
  selectEvidence(
    texts.map((text, at) => ({ source: at + 1, passageId: "p", title: "", text, context: "", score: 1 })),
    { query, topic: null, language: "en", most: 5, used: new Set(), ...more },
  ).map(({ text }) => text);

test("texts without a code that the question names do not answer the question", () => {
  const others = [
    "Like the mitochondria, chloroplasts read their own DNA, but they have an entirely different function.",
    "Mitochondria read the genetic code by means of their own ribosomes.",
  ];
  const question = "Why do mitochondria read UGA differently?";
  expect(select(question, others)).toEqual([]);
  const answer = "In mitochondria, UGA is read as tryptophan because their transfer RNA differs.";
  expect(select(question, [...others, answer])).toEqual([answer]);
  expect(select("WHY DO MITOCHONDRIA READ THE CODE?", others)).not.toEqual([]);
});

test("a question about the limits of a thing is answered by a sentence on that thing, not on other limits", () => {
  const lenses = "Despite the limitations of his lenses, van Leeuwenhoek observed the movements of protists.";
  const enzymes = "Enzymes work only within a narrow range of temperatures and lose their shape in great heat.";
  expect(select("what limits them? enzymes", [lenses, enzymes])).toEqual([enzymes]);
});

test("for a comparison, a sentence that compares is quoted before one that names both", () => {
  const compares = "B cells bind intact antigens, whereas T cells bind antigens that have been digested.";
  const names = "Suppressor T cells deactivate T cells and B cells when they are no longer needed.";
  expect(select("What is the difference between B cells and T cells?", [names, compares])).toEqual([compares]);
});

test("a further answer to a question must be as good as the existing ones, and say something new", () => {
  const question = "How do fungi reproduce?";
  const first = "Fungi reproduce by budding, by fragments or by making spores.";
  const second = "Fungi also reproduce by joining two hyphae, which lets their nuclei meet.";
  const same = "Most fungi reproduce by budding, by fragments or by making spores.";
  const aside = "Edible fungi are grown on straw in dark cellars.";
  const used = new Set([first]);
  expect(select(question, [first, second, same, aside], { used, isFurther: true })).toEqual([second]);
});

test("a comparison of two things gets no standard headings about the same things", () => {
  const topics = decomposeQuestion("How does mitosis differ from meiosis?", 7, headings).map(({ topic }) => topic);
  expect(topics).toEqual([null, null, null, "more"]);
});

test("a quote is stored with its last full stop and bracket", () => {
  const text = "The exchange is seen as chiasmata (singular = chiasma). It holds the homologues together.";
  const passage = { id: "p", text, page: null, heading: null, startMs: null };
  const quote = "The exchange is seen as chiasmata (singular = chiasma).";
  expect(findInSnapshot([passage], quote)?.quote).toBe(quote);
  expect(findInSnapshot([passage], "the exchange is  seen as chiasmata")?.quote).toBe(
    "The exchange is seen as chiasmata",
  );
});

test("a sentence with another meaning of a word of the question is not quoted", () => {
  const texts = [
    "Plants turn the light of the sun into sugar in their chloroplasts.",
    "When a person turns on a lamp, electrical energy heats a wire.",
    "Plants use light to make sugar from carbon dioxide.",
  ];
  const passages = texts.map((text, at) => ({ source: at, passageId: "p", title: "", text, context: "", score: 1 }));
  const query = "How do plants turn light into sugar?";
  const selection = { query, topic: null, language: "en", most: 5, used: new Set<string>() } as const;
  expect(selectEvidence(passages, selection).map(({ source }) => source)).toEqual([0, 2]);
});

test("a search result that repeats a source already read is opened after the others", () => {
  const results = [
    { title: "Moth news", snippet: "The moth is shown in the museum on Sundays." },
    { title: "Moth news again", snippet: "The moth is shown in the museum on Sundays and Mondays." },
    { title: "Moth facts", snippet: "The moth lays its eggs in salt marshes." },
  ];
  const titles = (read: string) =>
    orderResults(results, "What is the moth?", ({ title }) => title === read).map(({ title }) => title);
  expect(titles("")).toEqual(["Moth news", "Moth facts", "Moth news again"]);
  expect(titles("Moth facts")[0]).toBe("Moth facts");
  const bare = results.map((result) => ({ ...result, snippet: "" }));
  expect(orderResults(bare, "What is the moth?", () => false)).toEqual(bare);
});

test("the subject of a question is what the texts found for it share", () => {
  const question = "How does the Tessal moth find its food?";
  const texts = ["grey", "pale", "asleep", "rare", "a pest", "fond of food"].map(
    (what) => `The Tessal moth is ${what}.`,
  );
  expect(subjectWords(question, texts)).toEqual(["tessal", "moth"]);
  expect(subjectWords(question, [])).toEqual(["tessal", "moth", "find", "food"]);
});

test("names in a passage are searched for with the words of the question that the passage does not cover", () => {
  const found = { heading: "Blue Lamp (song)", text: "Blue Lamp is a song by Hank Snow. Its label was Opry Records." };
  const links = linkedQueries("Where did the performer of Blue Lamp die?", found);
  expect(links.map(({ query }) => query)).toEqual(["performer die Hank Snow", "performer die Opry Records"]);
});

const missing = (id: string, topic: "figures" | "limits" | "more"): CanvasSection => ({
  id,
  heading: headings[topic],
  topic,
  status: "not_found",
  paragraphs: [],
  disagreements: [],
});

test("findings that the student did not ask for are under one heading, which is left out if there are none", () => {
  const found = (id: string, topic: "figures" | "limits", text: string): CanvasSection => ({
    ...missing(id, topic),
    status: "written",
    paragraphs: [[{ text, cites: [1], isSupported: true, heading: "Heat" }]],
  });
  const sections = [
    { ...missing("1", "figures"), topic: null, heading: "What is gorm?", missing: ["gorm"] },
    missing("2", "figures"),
    found("3", "limits", "It melts."),
    missing("4", "more"),
    found("5", "figures", "It has 3 parts."),
  ];
  expect(listShownSections(sections).map(({ section, heading }) => [section.id, heading])).toEqual([
    ["1", "own"],
    ["3", "more"],
    ["5", "none"],
  ]);
  expect(formatCanvas(sections, "en")).toBe(
    "## What is gorm?\n\nNot found in these sources: “gorm”.\n\n## Also in the sources\n\n### Heat\n\nIt melts. [^1]\n\n### Heat\n\nIt has 3 parts. [^1]",
  );
});

const RUN_TEXT =
  "Sugar is split in the cell in three steps. First, two phosphates are added to the sugar. Then it is cut into two equal halves. Finally, the halves are burnt with oxygen. Who found out about this?";
const sentenceAt = (at: number): EvidenceSentence => ({
  source: 1,
  passageId: "p",
  text: splitSentences(RUN_TEXT)[at]?.text ?? "",
  at,
  score: 1,
});

const growFrom = (at: number, used: readonly string[] = [], most = 12) =>
  extendWithNeighbours([sentenceAt(at)], () => RUN_TEXT, {
    language: "en",
    query: "How is sugar split?",
    used: new Set(used),
    most,
  }).map((sentence) => sentence.at);

test("a quoted sentence is extended by its neighbours, except questions and sentences already on the canvas", () => {
  expect(growFrom(0)).toEqual([0, 1, 2, 3]);
  expect(growFrom(0, ["Then it is cut into two equal halves."])).toEqual([0, 1]);
  expect(growFrom(0, [], 2)).toEqual([0, 1]);
});

test("the snippet of a session is the beginning of its findings, cut after a whole word", () => {
  const canvas = `## Answer\n\nRibosomes make proteins.[^1]\n\n> **These two sources disagree** (ribosome)\n>\n> - One\n\n${"Amino acids form a chain. ".repeat(12)}`;
  const snippet = snippetOf(canvas);
  expect(snippet).toMatch(/^Ribosomes make proteins\. Amino acids form a chain\..*…$/u);
  expect(snippet).not.toContain("disagree");
  expect(snippet.length).toBeLessThanOrEqual(200);
  expect(snippetOf("Short.")).toBe("Short.");
});
