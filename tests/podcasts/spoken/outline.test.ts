import { expect, test } from "vitest";
import type { Passage } from "#shared/pdf/schema.ts";
import { chooseRuns } from "#shared/podcasts/script/choose.ts";
import { fitLength } from "#shared/podcasts/script/fit-length.ts";
import {
  followUpLine,
  askToRemember,
  topicTransitionLine,
  nameChapter,
} from "#shared/podcasts/script/host/host-lines.ts";
import { readRuns } from "#shared/podcasts/script/read-runs.ts";
import { chooseRecap } from "#shared/podcasts/script/host/recap.ts";
import type { ScriptSection } from "#shared/podcasts/script/script-source.ts";
import { estimateMs } from "#shared/podcasts/script/script-line.ts";
import { writeScript } from "#shared/podcasts/script/write-script.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

const options = {
  lengthMinutes: 5,
  hasBreaks: true,
  title: "Plants",
  guestName: "Maya",
  hostName: "Noah",
  msPerChar: { host: 68, guest: 65 },
};
const sourceOf = (passages: Passage[]) => ({
  title: "Plants.md",
  passages,
  cards: [],
  cite: (_: Passage, quote: string) => quote,
});
const scriptOf = (text: string) => writeScript([sourceOf(passagesFromText(text))], options);
const textsOf = (text: string) => scriptOf(text).lines.map((line) => line.text);

const PLACES = ["valley", "harbour", "desert", "island", "meadow", "marsh"];
const TREES = ["oak", "fern", "moss", "rose", "palm", "pine", "lily", "wheat"];
const CHANGES = ["thicker", "slower", "darker", "softer", "wider"];

/** Facts with words of their own, `count` paragraphs of them. */
const factsOn = (subject: string, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const [place, tree] = [PLACES[at % PLACES.length] ?? "", TREES[at % TREES.length] ?? ""];
    return `The ${subject} of the ${tree} store water in the ${place} for ${at + 2} weeks. In winter, ${subject} near a ${place} grow ${CHANGES[at % CHANGES.length]} beside ${TREES[(at + 3) % TREES.length]} and ${subject} trees. A dry ${place} then makes ${CHANGES[(at + 2) % CHANGES.length]} ${subject} of ${tree} wood rest.\n\n`;
  }).join("");

const SENTENCE_MS = 5000;
const costs = { runMs: 3000, sentenceMs: () => SENTENCE_MS };

/** A section with one run of so many sentences. */
function aSection(path: readonly string[], { count = 4, score = 1 } = {}): ScriptSection {
  const title = path.at(-1) ?? "";
  const sentences = Array.from({ length: count }, (_, at) => {
    const sentence = `${title} ${at}`;
    return { sentence, spoken: sentence, citation: "", at, score, isSelfContained: true };
  });
  return { title, path, source: 0, runs: [{ sentences, score, minSentences: Math.min(2, count) }] };
}
const titlesOf = (sections: ScriptSection[], budgetMs: number) =>
  chooseRuns(sections, budgetMs, costs).map(({ section }) => section.title);

test("a short last part of a source is heard, although the first part has more sections than fit", () => {
  const leaves = TREES.map((tree) => aSection(["Plants", "Leaves", tree], { score: 1.2 }));
  expect(titlesOf([...leaves, aSection(["Plants", "Growth", "roots"])], 160_000)).toContain("roots");
});

test("the section that introduces a part is heard before one of its details", () => {
  const leaves = TREES.map((tree) => aSection(["Plants", "Leaves", tree], { score: 1.2 }));
  expect(titlesOf([aSection(["Plants"], { score: 0.9 }), ...leaves], 160_000)[0]).toBe("Plants");
});

test("no heading is announced for a single sentence, unless little else can be heard", () => {
  const bark = aSection(["Bark"], { count: 1 });
  const [leaves, roots] = [aSection(["Leaves"], { count: 20 }), aSection(["Roots"], { count: 20 })];
  expect(titlesOf([leaves, bark, roots], 214_000)).toEqual(["Leaves", "Roots"]);
  expect(titlesOf([aSection(["Leaves"]), bark], 200_000)).toEqual(["Leaves", "Bark"]);
  expect(titlesOf([aSection(["Leaves"]), aSection(["Results"], { count: 1 })], 32_000)).toContain("Results");
});

