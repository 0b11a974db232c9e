import { expect, test } from "vitest";
import { isAnswerChoice } from "#shared/pdf/answer-choices.ts";
import { requiredForm } from "#shared/research/evidence/answer-form.ts";
import { isBibliography } from "#shared/research/evidence/bibliographies.ts";
import { hasCue } from "#shared/research/evidence/cues.ts";
import { extendWithNeighbours } from "#shared/research/evidence/extend-with-neighbours.ts";
import { questionTermMatchers } from "#shared/research/evidence/phrases.ts";
import { openingTerms, subjectOfQuestion } from "#shared/research/evidence/parse-question-subject.ts";
import { isReadable, dependsOnPrevious } from "#shared/research/evidence/readable-sentences.ts";
import { selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import { includesForm, isSameRoot } from "#shared/research/evidence/terms/same-root.ts";
import { decomposeQuestion } from "#shared/research/plan/decompose.ts";
import { researchWording } from "#shared/research/wording.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";

type Selection = Parameters<typeof selectEvidence>[1];

const aSelection = (query: string, more: Partial<Selection> = {}): Selection => ({
  query,
  topic: null,
  language: "en",
  most: 5,
  used: new Set(),
  ...more,
});
const passagesOf = (texts: readonly string[], context = "") =>
  texts.map((text, at) => ({ source: at + 1, passageId: "p", title: "", text, context, score: 1 }));
const select = (query: string, texts: readonly string[], more: Partial<Selection> = {}) =>
  selectEvidence(passagesOf(texts), aSelection(query, more)).map(({ text }) => text);

test.each([
  ["How do enzymes lower the activation energy?", "enzymes", ""],
  ["How do plants turn light into sugar?", "plants", ""],
  ["How does the Orun glacier move, and what limits its growth?", "Orun glacier", ""],
  ["Why does the Lumen alga glow at night?", "Lumen alga", ""],
  ["What causes the double tail of the Harrow comet?", "double tail", "Harrow comet"],
  ["What happens to glucose in cellular respiration?", "glucose", ""],
  ["What is the immune response to a virus?", "immune response", ""],
  ["What is the country of Nugegoda?", "country", "Nugegoda"],
  ["What is the role of ribosomes?", "ribosomes", ""],
  ["Why do average costs fall as a firm grows larger?", "average costs", ""],
  ["Why do prices drop when supply rises?", "prices", ""],
  ["Durkheim's view of crime", "Durkheim", ""],
  ["How does the body fight a virus?", "virus", ""],
  ["Who gains and who loses from inflation?", "inflation", ""],
  ["applied science", "applied science", ""],
])("“%s” is about %s", (question, head, modifiers) => {
  expect(subjectOfQuestion(question)).toEqual({ head: searchTerms(head), modifiers: searchTerms(modifiers) });
});

test("a question about the law of a person is answered without the name", () => {
  const laws = "The laws of motion describe how forces change the velocity of a body.";
  const life = "Newton was born in the winter of 1642 in a village of Lincolnshire.";
  expect(select("What are Newton’s laws of motion?", [laws, life])).toEqual([laws]);
});

test("a question in German has no subject by English rules", () => {
  expect(subjectOfQuestion("Wie vermehren sich die Pilze?")).toBeUndefined();
});

test.each([
  ["In harsh weather, some fungi reproduce with partners.", "fungi", true],
  ["However, fungi absorb their food.", "fungi", true],
  ["Ants grow fungi in their nests.", "fungi", false],
])("“%s” is a statement about %s: %s", (sentence, term, isSubject) => {
  expect(searchTerms(term).every((word) => openingTerms(sentence).has(word))).toBe(isSubject);
});

test.each([
  ["How many ATP molecules does a cell gain?", "The cell has a net gain of two ATP molecules.", true],
  [
    "How many ATP molecules does a cell gain?",
    "The cell makes ATP in 2 of its parts, which are called organelles.",
    false,
  ],
  ["How much ATP does it give?", "Chemiosmosis makes 90 percent of the ATP.", true],
  ["When was the treaty signed?", "The treaty was signed in 1648.", true],
  ["When was the treaty signed?", "The treaty was signed by 4 mayors.", false],
  ["When does a cell divide?", "A cell divides when it has grown.", true],
  ["How long is the glacier?", "The glacier is 17 kilometres long.", true],
  ["How long is the glacier?", "The glacier is long and flat.", false],
  ["Wie viele Gene hat der Mensch?", "Der Mensch hat 20.000 Gene.", true],
  ["How many bones make up the spine?", "The spine consists of 33 bones.", true],
  ["How many moons orbit Mars?", "Mars has two moons.", true],
  ["How many chromosomes do humans have?", "In humans the number of chromosomes is 46.", true],
  ["How many chromosomes do humans have?", "Chromosomes of humans were counted in 1956.", false],
  ["How many players are in a team?", "A team has fifteen players.", true],
  ["When did the empire fall?", "The empire fell in 476.", true],
  ["When did the empire fall?", "The empire had mayors in 476 towns.", false],
  ["When did the dinosaurs live?", "The dinosaurs lived in the Jurassic and the Cretaceous.", true],
  ["How often does the moon turn?", "It turns once in its orbit.", true],
])("the form that “%s” requires is in “%s”: %s", (question, sentence, hasForm) => {
  expect(requiredForm(question)?.(sentence)).toBe(hasForm);
});

test("a question that asks for neither a figure nor a time requires no form of answer", () => {
  expect(requiredForm("Why do enzymes lower the activation energy?")).toBeUndefined();
  expect(requiredForm("How large language models work")).toBeUndefined();
  expect(requiredForm("How long-term memory is formed")).toBeUndefined();
});

test("a sentence without the required form is no answer", () => {
  const text = "The treaty of Westphalia was signed by the towns of the empire.";
  const answer = "The treaty of Westphalia was signed in 1648.";
  expect(select("When was the treaty of Westphalia signed?", [text])).toEqual([]);
  expect(select("When was the treaty of Westphalia signed?", [text, answer])).toEqual([answer]);
});

test("a sentence without the subject of the question is no answer, even if it contains its other words", () => {
  const photosynthesis = "Lamps turn electrical energy into light, and factories make sugar from beets.";
  const answer = "Plants turn light into sugar in their leaves.";
  expect(select("How do plants turn light into sugar?", [photosynthesis, answer])).toEqual([answer]);
});

test("a sentence that depends on the previous one is quoted after it", () => {
  const first = "Almost all enzymes are proteins that lower the activation energy of reactions.";
  const second = "They do this by binding to the reactants and bending their bonds.";
  expect(dependsOnPrevious(second, "en")).toBe(true);
  expect(isReadable(second, "en")).toBe(false);
  expect(select("How do enzymes lower the activation energy?", [`${first} ${second}`])).toEqual([first, second]);
  expect(select("How do enzymes lower the activation energy?", [second])).toEqual([]);
  expect(dependsOnPrevious("Recall that they lower the energy of reactions.", "en")).toBe(false);
});

test("a sentence that was quoted together with another is not quoted again", () => {
  const first = "Enzymes of a cell lower energy barriers.";
  const second = "They lower the activation energy by binding to the reactants.";
  const third = "Enzymes leave reactions unchanged in shape.";
  const found = select("How do enzymes lower the activation energy?", [`${first} ${second}`, third]);
  expect(found.slice(0, 2)).toEqual([first, second]);
  expect(found.filter((text) => text === first)).toHaveLength(1);
});

test("a sentence that is quoted together with another must contain the subject if the other lacks it", () => {
  const text = "One species gains from each improvement. This keeps the variation of its genes high.";
  const answer = "Meiosis creates variation of genes in four cells.";
  const passages = passagesOf([text, answer], "Meiosis");
  const found = selectEvidence(passages, aSelection("How does meiosis create variation of genes?"));
  expect(found.map(({ text: quoted }) => quoted)).toEqual([answer]);
});

test("under a standard heading, only sentences about the subject itself are quoted", () => {
  const limits = "Fungi cannot make their own food.";
  const other = "Only a few ants grow fungi in their nests.";
  const about = "How do fungi feed?";
  expect(select("fungi feed", [other, limits], { topic: "limits", about })).toEqual([limits]);
});

test("if there are too many sentences about the subject, a standard heading has those that concern the question", () => {
  const texts = [
    "Most fungi cannot make their own food.",
    "Some fungi live only on the bark of old oaks.",
    "Edible fungi rarely grow in dry summers.",
  ];
  const answer = "Some fungi reproduce only in spring.";
  const about = "How do fungi reproduce?";
  expect(select("fungi reproduce", [...texts, answer], { topic: "limits", about, most: 3 })).toEqual([answer]);
  expect(select("fungi reproduce", texts, { topic: "limits", about, most: 3 })).toHaveLength(3);
});

test("two sentences that share only the words of the question do not repeat each other", () => {
  const texts = [
    "The double tail of the Harrow comet is caused by gas of two vents.",
    "The double tail of the Harrow comet is caused by the shadow of the Moon.",
  ];
  expect(select("What causes the double tail of the Harrow comet?", texts)).toHaveLength(2);
});

test.each([
  ["Prokaryotes have plasmids, which are shorter circular molecules.", "plasmid", true],
  ["Some cells carry plasmids (loops of DNA) beside the chromosome.", "plasmid", true],
  ["The genes lie in plasmids, which are often copied.", "plasmid", false],
  ["Bacteria use plasmids (2019) in the lab.", "plasmid", false],
])("“%s” defines a %s in a subordinate clause: %s", (sentence, term, isDefinition) => {
  expect(hasCue(sentence, "definition", questionTermMatchers(searchTerms(term), []))).toBe(isDefinition);
});

test.each([
  [
    "What is the Velmar battery?",
    ["The Velmar battery is a cell of sodium and clay.", "The Velmar battery appears on a stamp."],
    ["The Velmar battery is a cell of sodium and clay."],
  ],
  [
    "What is a plasmid?",
    ["Plasmids carry genes of bacteria.", "Cells have plasmids, which are short circular molecules."],
    ["Cells have plasmids, which are short circular molecules."],
  ],
  [
    "What are enzymes?",
    ["Enzymes lose their shape in hot water.", "Enzymes are proteins that speed up reactions."],
    ["Enzymes are proteins that speed up reactions."],
  ],
  // Without a definition, another statement about the subject is quoted.
  ["What is the Velmar battery?", ["The Velmar battery stores 212 watts."], ["The Velmar battery stores 212 watts."]],
  // The question asks for more than the thing itself.
  [
    "What is the range of the Velmar battery?",
    ["The Velmar battery is a cell of clay.", "The range of the Velmar battery grows in summer."],
    ["The range of the Velmar battery grows in summer.", "The Velmar battery is a cell of clay."],
  ],
])("“%s” is answered from %j by %j", (question, texts, answers) => {
  expect(select(question, texts)).toEqual(answers);
});

test.each([
  [
    "How does meiosis create genetic variation?",
    "Crossing over is the first source of genetic variation in meiosis.",
    "Random assortment is the second mechanism that brings variation.",
    true,
  ],
  [
    "What causes the motion of glaciers?",
    "Meltwater is the first cause of the motion of glaciers.",
    "The weight of the ice is a second cause of motion.",
    true,
  ],
  // The second sentence is about something else.
  [
    "What causes the motion of glaciers?",
    "Meltwater is the first cause of the motion of glaciers.",
    "The weather was a second reason for an early start.",
    false,
  ],
  // The first sentence does not call itself the first.
  [
    "What causes the motion of glaciers?",
    "Meltwater causes the motion of glaciers.",
    "The weight of a coach is a second cause of motion.",
    false,
  ],
])("“%s”: “%s” is followed by “%s”: %s", (query, first, further, isQuoted) => {
  const passages = [first, further].map((text, at) => ({
    source: 1,
    passageId: `p${at}`,
    title: "",
    text,
    context: "",
    score: 1,
  }));
  const found = selectEvidence(passages, aSelection(query)).map(({ text }) => text);
  expect(found).toEqual(isQuoted ? [first, further] : [first]);
});

test.each([
  ["This event—the random assortment of chromosomes—is a cause of variation.", true],
  ["These cells – the eggs and the sperm – have half of the chromosomes.", true],
  ["This event is a cause of variation in the eggs and sperm.", false],
  ["This event—as was said before—is a cause of variation.", false],
  ["The difficulty lies in the clear differences between meiosis I and mitosis.", false],
  ["The difficulty of the climb lies in the last hundred metres.", true],
  ["The stages of sleep will be identified, and sleep disorders will be described.", false],
])("“%s” can be quoted by itself: %s", (text, isAlone) => {
  expect(isReadable(text, "en")).toBe(isAlone);
});

test.each([
  ["allergic", "allergies", true],
  ["recognize", "recognition", true],
  ["reproduce", "reproductive", true],
  ["infected", "infection", true],
  ["organ", "organize", false],
  ["electron", "electric", false],
  ["community", "communicate", false],
])("“%s” and “%s” are forms of one word: %s", (one, other, isSame) => {
  expect(isSameRoot(searchTerms(one).join(" "), searchTerms(other).join(" "))).toBe(isSame);
});

test("a change in the same direction answers a question in other words", () => {
  const declines = "The average cost of a clock declines where the output of a factory expands.";
  const other = "The average cost of a clock is known to every firm in the region.";
  expect(select("Why do average costs fall as output grows?", [other, declines])[0]).toBe(declines);
});

test("a sentence with another form of the words of the question answers it", () => {
  const answer = "An allergy is an immune reaction that a harmless antigen causes.";
  expect(select("What happens in an allergic reaction?", [answer, "Mushrooms grow in wet woods."])).toEqual([answer]);
});

const CHAPTER = "The Great Slump, 1871-1874";
const chapter = [
  "The Great Slump set in after the harvest and ended four years later.",
  "The Great Slump changed what people thought of banks.",
  "The Great Slump was followed by a war of tariffs.",
  "Many weavers lost their looms because nobody bought their cloth.",
  "A railway to the coast was begun and never finished.",
  "Prices of bread doubled in the towns within a year.",
  "The mayor of the capital resigned in the second winter.",
  "Most of the mines in the north were closed for good.",
  "A new coin was struck from copper and tin.",
  "The harvest of the third year was the best of the century.",
  "Ships were laid up in every harbour of the coast.",
  "Newspapers doubled their number of readers in the capital.",
];

test("in a source on the subject of the question, a sentence needs its other words and not the subject", () => {
  const [first = "", , , weavers = ""] = chapter;
  const passages = chapter.map((text, at) => ({
    source: 1,
    passageId: `p${at}`,
    title: CHAPTER,
    text,
    context: CHAPTER,
    score: 1,
  }));
  const found = selectEvidence(passages, aSelection("How did the Great Slump affect weavers?")).map(({ text }) => text);
  expect(found).toContain(weavers);
  expect(found).not.toContain(first);
});

test.each([
  ["What are the two kinds of dikes?", "dikes", ""],
  ["How does the transport chain make ATP?", "transport chain", ""],
])("“%s” is about %s, and not about a number or what is made", (question, head, modifiers) => {
  expect(subjectOfQuestion(question)).toEqual({ head: searchTerms(head), modifiers: searchTerms(modifiers) });
});

test.each([
  ["Throughout the war, he donated a part of his salary to the poor.", false],
  ["Throughout the war, the mayor donated a part of his salary to the poor.", true],
  ["In winter, it is dark in the north for months.", true],
  ["Ekström, M., & Dale, P. (1979).", false],
  ["Annals of Cognition, 11(3), 287–307.", false],
  ["In 1979, Ekström and Dale showed coins to students.", true],
])("“%s” can be quoted by itself: %s", (sentence, isQuotable) => {
  expect(isReadable(sentence, "en")).toBe(isQuotable);
});

test.each([
  ["References", ["Long-term memory for a common object."], true],
  [null, ["Ekström, M. (1979).", "Memory for coins.", "Annals of Cognition, 11(3), 287–307."], true],
  [null, ["In 1979, Ekström and Dale showed coins to students.", "Few knew which way the head looks."], false],
  ["Reference values", ["The blood has 5 litres."], false],
  ["References", ["A reference is another name for a variable.", "It cannot be empty."], false],
  ["References", ["Ekström, M. (1979).", "What is memory for?"], true],
  ["Literatur", ["Die Romane der Zeit waren kurz.", "Viele wurden bald übersetzt."], false],
  ["Literatur", ["Anna Berg: Die Republik der Dichter.", "Hain, Lübeck 2004."], true],
])("under the heading %s, %j is a list of works: %s", (heading, sentences, isList) => {
  expect(isBibliography(heading, () => sentences)).toBe(isList);
});

test("under a heading that was not asked for, no sentence that begins with “But” is quoted", () => {
  const texts = ["The Velmar battery is charged in a minute.", "But the Velmar battery is just one of many types."];
  const found = select("Velmar battery", texts, { topic: "limits", about: "How does the Velmar battery work?" });
  expect(found).toEqual([]);
});

test("a question about consequences asks for what something causes, not for what it is", () => {
  const answer = "The flood of the Ister led to the loss of forty villages.";
  expect(
    select("What were the consequences of the Ister flood?", ["The flood of the Ister is a subject of songs.", answer]),
  ).toEqual([answer]);
});

const planOf = (question: string) =>
  decomposeQuestion(question, 5, researchWording.en.headings).flatMap(({ topic, heading }) => topic ?? heading);

test("a part that only asks what happens next stays with the question before it", () => {
  expect(planOf("How does a cell find a virus, and what happens then?")[0]).toBe(
    "How does a cell find a virus, and what happens then?",
  );
  expect(planOf("How does a cell find a virus, what happens next, and how is it killed?").slice(0, 2)).toEqual([
    "How does a cell find a virus, what happens next?",
    "How is it killed?",
  ]);
});

const firstTask = (text: string) => decomposeQuestion(text, 5, researchWording.en.headings)[0];

test("of a selection that ends with a question, only the question is asked", () => {
  expect(firstTask("Hay fever is common in spring. What happens in an allergic reaction?")).toMatchObject({
    heading: "What happens in an allergic reaction?",
    query: "What happens in an allergic reaction?",
  });
  const query = firstTask("Hay fever is common in spring. How is it treated?")?.query ?? "";
  expect(searchTerms(query)).toEqual(expect.arrayContaining(searchTerms("hay fever treated")));
  expect(searchTerms(query)).not.toContain("spring");
  const selected = "Hay fever is common in spring. It comes from pollen.";
  expect(firstTask(selected)?.query).toBe(selected);
});

test.each([
  ["Explain osmosis in simple words. How does it differ from diffusion?", 0],
  ["I have a test tomorrow. Explain osmosis in simple words. How does it differ from diffusion?", 1],
  ["Morgen ist Prüfung. Beschreibe die Osmose. Warum braucht eine Zelle sie?", 1],
])("a request without a question mark is asked too: %s", (text, stated) => {
  const asked = splitSentences(text).slice(stated);
  expect(firstTask(text)?.query).toBe(asked.map((sentence) => sentence.text).join(" "));
});

const growIn = (text: string, at: number, query: string) => {
  const picked = { source: 1, passageId: "p", text: splitSentences(text)[at]?.text ?? "", at, score: 1 };
  return extendWithNeighbours([picked], () => text, { language: "en", query, used: new Set(), most: 12 }).map(
    (one) => one.at,
  );
};

test.each([
  [
    "a neighbour about something else is left out",
    "Elms die when a fungus blocks their veins. Caribou eat lichens in winter.",
    [0],
  ],
  [
    "one sentence on something else may stand between two that answer",
    "Elms die when a fungus blocks their veins. Caribou eat lichens in winter. A beetle carries it from elm to elm.",
    [0, 1, 2],
  ],
  [
    "a sentence that points at a picture is passed over",
    "Elms die when a fungus blocks their veins. The figure below shows a sick tree. Beetles carry the fungus from one elm on.",
    [0, 2],
  ],
])("%s", (_title, text, grown) => {
  expect(growIn(text, 0, "Why do elms die?")).toEqual(grown);
});

test.each([
  ["Elm disease", [0, 1]],
  ["Trees of the city", [0]],
])("under the heading “%s”, a run on the elm disease has the sentences %j", (heading, grown) => {
  const text = "A fungus that blocks the veins causes the disease of elms. Leaves turn yellow on single branches.";
  const picked = { source: 1, passageId: "p", text: splitSentences(text)[0]?.text ?? "", at: 0, score: 1 };
  const growth = { language: "en" as const, query: "What is the elm disease?", used: new Set<string>(), most: 12 };
  const run = extendWithNeighbours([picked], () => text, { ...growth, headingOf: () => heading });
  expect(run.map(({ at }) => at)).toEqual(grown);
});

/** A section with its passages, of one source. */
const aSection = (heading: string, texts: readonly string[], source = 1) =>
  texts.map((text, at) => {
    const section = { heading, start: 0, at };
    return { source, passageId: `p${at}`, title: "", text, context: heading, section, score: 1 };
  });

test.each([
  ["How does a glacier move?", true],
  // In a heading on something else, a single word says little.
  ["What are the parts of ice?", false],
  // A number must be in the sentence itself.
  ["How many metres does a glacier move?", false],
])("“%s” is answered by a section about it in other words: %s", (question, isAnswered) => {
  const steps = [
    "A glacier moves downhill under its own weight.",
    "Water between the ice and the rock works like oil on a hinge.",
    "Crystals deep inside slide over one another and bend without breaking.",
  ];
  const other = aSection("Bears", ["Bears move through the snow to a glacier in spring, where ice melts."], 2);
  const found = selectEvidence([...other, ...aSection("How a glacier moves", steps)], aSelection(question));
  expect(found.map(({ text }) => text).join(" ") === steps.join(" ")).toBe(isAnswered);
});

test.each([
  ["start", "initiation", true],
  ["children", "infants", true],
  ["start", "stop", false],
])("“%s” is answered by a text with “%s”: %s", (asked, written, isSame) => {
  expect(includesForm(new Set(searchTerms(written)), searchTerms(asked)[0] ?? "")).toBe(isSame);
});

const anItem = (text: string) => ({ kind: "list_item" as const, text });
const aParagraph = (text: string) => ({ kind: "paragraph" as const, text });

test.each([
  ["the first answer of an exercise", [aParagraph("Which of the following statements is true?")], true],
  ["a later answer of an exercise", [aParagraph("Which of these is a fungus?"), anItem("A. A fern.")], true],
  ["an answer below a question in a list", [anItem("4. All of these are fungi except:")], true],
  ["an answer of an exercise without a question", [aParagraph("Mark the statements that are correct:")], true],
  ["an item of a list of facts", [aParagraph("If a graph is a tree, then the following are true:")], false],
  ["an item of a list that answers a question", [aParagraph("What are the parts of a spore?")], false],
  ["an item of another list", [aParagraph("Which of these is a fungus?"), aParagraph("A fungus has spores.")], false],
])("%s is recognised", (_title, before, isChoice) => {
  expect(isAnswerChoice(anItem("2. A spore has a wall."), before)).toBe(isChoice);
  expect(isAnswerChoice(aParagraph("A spore has a wall."), before)).toBe(false);
});
