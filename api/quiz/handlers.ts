import { Failure } from "#shared/contract/failure.ts";
import type { quiz } from "#shared/quiz/contract.ts";
import { gradeText } from "#shared/quiz/grading.ts";
import { gradingPrompt, readVerdict } from "#api/kit/ai/prompts/quiz.ts";
import type { Handlers, UserCtx } from "#api/kit/handler.ts";

const MAX_TOKENS = 400;
const MAX_CHARS = 4000;
/** A student waits for the verdict: after this the words decide. */
const PATIENCE_MS = 8000;

export const handlers: Handlers<typeof quiz> = {
  async gradeAnswer(ctx, asked) {
    const byWords = { ...gradeText(asked.given, asked.answer, asked.question), judgedBy: null };
    // What is right word for word needs no second opinion, and nothing said is no answer to anyone.
    if (byWords.verdict === "right" || asked.given.trim() === "") return { ...byWords, missing: [...byWords.missing] };
    return (await askModel(ctx, asked)) ?? { ...byWords, missing: [...byWords.missing] };
  },
};

async function askModel(ctx: UserCtx, asked: { question: string; answer: string; given: string }) {
  const model = await ctx.models.choose();
  if (!model?.talk) return undefined;
  const { system, user } = gradingPrompt(asked);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let reply = "";
  try {
    const turns = [{ role: "user" as const, text: user }];
    const signal = AbortSignal.any([ctx.signal, patience]);
    for await (const piece of model.talk({ system, turns, maxTokens: MAX_TOKENS, signal })) {
      reply += piece;
      if (reply.length > MAX_CHARS) break;
    }
  } catch (error) {
    // Unreachable, out of budget or too slow: not the student's trouble.
    if (error instanceof Failure || patience.aborted) return undefined;
    throw error;
  }
  const verdict = readVerdict(reply);
  return verdict && { verdict, missing: [], judgedBy: model.info.name };
}