test("the recap asks for what the chapters are about, and not for their numbers", () => {
  const parts = ["Abstract", "Introduction", "Results"].map(
    (title, at) =>
      `## ${title}\n\nDry ${PLACES[at]} seasons let the roots of ${TREES[at]} trees grow for weeks. They lose their water in a hot summer.\n\n${factsOn(`${title} leaves`, 2)}`,
  );
  const asked = scriptOf(parts.join(""))
    .lines.filter(({ speaker, pauseMs }) => speaker === "host" && pauseMs > 0)
    .map(({ text }) => text);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.join(" ")).not.toMatch(/chapter/i);
  expect(asked.join(" ")).toMatch(/remember about .*(?:roots|leaves|seasons)/i);
});

/** What the recap asks after an episode of one chapter under a heading that names nothing. */
function recapOf(texts: readonly string[]): string[] {
  const { runs, ...section } = aSection(["Results"], { count: texts.length });
  const [run] = runs;
  if (!run) throw new Error("no run");
  const sentences = run.sentences.map((one, at) => ({ ...one, sentence: texts[at] ?? "", spoken: texts[at] ?? "" }));
  const part = { section: { ...section, runs }, chosen: [{ run, sentences }], costMs: 1 };
  return chooseRecap([{ title: "Results", parts: [part], costMs: 1 }], new Map()).map(({ asked }) => asked);
}

const PLAIN = ["Rain falls.", "Snow melts.", "Wind blows.", "Ice breaks.", "Fog lifts."];

test("the recap does not ask what “the main reason” is, and leaves no claim of the authors open", () => {
  const asked = recapOf([
    "The main reason is the weight of the crown.",
    "Our new method for trunks is better than the best method of last year.",
    ...PLAIN,
  ]);
  expect(asked.join(" ")).not.toMatch(/reason|method/);
});

test("the recap leaves a sentence open only behind its verb", () => {
  const asked = recapOf([
    "Depending on the climate of a valley, the use of colder water is useful.",
    "In many valleys the oldest trees are known for the thickness of their bark.",
    ...PLAIN,
  ]).join(" ");
  expect(asked).not.toMatch(/the use of …/u);
  expect(asked).toContain("the oldest trees are known for …");
});

test("the recap reads no long sentence again where a short one will do", () => {
  const long = `A trunk is a pillar of wood${", of bark and of resin".repeat(12)}.`;
  const short = ["A crown is a roof of leaves.", "A root is a straw of cells.", "A leaf is a kitchen of light."];
  expect(recapOf([long, ...short, ...PLAIN])).toEqual(["What is a crown?", "What is a root?", "What is a leaf?"]);
});

const countRecap = ({ lines, chapters }: ReturnType<typeof writeScript>) =>
  lines.filter((line) => line.chapter === chapters.length - 1 && line.pauseMs > 0).length;

test("the recap asks more questions where the source holds a little less than the episode needs", () => {
  const source = sourceOf(passagesFromText(`## Leaves\n\n${factsOn("leaves", 5)}## Roots\n\n${factsOn("roots", 5)}`));
  const writeFor = (lengthMinutes: number) => writeScript([source], { ...options, lengthMinutes });
  const whole = writeFor(20);
  expect(countRecap(whole)).toBe(3);
  const minutes = estimateMs(whole.lines, options.msPerChar) / 60_000;
  const longer = writeFor(minutes / 0.88);
  expect(countRecap(longer)).toBeGreaterThan(3);
  expect(estimateMs(longer.lines, options.msPerChar)).toBeLessThan((minutes / 0.88) * 60_000 * 1.05);
});

test.each([
  ["Conclusion", "Now we come to the conclusion."],
  ["4 Results", "Now we come to the results."],
  ["Overview", "Now we come to an overview."],
  ["What Is Light?", "The next question: What Is Light?"],
  ["Pigments", "Let us go on to Pigments."],
])("the host names the part “%s” as people do: %s", (heading, line) => {
  expect(topicTransitionLine(0, heading)).toBe(line);
});

test("a heading that names an activity is only quoted", () => {
  const links = [0, 1, 2].map((position) => topicTransitionLine(position, "Understanding Pigments"));
  expect(new Set(links)).toEqual(new Set(["The next part: Understanding Pigments.", "Next: Understanding Pigments."]));
});

test("a chapter is announced by its part, or by a title without its second half", () => {
  expect(nameChapter(0, "Conclusion", "Conclusion")).toBe("Chapter one: the conclusion.");
  const long = "Individual Privacy: A Formulation that Preserves the Utility of its Guarantees";
  expect(nameChapter(1, long, long)).toBe("Chapter two: Individual Privacy.");
  expect(askToRemember(0, long)).toBe("What do you remember about Individual Privacy?");
  expect(nameChapter(2, "ATP: an energy carrier", "ATP: an energy carrier")).toBe(
    "Chapter three: ATP: an energy carrier.",
  );
});

