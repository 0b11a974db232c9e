import type { z } from "zod";
import { Failure } from "#shared/contract/failure.ts";
import type { quiz } from "#shared/quiz/contract.ts";
import { gradeText } from "#shared/quiz/grading.ts";
import { gradingPrompt, WrittenVerdict } from "#api/ai/prompts/quiz.ts";
import { writeObjects } from "#api/ai/openai/writing.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";

const MAX_TOKENS = 400;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
/** The student is waiting: after this the comparison of words decides. */
const PATIENCE_MS = 8000;

export const handlers: Handlers<typeof quiz> = {
  async gradeAnswer(ctx, asked) {
    const byWords = { ...gradeText(asked.given, asked.answer, asked.question), judgedBy: null };
    // An exact match needs no second opinion, and neither does an empty answer.
    if (byWords.verdict === "right" || asked.given.trim() === "") return { ...byWords, missing: [...byWords.missing] };
    return (await askModel(ctx, asked)) ?? { ...byWords, missing: [...byWords.missing] };
  },
};

async function askModel(ctx: UserCtx, asked: { question: string; answer: string; given: string }) {
  const model = await ctx.models.choose();
  if (!model?.talk) return undefined;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const said: z.infer<typeof WrittenVerdict>[] = [];
  try {
    const objects = writeObjects(model, {
      ...gradingPrompt(asked),
      form: WrittenVerdict,
      atMost: 2,
      maxTokens: MAX_TOKENS,
      ownerId: ctx.caller.userId,
      signal: AbortSignal.any([ctx.signal, patience]),
    });
    for await (const verdict of objects) said.push(verdict);
  } catch (error) {
    // An unreachable, slow or exhausted model must not fail the request.
    if (error instanceof Failure || patience.aborted) return undefined;
    throw error;
  }
  const [first, ...others] = said;
  // Contradicting verdicts are discarded.
  if (!first || others.some(({ verdict }) => verdict !== first.verdict)) return undefined;
  const missing = first.verdict === "partly" ? lackingOf(first.missing, asked.answer) : [];
  return { verdict: first.verdict, missing, judgedBy: model.info.name };
}

/** Only words of the card's own answer, whatever else the model wrote. */
function lackingOf(written: string, answer: string): string[] {
  const known = new Set(answer.toLocaleLowerCase().match(WORD));
  return [...new Set(written.match(WORD))].filter((word) => known.has(word.toLocaleLowerCase()));
}
