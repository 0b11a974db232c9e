import { Failure } from "#shared/contract/failure.ts";
import { titlePrompt } from "#api/kit/ai/prompts/tutor.ts";
import type { UserCtx } from "#api/kit/handler.ts";
import type { MessageDoc } from "./store.ts";

const MAX_TOKENS = 60;
const MAX_CHARS = 200;

/** What the model of a conversation would call it; undefined where it cannot say. */
export async function proposeTitle(ctx: UserCtx, messages: readonly MessageDoc[]): Promise<string | undefined> {
  const model = await ctx.models.choose(messages.findLast(({ model: named }) => named !== null)?.model ?? undefined);
  if (!model?.talk) return undefined;
  const { system, user } = titlePrompt(messages.slice(0, 4).map(({ text }) => text));
  let written = "";
  try {
    const turns = [{ role: "user" as const, text: user }];
    const asked = { system, turns, maxTokens: MAX_TOKENS, ownerId: ctx.caller.userId, signal: ctx.signal };
    for await (const piece of model.talk(asked)) {
      written += piece;
      if (written.length > MAX_CHARS) break;
    }
    return written;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
