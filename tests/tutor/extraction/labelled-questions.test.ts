import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { z } from "zod";
import { type TestUser, startApi } from "#tests/kit/api.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { aChange, aPage, send, textComponent, textContent } from "#tests/store/changes.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";

const Questions = z.array(
  z.object({
    kind: z.enum(["one", "two", "none", "sloppy"]),
    question: z.string(),
    /** For people who judge the answers. */
    answer: z.string().default(""),
    /** Regular expressions that must all match the answer. */
    needs: z.array(z.string()).default([]),
  }),
);
type Question = z.infer<typeof Questions>[number];
type Verdict = "right" | "partly" | "wrong";

const readData = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

const questions = Questions.parse(readData("questions.json"));
/** Questions about further chapters, whose failures were read while the rules were tuned. */
const furtherQuestions = Questions.parse(readData("further-questions.json"));
/** Questions from four other chapters, written with their answers before the engine was run on them. */
const biologyQuestions = Questions.parse(readData("biology-questions.json"));
/** Questions from four further chapters, written with their answers before the engine was run on them. */
const freshQuestions = Questions.parse(readData("fresh-questions.json"));
/** Questions from two last chapters, written before any answer to the fresh ones; no rule was changed after them. */
const blindQuestions = Questions.parse(readData("blind-questions.json"));
const ownChapters = z.record(z.string(), z.array(z.string())).parse(readData("chapters.json"));

/** In an answer with more words the asked fact is hard to find. */
const MAX_WORDS = 120;

function judge({ kind, needs }: Question, text: string): Verdict {
  const isAnswer = text.startsWith("From your sources, word for word:");
  if (kind === "none") return isAnswer ? "wrong" : "right";
  // The screen collapses the text after this heading.
  const shown = (text.split("More passages")[0] ?? "").replaceAll("\\", "");
  const matched = needs.filter((need) => new RegExp(need, "u").test(shown)).length;
  if (matched === 0) return "wrong";
  const isShort = shown.split(/\s+/u).length <= MAX_WORDS;
  return matched === needs.length && isAnswer && isShort ? "right" : "partly";
}

async function writeChapters(user: TestUser, chapters: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [title, blocks] of Object.entries(chapters)) {
    const pageId = await aPage(user, title);
    const changes = blocks.map((block) => {
      const heading = /^#+ (.*)$/u.exec(block)?.[1];
      const { component, parentId } = textComponent(ulid(), pageId, block);
      const subType = "heading_1" as const;
      const content = heading === undefined ? component.content : { ...textContent(heading), subType };
      return aChange("component_create", component._id, { parentId, component: { ...component, content } });
    });
    for (let from = 0; from < changes.length; from += 40) await send(user, ...changes.slice(from, from + 40));
  }
}

async function judgeAll(chapters: Readonly<Record<string, readonly string[]>>, asked = questions) {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "100" } });
  const ada = await api.newUser({ plan: "ULTIMATE" });
  await writeChapters(ada, chapters);
  const judged: { question: string; kind: string; verdict: Verdict; text: string }[] = [];
  for (const each of asked) {
    const { message } = await ask(ada.client, aQuestion({ text: each.question }));
    judged.push({ question: each.question, kind: each.kind, verdict: judge(each, message.text), text: message.text });
  }
  // Names a file to which the answers are written for reading.
  const report = process.env["TUTOR_REPORT"];
  if (report) writeFileSync(report, JSON.stringify(judged, null, 1), { flag: "a" });
  return judged;
}

const count = (judged: Awaited<ReturnType<typeof judgeAll>>, verdict: Verdict) =>
  judged.filter((answer) => answer.verdict === verdict).length;

test("without a model, forty labelled questions are answered with what they ask for, or with nothing", async () => {
  const judged = await judgeAll(ownChapters);
  const figures = ["right", "partly", "wrong"].map((verdict) => count(judged, verdict as Verdict));
  process.stdout.write(`own chapters: right, partly, wrong ${figures.join(", ")}\n`);
  expect(judged.filter(({ kind, verdict }) => kind === "none" && verdict !== "right")).toEqual([]);
  expect(count(judged, "right")).toBeGreaterThanOrEqual(38);
  expect(judged.filter(({ verdict }) => verdict === "wrong")).toEqual([]);
});

const CORPUS_CHAPTERS = [
  "psy-08-memory",
  "econ-22-inflation",
  "hist-25-brother-can-you-spare-a-dime-the-great-d",
  "soc-07-deviance-crime-and-social-control",
];

const FURTHER_CHAPTERS = [
  "psy-04-states-of-consciousness",
  "econ-03-demand-and-supply",
  "econ-07-cost-and-industry-structure",
  "soc-05-socialization",
];

