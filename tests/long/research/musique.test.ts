import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import type { ResearchSession } from "#shared/research/schema.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const folder = corpusFolder("qa");
const Questions = z.array(
  z.object({
    question: z.string(),
    question_decomposition: z.array(z.object({ question: z.string(), answer: z.string() })),
    paragraphs: z.array(z.object({ title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() })),
  }),
);
type Question = z.infer<typeof Questions>[number];

/** The gold sub-questions with the answers of earlier ones filled in. */
const goldQuestions = ({ question_decomposition: steps }: Question): string[] =>
  steps.map(({ question }) =>
    question.replaceAll(/#(\d)/g, (_, n: string) => steps[Number(n) - 1]?.answer ?? "").replaceAll(" >> ", " "),
  );

/** Titles of the sources of the first ten places, the same number of each search of the library. */
function topTen({ tool_instances: tools, sources }: ResearchSession, searches: number): string[] {
  const each = Math.ceil(10 / searches);
  const numbers = tools
    .filter(({ name }) => name === "read_library")
    .slice(0, searches)
    .flatMap(({ sources: found }) => found.slice(0, each));
  return numbers.flatMap((n) => sources.find((source) => source.n === n)?.title ?? []);
}

test.skipIf(folder === undefined)(
  "MuSiQue: the supporting passages are found in the top ten, more of them with the gold sub-questions",
  async () => {
    const questions = Questions.parse(JSON.parse(readFileSync(join(folder ?? "", "musique-50.json"), "utf8")));
    let current = questions[0];
    const model = await startModelServer({
      say: () =>
        goldQuestions(current ?? { question: "", question_decomposition: [], paragraphs: [] })
          .map((question) => JSON.stringify({ question }))
          .join("\n"),
    });
    const api = await startApi({ env: { RATE_LIMIT_FACTOR: "10000", AI_BASE_URL: model.baseUrl, AI_MODEL: "gold" } });
    const ada = await api.newUser({ plan: "ULTIMATE" });
    const titles = new Map<string, string>();
    for (const { title, paragraph_text: text } of questions.flatMap(({ paragraphs }) => paragraphs)) {
      if (titles.has(text)) continue;
      titles.set(text, `${title} (${titles.size})`);
      await aText(ada, await aPage(ada, titles.get(text)), text);
    }
    const recall = { plain: 0, gold: 0, all: 0 };
    for (const [at, question] of questions.entries()) {
      current = question;
      // The limit of a day is fifty questions.
      if (at % 20 === 0) api.clock.advance(86_400_000);
      const supporting = question.paragraphs
        .filter((paragraph) => paragraph.is_supporting)
        .map(({ paragraph_text: text }) => titles.get(text) ?? "");
      const count = (found: readonly string[]) => supporting.filter((title) => found.includes(title)).length;
      recall.all += supporting.length;
      const plain = await runResearch(ada.client, { userMessage: question.question, model: "lamplight-builtin" });
      recall.plain += count(topTen(plain.session, 1));
      const gold = await runResearch(ada.client, { userMessage: question.question, depthState: "deep" });
      recall.gold += count(topTen(gold.session, question.question_decomposition.length));
    }
    await model.close();
    const [plain, gold] = [recall.plain / recall.all, recall.gold / recall.all];
    process.stdout.write(`  MuSiQue recall@10: plain ${plain.toFixed(3)}, gold sub-questions ${gold.toFixed(3)}\n`);
    expect(plain).toBeGreaterThanOrEqual(0.58);
    expect(gold).toBeGreaterThanOrEqual(0.85);
  },
  900_000,
);
