import type { z } from "zod";
import { Failure } from "#shared/contract/failure.ts";
import type { quiz } from "#shared/quiz/contract.ts";
import { gradeText } from "#shared/quiz/grading.ts";
import { buildGradingPrompt, ModelVerdict } from "#api/ai/prompts/grading.ts";
import { writeObjects } from "#api/ai/openai/write-objects.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";

const MAX_TOKENS = 400;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
/** The student is waiting, so after this time the comparison of words decides. */
const MODEL_TIMEOUT_MS = 8000;

export const handlers: Handlers<typeof quiz> = {
  async gradeAnswer(ctx, request) {
    const wordVerdict = { ...gradeText(request.studentAnswer, request.answer, request.question), judgedBy: null };
    // An exact match needs no second opinion, and neither does an empty answer.
    if (wordVerdict.verdict === "right" || request.studentAnswer.trim() === "")
      return { ...wordVerdict, missing: [...wordVerdict.missing] };
    return (await gradeWithModel(ctx, request)) ?? { ...wordVerdict, missing: [...wordVerdict.missing] };
  },
};

async function gradeWithModel(ctx: UserCtx, request: { question: string; answer: string; studentAnswer: string }) {
  const model = await ctx.models.choose();
  if (!model?.chat) return undefined;
  const timeout = AbortSignal.timeout(MODEL_TIMEOUT_MS);
  const verdicts: z.infer<typeof ModelVerdict>[] = [];
  try {
    const objects = writeObjects(model, {
      ...buildGradingPrompt(request),
      schema: ModelVerdict,
      maxObjects: 2,
      maxTokens: MAX_TOKENS,
      ownerId: ctx.caller.userId,
      signal: AbortSignal.any([ctx.signal, timeout]),
    });
    for await (const verdict of objects) verdicts.push(verdict);
  } catch (error) {
    // An unreachable, slow or exhausted model must not fail the request.
    if (error instanceof Failure || timeout.aborted) return undefined;
    throw error;
  }
  const [first, ...others] = verdicts;
  // Contradicting verdicts are discarded.
  if (!first || others.some(({ verdict }) => verdict !== first.verdict)) return undefined;
  const missing = first.verdict === "partly" ? missingWords(first.missing, request.answer) : [];
  return { verdict: first.verdict, missing, judgedBy: model.info.name };
}

/** Keeps only words of the card's own answer, whatever else the model wrote. */
function missingWords(written: string, answer: string): string[] {
  const known = new Set(answer.toLocaleLowerCase().match(WORD));
  return [...new Set(written.match(WORD))].filter((word) => known.has(word.toLocaleLowerCase()));
}