test("the host asks for more about the heading, if it names a thing", () => {
  expect(followUpLine(1, "Long-term Memory")).toBe("Tell us more about Long-term Memory.");
  for (const heading of ["How Memory Works", "Understanding Pigments", "Introduction", ""])
    expect(followUpLine(1, heading)).toBe("Tell us more.");
});

const passageOf = (text: string, at: number): Passage => ({
  id: `${at}`,
  text,
  kind: "paragraph",
  bold: [],
  italic: [],
  locator: { startMs: at * 5000, endMs: at * 5000 + 4900 },
});

test.each([
  "designing how exactly the numbers of one layer determine those of the next one.",
  "so the numbers of one layer determine exactly those of the next one.",
])("half a sentence of captions is not taken for a whole one: %s", (rest) => {
  const captions = [
    "A network has layers of neurons that pass numbers on to each other.",
    "Now picture yourself right now",
    rest,
    "Weights belong to the connections, and training finds good ones for them.",
  ];
  const runs = readRuns(sourceOf(captions.map(passageOf)), 0, new Set()).flatMap((section) => section.runs);
  const sentences = runs.flatMap((run) => run.sentences.map(({ sentence }) => sentence));
  expect(sentences).toEqual([captions[0], captions[3]]);
});

test("a run does not begin in the middle of what was not heard", () => {
  const text =
    "## Crimes\n\nThis was in 2002 (see the map). The police chief went on television with a picture of the van. Most of the tips were dead ends for the officers. Memory is fragile, so that witnesses can be misled by others. It changes with every question.\n";
  const spoken = textsOf(text).join(" ");
  expect(spoken).toContain("Memory is fragile");
  expect(spoken).not.toMatch(/police chief|tips/);
});

const lineOf = (text: string, more: object) => ({
  speaker: "guest" as const,
  text,
  spoken: text.padEnd(100, "."),
  citation: null,
  chapter: 0,
  pauseMs: 0,
  gapMs: 0,
  isRunStart: true,
  minSentences: 1,
  ...more,
});

test("an episode is lengthened under the headings that were heard, before another is named", () => {
  const host = { ...lineOf("Chapter one.", {}), speaker: "host" as const };
  const timed = [
    host,
    host,
    host,
    lineOf("one", { at: 0, run: 0, topic: "Leaves" }),
    lineOf("two", { at: 1, run: 1, topic: "Leaves" }),
    lineOf("three", { at: 2, run: 2, topic: "Leaves" }),
  ].map((one, at) => ({ ...one, startMs: at * 5000, endMs: at * 5000 + 5000 }));
  const unusedSentences = [
    lineOf("other", { at: 9, run: 9, topic: "Roots" }),
    lineOf("same", { at: 8, run: 8, topic: "Leaves" }),
  ];
  const progress = { spokenCount: timed.length, firstEditable: timed.length, endMs: 30_000, targetMs: 37_000 };
  const { lines } = fitLength({ lines: timed, unusedSentences }, progress);
  expect(lines.slice(timed.length).map(({ text }) => text)).toEqual(["same"]);
});

test("what a listener remembers about a heading is a sentence that names it", () => {
  const script = scriptOf(
    [
      "## Osmosis",
      "Most lakes freeze from the shore in a cold winter. Fish then look for the deep ground. Osmosis moves the water of a cell to the salt.",
      "## Diffusion",
      "Every market of the city smells of bread at six. People in the next street notice it later. Diffusion spreads a smell through the air.",
      "## Buoyancy",
      "Large ships carry more than trains and planes together. Few sailors wonder about it. Buoyancy holds a ship up with the weight of the sea.",
    ].join("\n\n"),
  );
  const recap = script.lines.filter(({ chapter }) => chapter === script.chapters.length - 1);
  const answers = recap.flatMap(({ speaker, text }, at) =>
    speaker === "host" && /Osmosis|Diffusion|Buoyancy/.test(text) && recap[at + 1] ? [recap[at + 1]?.text] : [],
  );
  expect(answers.length).toBeGreaterThan(1);
  for (const answer of answers) expect(answer).toMatch(/^(?:Osmosis|Diffusion|Buoyancy)/);
});

/** The score of the first run in a source with this title. */
const scoreUnder = (title: string) => {
  const text = `# ${title}\n\n## Courts\n\nFor most authors, deviance is a violation of what many expect. A joke may be enough for it.\n`;
  return readRuns(sourceOf(passagesFromText(text)), 0, new Set())[0]?.runs[0]?.score ?? 0;
};

test("a definition of what a heading names is chosen before other sentences", () => {
  expect(scoreUnder("Deviance")).toBeGreaterThan(scoreUnder("Cities"));
});
