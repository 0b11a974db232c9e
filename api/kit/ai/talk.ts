import { streamAnswer } from "./answer-stream.ts";
import { estimateTokens } from "./budget.ts";
import type { HostedModel } from "./hosted-model.ts";
import type { TalkRequest } from "./port.ts";
import { failureOf, isBadRequest, nameOf, retryDelayMs, wait } from "./retry.ts";

/** An answer that goes on beyond any limit it was given is ended: so many characters for each token it was allowed. */
const MAX_CHARS_PER_TOKEN = 8;

/**
 * One turn of a conversation with a hosted model. A failure before the first word is tried again as the policy says;
 * after that, what was said stands and the failure is told.
 */
export async function* talk(hosted: HostedModel, request: TalkRequest): AsyncGenerator<string> {
  let isPlain = false;
  for (let attempt = 1; ;) {
    let hasBegun = false;
    try {
      for await (const text of talkOnce(hosted, request, isPlain)) {
        hasBegun = true;
        yield text;
      }
      return;
    } catch (error) {
      request.signal.throwIfAborted();
      if (!isPlain && !hasBegun && isBadRequest(error)) {
        isPlain = true;
        continue;
      }
      const delay = hasBegun ? undefined : retryDelayMs(error, attempt, hosted.retries);
      hosted.log.info({ model: hosted.info.id, attempt, hasBegun, ...nameOf(error) }, "a model server failed");
      if (delay === undefined) throw failureOf(error);
      attempt += 1;
      await wait(delay, request.signal);
    }
  }
}

async function* talkOnce(hosted: HostedModel, request: TalkRequest, isPlain: boolean): AsyncGenerator<string> {
  const { system, turns, maxTokens, ownerId, signal } = request;
  const promptTokens = estimateTokens(system + turns.map((turn) => turn.text).join(""));
  const reservation = await hosted.budget.reserve(promptTokens + maxTokens);
  let chars = 0;
  let tokensUsed: number | undefined;
  try {
    const question = { system, turns, maxTokens, isPlain, signal };
    const parts = streamAnswer(hosted.server, question);
    for await (const part of hosted.prompts.follow({ ownerId, model: hosted.info.id, question }, parts)) {
      if (part.type === "end") tokensUsed = part.tokensUsed;
      else {
        chars += part.text.length;
        yield part.text;
      }
      if (chars > maxTokens * MAX_CHARS_PER_TOKEN) return;
    }
  } finally {
    await reservation.settle(tokensUsed ?? promptTokens + Math.ceil(chars / 3.6));
  }
}