const BIOLOGY_CHAPTERS = ["08-photosynthesis", "11-meiosis-and-sexual-reproduction", "24-fungi", "04-cell-structure"];

const FRESH_CHAPTERS = [
  "textbook/01-the-study-of-life",
  "textbook/06-metabolism",
  "textbook/42-the-immune-system",
  "subjects/cs-en-hashing",
];

const BLIND_CHAPTERS = ["textbook/07-cellular-respiration", "textbook/15-genes-and-proteins"];

/** Right answers of twenty-nine. */
const FURTHER_RIGHT = 26;
/** Right answers of forty. */
const BIOLOGY_RIGHT = 28;
const FRESH_RIGHT = 33;
const BLIND_RIGHT = 30;

/** The paragraphs of chapters of the corpus by name. */
const readChapters = (folder = "", names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const markdown = readFileSync(join(folder, `${name}.md`), "utf8").replaceAll(/\*\*|\\|\*/gu, "");
      const blocks = markdown.split(/\n{2,}/u).map((block) => block.trim());
      return [name, blocks.filter((block) => block.length > 2 && !block.startsWith("|"))] as const;
    }),
  );

/** The headings, paragraphs and points of Markdown files, read as uploaded files are. */
const readFiles = (folder = "", names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const passages = passagesFromText(readFileSync(join(folder, `${name}.md`), "utf8"));
      const blocks = passages.flatMap(({ kind, text }) => {
        if (kind === "heading") return [`# ${text}`];
        return kind === "paragraph" || kind === "list_item" ? [text] : [];
      });
      return [basename(name), blocks] as const;
    }),
  );

const corpus = corpusFolder("");
const subjects = corpusFolder("subjects");
const textbook = corpusFolder("textbook");

test.skipIf(subjects === undefined)(
  "the same questions are answered as well from whole textbook chapters",
  async () => {
    const judged = await judgeAll(readChapters(subjects, CORPUS_CHAPTERS));
    const figures = ["right", "partly", "wrong"].map((verdict) => count(judged, verdict as Verdict));
    process.stdout.write(`textbook chapters: right, partly, wrong ${figures.join(", ")}\n`);
    expect(judged.filter(({ kind, verdict }) => kind === "none" && verdict !== "right")).toEqual([]);
    expect(count(judged, "right")).toBeGreaterThanOrEqual(36);
  },
  180_000,
);

test.skipIf(subjects === undefined)(
  "questions about four further chapters of the same subjects are mostly answered right",
  async () => {
    const judged = await judgeAll(readChapters(subjects, FURTHER_CHAPTERS), furtherQuestions);
    const figures = ["right", "partly", "wrong"].map((verdict) => count(judged, verdict as Verdict));
    process.stdout.write(`further chapters: right, partly, wrong ${figures.join(", ")}\n`);
    expect(judged.filter(({ kind, verdict }) => kind === "none" && verdict !== "right")).toEqual([]);
    expect(count(judged, "right")).toBeGreaterThanOrEqual(FURTHER_RIGHT);
  },
  180_000,
);

test.skipIf(textbook === undefined)(
  "forty questions about chapters of biology are mostly answered right",
  async () => {
    const judged = await judgeAll(readChapters(textbook, BIOLOGY_CHAPTERS), biologyQuestions);
    const figures = ["right", "partly", "wrong"].map((verdict) => count(judged, verdict as Verdict));
    process.stdout.write(`biology chapters: right, partly, wrong ${figures.join(", ")}\n`);
    expect(judged.filter(({ kind, verdict }) => kind === "none" && verdict !== "right")).toEqual([]);
    expect(count(judged, "right")).toBeGreaterThanOrEqual(BIOLOGY_RIGHT);
  },
  180_000,
);

test.skipIf(corpus === undefined).each([
  ["fresh", FRESH_CHAPTERS, freshQuestions, { right: FRESH_RIGHT, refused: 5 }],
  // "How many genes does the human genome have?" is answered with the genes of another genome.
  ["blind", BLIND_CHAPTERS, blindQuestions, { right: BLIND_RIGHT, refused: 4 }],
] as const)(
  "forty %s questions about chapters that no other set asks about are mostly answered right",
  async (name, chapters, asked, least) => {
    const judged = await judgeAll(readFiles(corpus, chapters), asked);
    const figures = ["right", "partly", "wrong"].map((verdict) => count(judged, verdict as Verdict));
    process.stdout.write(`${name} questions: right, partly, wrong ${figures.join(", ")}\n`);
    const unanswerable = judged.filter(({ kind }) => kind === "none");
    expect(count(unanswerable, "right")).toBeGreaterThanOrEqual(least.refused);
    expect(count(judged, "right")).toBeGreaterThanOrEqual(least.right);
  },
  180_000,
);
