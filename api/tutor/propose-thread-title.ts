import { writeTitle } from "#api/ai/openai/write-objects.ts";
import { buildTitlePrompt } from "#api/ai/prompts/tutor.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { MessageDoc } from "./store.ts";

const MAX_TOKENS = 60;

/** A title proposed by the conversation's model; undefined if the model proposes none. */
export async function proposeThreadTitle(ctx: UserCtx, messages: readonly MessageDoc[]): Promise<string | undefined> {
  const model = await ctx.models.choose(
    messages.findLast(({ model: modelId }) => modelId !== null)?.model ?? undefined,
  );
  if (!model) return undefined;
  const prompt = buildTitlePrompt(messages.slice(0, 4).map(({ text }) => text));
  return writeTitle(model, { ...prompt, maxTokens: MAX_TOKENS, ownerId: ctx.caller.userId, signal: ctx.signal });
}
