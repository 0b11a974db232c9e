/** Answers the labelled questions of the tests with and without the passages that answer them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { findSections, type Source } from "#api/library/sources.ts";
import { openSqlitePassages } from "#api/store/sqlite/sqlite-passage-index.ts";
import type { Hit, IndexedPassage, PassageIndex } from "#api/store/search/port.ts";
import { toFoundPassage } from "#api/tutor/answering/builtin-answers.ts";
import { findPartWindows } from "#api/tutor/answering/context-windows.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { contentQuery } from "#shared/text/query-stopwords.ts";
import { splitQuestion } from "#shared/tutor/extraction/question-parts.ts";
import { type AnsweredPart, answerParts } from "#shared/tutor/extraction/select-answer.ts";
import { expandChatSpellings } from "#shared/tutor/extraction/typos.ts";
import type { FoundPassage } from "#shared/tutor/extraction/excerpts.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import {
  type Chapters,
  labelledSets,
  type LabelledSet,
  type Question,
  unanswerableQuestions,
} from "#tests/tutor/extraction/labelled-sets.ts";
import { escapeRegExp } from "#shared/escape-reg-exp.ts";

/** As many passages as the tutor searches without a model. */
const SEARCH_LIMIT = 80;

const Musique = z.array(
  z.object({
    id: z.string(),
    paragraphs: z.array(z.object({ title: z.string(), paragraph_text: z.string() })),
    question_decomposition: z.array(z.object({ question: z.string(), answer: z.string() })),
  }),
);

/** The single steps of questions about encyclopedia articles (MuSiQue) that are written as questions. */
function readArticleSet(): LabelledSet[] {
  const folder = corpusFolder("qa");
  if (folder === undefined) return [];
  const items = Musique.parse(JSON.parse(readFileSync(join(folder, "musique-50.json"), "utf8")));
  const questions = items.flatMap(({ question_decomposition: steps }) =>
    steps
      .filter(({ question }) => !question.includes(">>"))
      .map(({ question, answer }): Question => ({
        kind: "one",
        question: question.replaceAll(/#(\d)/gu, (_, step: string) => steps[Number(step) - 1]?.answer ?? ""),
        answer,
        needs: [escapeRegExp(answer)],
      })),
  );
  const chapters = (): Chapters =>
    Object.fromEntries(
      items.map(({ id, paragraphs }) => [
        id,
        paragraphs.flatMap(({ title, paragraph_text: text }) => [`# ${title}`, text]),
      ]),
    );
  return [{ name: "articles", questions, chapters }];
}

function toPassages(blocks: readonly string[]): IndexedPassage[] {
  let heading: string | undefined;
  const passages = blocks.map((block, index): Passage => {
    const title = /^#+ (.*)$/u.exec(block)?.[1];
    heading = title ?? heading;
    const kind = title === undefined ? "paragraph" : "heading";
    const locator = heading === undefined ? {} : { heading };
    return { id: `${index}`, text: title ?? block, kind, level: 1, bold: [], italic: [], locator };
  });
  const sections = findSections(passages);
  return passages.map(({ id, text, kind, locator }, index) => {
    const section = sections[index];
    return { id, text, kind, locator, componentId: "chapter", ...(section === undefined ? {} : { section }) };
  });
}

const sourceOf = (title: string): Source => ({
  id: title,
  version: "1",
  kind: "page",
  title,
  pageId: title,
  componentId: title,
  fileId: null,
  changedAt: 0,
});

/** The passages that the tutor would select its answer from. */
async function findPassages(index: PassageIndex, owner: string, asked: string): Promise<FoundPassage[]> {
  const question = expandChatSpellings(asked);
  const parts = splitQuestion(question);
  const found = new Map<string, Hit>();
  for (const text of parts.length > 1 ? [question, ...parts] : [question])
    for (const hit of await index.search(owner, { text: contentQuery(text), limit: SEARCH_LIMIT, correctsTypos: true }))
      if (!found.has(`${hit.sourceId} ${hit.position}`)) found.set(`${hit.sourceId} ${hit.position}`, hit);
  const passages = [...found.values()].map(({ sourceId, ...hit }) => ({ source: sourceOf(sourceId), ...hit }));
  const windows = await findPartWindows(index, owner, { passages, question });
  return windows.flat().map((hit) => toFoundPassage(hit, null));
}

export interface AnsweredQuestion {
  set: string;
  question: Question;
  /** Whether the passages with the answer were taken away first. */
  isTakenAway: boolean;
  parts: readonly (AnsweredPart | undefined)[];
}

const matches = (needs: readonly string[], text: string) => needs.some((need) => new RegExp(need, "u").test(text));

/** Whether the answer to a part contains what it needs. */
export function isRight({ needs }: Question, parts: AnsweredQuestion["parts"], at: number): boolean {
  const own = parts.length === needs.length ? needs.slice(at, at + 1) : needs;
  return matches(own, parts[at]?.chosen.map(({ text }) => text).join("\n") ?? "");
}

/** Sets that no judge was trained on. */
const HELD_OUT: ReadonlySet<string> = new Set(["unseen chapters", "free texts"]);

const withUnanswerable = (set: LabelledSet): LabelledSet => ({
  ...set,
  questions: [
    ...set.questions,
    ...(unanswerableQuestions[set.name] ?? []).map((question): Question => ({
      kind: "none",
      question,
      answer: "",
      needs: [],
    })),
  ],
});

/** Every labelled question, answered as it is, and once more without the passages that answer it. */
export async function answerLabelledQuestions(): Promise<AnsweredQuestion[]> {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-answers-"));
  const index = openSqlitePassages(folder);
  const answered: AnsweredQuestion[] = [];
  const sets = labelledSets.filter(({ name }) => !HELD_OUT.has(name)).map(withUnanswerable);
  for (const { name: set, questions, chapters } of [...sets, ...readArticleSet()]) {
    for (const [title, blocks] of Object.entries(chapters()))
      await index.put(set, { id: title, version: "1" }, toPassages(blocks));
    for (const question of questions) {
      const passages = await findPassages(index, set, question.question);
      answered.push({ set, question, isTakenAway: false, parts: answerParts(question.question, passages) });
      if (question.needs.length === 0) continue;
      const others = passages.filter(({ text }) => !matches(question.needs, text));
      answered.push({ set, question, isTakenAway: true, parts: answerParts(question.question, others) });
    }
  }
  await index.close();
  rmSync(folder, { recursive: true });
  return answered;
}
