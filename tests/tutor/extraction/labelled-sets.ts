import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";

export const Questions = z.array(
  z.object({
    kind: z.enum(["one", "two", "none", "sloppy"]),
    question: z.string(),
    /** For people who judge the answers. */
    answer: z.string().default(""),
    /** Regular expressions that must all match the answer. */
    needs: z.array(z.string()).default([]),
  }),
);
export type Question = z.infer<typeof Questions>[number];

/** Blocks of chapters by title; a block that begins with "#" is a heading. */
export type Chapters = Readonly<Record<string, readonly string[]>>;

const readData = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const readQuestions = (name: string) => Questions.parse(readData(`${name}.json`));
const readTexts = (name: string): Chapters => z.record(z.string(), z.array(z.string())).parse(readData(`${name}.json`));

/** The paragraphs of chapters of the corpus by name. */
const readChapters = (folder: string, names: readonly string[]): Chapters =>
  Object.fromEntries(
    names.map((name) => {
      const markdown = readFileSync(join(folder, `${name}.md`), "utf8").replaceAll(/\*\*|\\|\*/gu, "");
      const blocks = markdown.split(/\n{2,}/u).map((block) => block.trim());
      return [name, blocks.filter((block) => block.length > 2 && !block.startsWith("|"))] as const;
    }),
  );

/** The headings, paragraphs and points of Markdown files, read as uploaded files are. */
const readFiles = (folder: string, names: readonly string[]): Chapters =>
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

export interface LabelledSet {
  name: string;
  questions: readonly Question[];
  chapters: () => Chapters;
}

export const ownSet: LabelledSet = {
  name: "own chapters",
  questions: readQuestions("questions"),
  chapters: () => readTexts("chapters"),
};

/** Three sources of their own, which may be copied (`free-texts.md` names their licences). */
const freeTextSet: LabelledSet = {
  name: "free texts",
  questions: readQuestions("free-text-questions"),
  chapters: () => readTexts("free-texts"),
};

/** Questions that the chapters of a set do not answer, by the name of the set. */
export const unanswerableQuestions: Readonly<Record<string, readonly string[]>> = z
  .record(z.string(), z.array(z.string()))
  .parse(readData("unanswerable-questions.json"));

const TEXTBOOK_CHAPTERS = [
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
const UNSEEN_CHAPTERS = [
  "psy-04-states-of-consciousness",
  "econ-03-demand-and-supply",
  "hist-25-brother-can-you-spare-a-dime-the-great-d",
  "soc-05-socialization",
].map((name) => `subjects/${name}`);

/** Sets about chapters of the corpus; `docs/tutor.md` says when each was written and what was tuned on it. */
const corpusSets = (corpus: string): LabelledSet[] => [
  { ...ownSet, name: "textbook chapters", chapters: () => readChapters(join(corpus, "subjects"), TEXTBOOK_CHAPTERS) },
  {
    name: "further chapters",
    questions: readQuestions("further-questions"),
    chapters: () => readChapters(join(corpus, "subjects"), FURTHER_CHAPTERS),
  },
  {
    name: "biology chapters",
    questions: readQuestions("biology-questions"),
    chapters: () => readChapters(join(corpus, "textbook"), BIOLOGY_CHAPTERS),
  },
  {
    name: "fresh chapters",
    questions: readQuestions("fresh-questions"),
    chapters: () => readFiles(corpus, FRESH_CHAPTERS),
  },
  {
    name: "blind chapters",
    questions: readQuestions("blind-questions"),
    chapters: () => readFiles(corpus, BLIND_CHAPTERS),
  },
  {
    name: "unseen chapters",
    questions: readQuestions("unseen-questions"),
    chapters: () => readFiles(corpus, UNSEEN_CHAPTERS),
  },
];

const corpus = corpusFolder("");

/** The labelled sets; without the corpus none but the tests' own and the free texts. */
export const labelledSets: readonly LabelledSet[] = [
  ownSet,
  freeTextSet,
  ...(corpus === undefined ? [] : corpusSets(corpus)),
];
