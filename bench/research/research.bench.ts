import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { z } from "zod";
import { assemble } from "#api/assemble.ts";
import { systemClock } from "#api/clock.ts";
import { createLog } from "#api/log.ts";
import { searchLinked } from "#api/research/run/search-linked.ts";
import { MAX_SELECTED_SENTENCES } from "#api/research/run/task-writer.ts";
import { readSettings } from "#api/settings.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { Hit } from "#api/store/search/port.ts";
import { selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { type Bench, median, type Row } from "../row.ts";

const sample = join(process.env["CORPUS_DIR"] ?? "../shared/corpus", "qa", "musique-50.json");
const TOP = 10;
/** Results that count for each sub-question when the search gets the sub-questions. */
const TOP_OF_PART = 5;

const Question = z.object({
  question: z.string(),
  question_decomposition: z.array(z.object({ question: z.string(), answer: z.string() })),
  paragraphs: z.array(z.object({ title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() })),
});
type Question = z.infer<typeof Question>;

const keyOf = (title: string, text: string) => `${title}\n${text}`;
const keysOf = (hits: readonly Hit[]) =>
  new Set(hits.map(({ passage }) => keyOf(passage.locator.heading ?? "", passage.text)));

/** The share of all supporting paragraphs that a search finds. */
async function measureRecall(questions: readonly Question[], search: (question: Question) => Promise<Set<string>>) {
  let [found, total] = [0, 0];
  const times: number[] = [];
  for (const question of questions) {
    const startedAt = performance.now();
    const keys = await search(question);
    times.push(performance.now() - startedAt);
    const supporting = question.paragraphs.filter(({ is_supporting: isSupporting }) => isSupporting);
    total += supporting.length;
    found += supporting.filter(({ title, paragraph_text: text }) => keys.has(keyOf(title, text))).length;
  }
  return { recall: found / total, ms: median(times) };
}

/** Replaces "#1" in a sub-question with the answer of the first sub-question. */
const fillAnswers = ({ question_decomposition: parts }: Question) =>
  parts.map(({ question }) =>
    question.replaceAll(/#(\d)/g, (whole, n: string) => parts[Number(n) - 1]?.answer ?? whole),
  );

const plainWords = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The sentences quoted for a sub-question from the paragraphs of its question, whose titles serve as headings. */
function quoteFor(query: string, { paragraphs }: Question) {
  const wanted = [...new Set(searchTerms(query))];
  const passages = paragraphs.map(({ title, paragraph_text: text }, at) => {
    const terms = new Set(searchTerms(`${title} ${text}`));
    const score = wanted.filter((term) => terms.has(term)).length / Math.max(1, wanted.length);
    return { source: at, passageId: "p", title, text, context: title, score };
  });
  return selectEvidence(passages, {
    query,
    topic: null,
    language: "en",
    most: MAX_SELECTED_SENTENCES,
    used: new Set(),
  });
}

/** The share of quoted sentences from supporting paragraphs, and the share of sub-questions that the quotes answer. */
function measureQuotes(questions: readonly Question[]) {
  let [parts, sentences, supporting, answered, first, none] = [0, 0, 0, 0, 0, 0];
  for (const question of questions)
    for (const [at, query] of fillAnswers(question).entries()) {
      const found = quoteFor(query, question);
      const answer = plainWords(question.question_decomposition[at]?.answer ?? "");
      const hasAnswer = ({ text }: { text: string }) => plainWords(text).includes(answer);
      parts += 1;
      sentences += found.length;
      supporting += found.filter(({ source }) => question.paragraphs[source]?.is_supporting === true).length;
      answered += found.some(hasAnswer) ? 1 : 0;
      first += found.slice(0, 1).some(hasAnswer) ? 1 : 0;
      none += found.length === 0 ? 1 : 0;
    }
  return {
    parts,
    supporting: supporting / sentences,
    answered: answered / parts,
    first: first / parts,
    none: none / parts,
  };
}

function describeQuotes(questions: readonly Question[]): Row[] {
  const { parts, supporting, answered, first, none } = measureQuotes(questions);
  const rows: [string, number][] = [
    ["quoted sentences that are in a supporting paragraph", supporting],
    ["with the answer among its sentences", answered],
    ["with the answer in its first sentence", first],
    ["without a sentence", none],
  ];
  return rows.map(([what, value]) => ({ what: `${parts} sub-questions: ${what}`, value, unit: "", goal: "reported" }));
}

/** The share of supporting paragraphs found for questions of several steps, over the MuSiQue sample (CC BY 4.0). */
export const bench: Bench = {
  name: "research",
  async run(): Promise<Row[]> {
    if (!existsSync(sample)) {
      process.stdout.write(`  skipped: no sample at ${sample} (CORPUS_DIR names the corpus)\n`);
      return [];
    }
    const questions = z.array(Question).parse(JSON.parse(await readFile(sample, "utf8")));
    const dataDir = await mkdtemp(join(tmpdir(), "lamplight-bench-"));
    const settings = readSettings({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: dataDir });
    const running = await assemble(settings, { clock: systemClock, log: createLog(settings.LOG_LEVEL) });
    try {
      const own = ownedBy(running.deps.store, "bench");
      const deps = { ...running.deps, own };
      const paragraphs = new Map(
        questions.flatMap((question) =>
          question.paragraphs.map(({ title, paragraph_text: text }) => [keyOf(title, text), { title, text }] as const),
        ),
      );
      for (const [at, { title, text }] of [...paragraphs.values()].entries()) {
        const passage = {
          id: "p",
          text,
          kind: "paragraph" as const,
          locator: { heading: title },
          componentId: `c${at}`,
        };
        await deps.index.put("bench", { id: `s${at}`, version: "1" }, [passage]);
      }
      const plain = await measureRecall(questions, async ({ question: text }) =>
        keysOf(await deps.index.search("bench", { text, limit: TOP })),
      );
      const linked = await measureRecall(questions, async ({ question: text }) =>
        keysOf((await searchLinked(deps, { text, limit: 24 })).slice(0, TOP)),
      );
      const parts = await measureRecall(questions, async (question) => {
        const hits = fillAnswers(question).map((text) => searchLinked(deps, { text, limit: 24 }));
        return keysOf((await Promise.all(hits)).flatMap((found) => found.slice(0, TOP_OF_PART)));
      });
      const what = `${questions.length} questions of two to four steps over ${paragraphs.size} paragraphs`;
      return [
        {
          what: `${what}: supporting paragraphs in the top ${TOP}`,
          value: linked.recall,
          reference: plain.recall,
          unit: "",
          goal: ">= 0.7",
        },
        {
          what: `${what}: with given sub-questions, ${TOP_OF_PART} each`,
          value: parts.recall,
          unit: "",
          goal: ">= 0.85",
        },
        { what: "search that follows names, p50", value: linked.ms, reference: plain.ms, unit: "ms", goal: "reported" },
        ...describeQuotes(questions),
      ];
    } finally {
      await running.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
