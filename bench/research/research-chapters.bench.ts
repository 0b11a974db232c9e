import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { MAX_HITS, MAX_READ_SECTIONS } from "#api/research/run/search-library.ts";
import { MAX_HEADING_SENTENCES } from "#api/research/run/task-evidence.ts";
import { MAX_SELECTED_SENTENCES } from "#api/research/run/task-writer.ts";
import { MAX_SENTENCES_WITH_NEIGHBOURS } from "#api/research/run/write-section.ts";
import { extendWithNeighbours } from "#shared/research/evidence/extend-with-neighbours.ts";
import type { EvidencePassage, EvidenceSentence } from "#shared/research/evidence/candidates.ts";
import { sectionKeyOf } from "#shared/research/evidence/sections/covering-sections.ts";
import { selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import { decomposeQuestion, type ResearchTask } from "#shared/research/plan/decompose.ts";
import { depthLimits } from "#shared/research/rules.ts";
import { ResearchDepth } from "#shared/research/schema.ts";
import { researchWording } from "#shared/research/wording.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { Bench, Row } from "../row.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";

/** Questions by folder of chapters, each with the patterns that its answer must contain. */
const Questions = z.record(
  z.string(),
  z.array(z.object({ question: z.string(), depth: ResearchDepth, answer: z.array(z.string()) })),
);
type Question = z.output<typeof Questions>[string][number];

const MIN_PARAGRAPH_CHARS = 40;
/** The score of a passage of this length is halved. */
const HALF_CHARS = 1500;
const LANGUAGE = "en" as const;
/** Maximum number of sentences under the student's questions, and under other headings. */
const maxSentences = { own: MAX_SELECTED_SENTENCES, other: MAX_HEADING_SENTENCES };

interface ChapterPassage extends EvidencePassage {
  terms: ReadonlySet<string>;
}

/** The paragraphs of the chapters in a folder, with their headings as context. */
function readChapters(folder: string): ChapterPassage[] {
  const names = readdirSync(folder).filter((name) => /^(?!cs-|notes-).*\.md$/.test(name));
  return names.flatMap((name, source) => {
    let [heading, start] = ["", 0];
    return readFileSync(join(folder, name), "utf8")
      .split(/\n{2,}/)
      .flatMap((block, at) => {
        const newHeading = /^#+\s+(.*)$/m.exec(block)?.[1];
        if (newHeading !== undefined) [heading, start] = [newHeading, at];
        const text = block.replaceAll(/[*_`]/g, "").replaceAll(/\s+/g, " ").trim();
        if (newHeading !== undefined || text.length < MIN_PARAGRAPH_CHARS) return [];
        const context = `${name.replace(/\.md$/, "")} ${heading}`;
        return [
          {
            source,
            passageId: `p${at}`,
            title: name.replace(/\.md$/, ""),
            text,
            context,
            section: { heading, start, at: at - start },
            score: 0,
            terms: new Set(searchTerms(`${context} ${text}`)),
          },
        ];
      });
  });
}

/** The passages that a search for each task finds. Rare words of the task count more. */
function searchChapters(chapters: readonly ChapterPassage[], tasks: readonly ResearchTask[]): ChapterPassage[] {
  const frequency = new Map<string, number>();
  for (const { terms } of chapters) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const weight = (term: string) => Math.log(chapters.length / (frequency.get(term) ?? chapters.length));
  const found = tasks.flatMap(({ query, topic }) => {
    const wanted = [...new Set(searchTerms(query))];
    const hits = chapters
      .map((passage) => {
        const sum = wanted.reduce((all, term) => all + (passage.terms.has(term) ? weight(term) : 0), 0);
        return { passage, score: sum / (1 + passage.text.length / HALF_CHARS) };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_HITS)
      .map(({ passage }) => passage);
    const read = new Set(hits.slice(0, topic === null ? MAX_READ_SECTIONS : 0).map(sectionKeyOf));
    return [...hits, ...chapters.filter((passage) => read.has(sectionKeyOf(passage)))];
  });
  return [...new Set(found)];
}

/** The sentences under the student's questions and under other headings, chosen as the last step of a session does. */
function selectAnswer(chapters: readonly ChapterPassage[], { question, depth }: Question) {
  const tasks = decomposeQuestion(question, depthLimits[depth].tasks, researchWording[LANGUAGE].headings);
  const found = searchChapters(chapters, tasks);
  const about = tasks[0]?.query ?? question;
  const texts = new Map(found.map(({ source, passageId, text }) => [`${source} ${passageId}`, text]));
  const written: { own: string[]; other: string[] } = { own: [], other: [] };
  for (const { query, topic } of tasks) {
    // The section "more" is skipped, because it is filled from what the other sections leave.
    if (topic === "more") continue;
    const heading = topic === null ? "own" : "other";
    const used = new Set([...written.own, ...written.other]);
    const selection = { query, topic, language: LANGUAGE, most: maxSentences[heading], used };
    const chosen = selectEvidence(found, topic === null ? selection : { ...selection, about });
    const growth = { language: LANGUAGE, query, used, most: MAX_SENTENCES_WITH_NEIGHBOURS };
    const textOf = ({ source, passageId }: EvidenceSentence) => texts.get(`${source} ${passageId}`) ?? "";
    const grown = topic === null ? extendWithNeighbours(chosen, textOf, growth) : chosen;
    written[heading].push(...grown.map(({ text }) => text));
  }
  return written;
}

function measure(folder: string, questions: readonly Question[]): Row[] {
  const chapters = readChapters(join(corpus, folder));
  let [matched, wanted, own, other] = [0, 0, 0, 0];
  for (const question of questions) {
    const written = selectAnswer(chapters, question);
    const text = written.own.join(" ");
    matched += question.answer.filter((pattern) => new RegExp(pattern, "i").test(text)).length;
    wanted += question.answer.length;
    own += written.own.length;
    other += written.other.length;
  }
  const what = `${questions.length} questions over the chapters of ${folder}`;
  return [
    { what: `${what}: of ${wanted} parts of answers, found`, value: matched, unit: "", goal: "reported" },
    { what: `${what}: sentences under the questions`, value: own, unit: "", goal: "reported" },
    { what: `${what}: sentences under other headings`, value: other, unit: "", goal: "reported" },
  ];
}

/** How many parts of their answers sessions without a model find in textbook chapters. */
export const bench: Bench = {
  name: "research-chapters",
  async run(): Promise<Row[]> {
    const questions = Questions.parse(
      JSON.parse(readFileSync(new URL("research-questions.json", import.meta.url), "utf8")),
    );
    const folders = Object.entries(questions).filter(([folder]) => existsSync(join(corpus, folder)));
    if (folders.length === 0)
      process.stdout.write(`  skipped: no chapters in ${corpus} (CORPUS_DIR names the corpus)\n`);
    return folders.flatMap(([folder, list]) => measure(folder, list));
  },
};
