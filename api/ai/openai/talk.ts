import { streamAnswer } from "./answer-stream.ts";
import { estimateTokens } from "../budget.ts";
import type { HostedModel } from "./hosted-model.ts";
import type { TalkRequest, TalkTurn } from "../port.ts";
import { failureOf, isBadRequest, isBroken, nameOf, retryDelayMs, wait } from "./retry.ts";

/** An answer that goes on beyond any limit it was given is ended: so many characters for each token it was allowed. */
const MAX_CHARS_PER_TOKEN = 8;

/** About what a picture of ours takes, on servers that do not tell. */
const TOKENS_PER_IMAGE = 1000;

/** How much of a request is left out for a server that refuses it: nothing, its settings, its pictures. */
type Plainness = 0 | 1 | 2;

const hasImages = ({ turns }: TalkRequest) => turns.some(({ images = [] }) => images.length > 0);

/** What is left out after a failure; undefined where leaving out would not help. */
function plainer(
  error: unknown,
  request: TalkRequest,
  now: { plainness: Plainness; attempt: number },
): Plainness | undefined {
  if (isBadRequest(error) && now.plainness === 0) return 1;
  // Some servers break over a picture rather than refuse it.
  const isOverImages = isBadRequest(error) || (isBroken(error) && now.attempt > 1);
  return isOverImages && now.plainness < 2 && hasImages(request) ? 2 : undefined;
}

/**
 * One turn of a conversation with a hosted model. A failure before the first word is tried again as the policy says;
 * after that, what was said stands and the failure is told.
 */
export async function* talk(hosted: HostedModel, request: TalkRequest): AsyncGenerator<string> {
  let plainness: Plainness = 0;
  for (let attempt = 1; ;) {
    let hasBegun = false;
    try {
      for await (const text of talkOnce(hosted, request, plainness)) {
        hasBegun = true;
        yield text;
      }
      return;
    } catch (error) {
      request.signal.throwIfAborted();
      const less: Plainness | undefined = hasBegun ? undefined : plainer(error, request, { plainness, attempt });
      if (less !== undefined) {
        plainness = less;
        if (less === 2) request.withoutImages?.();
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

async function* talkOnce(hosted: HostedModel, request: TalkRequest, plainness: Plainness): AsyncGenerator<string> {
  const { system, maxTokens, ownerId, signal } = request;
  const isPlain = plainness > 0;
  const turns: readonly TalkTurn[] =
    plainness < 2 ? request.turns : request.turns.map(({ role, text }) => ({ role, text }));
  const images = turns.reduce((sum, turn) => sum + (turn.images?.length ?? 0), 0);
  const promptTokens = estimateTokens(system + turns.map((turn) => turn.text).join("")) + images * TOKENS_PER_IMAGE;
  const reservation = await hosted.budget.reserve(promptTokens + maxTokens);
  let chars = 0;
  let tokensUsed: number | undefined;
  try {
    const question = { system, turns, maxTokens, isPlain, signal };
    const parts = streamAnswer(hosted.server, question);
    for await (const part of hosted.prompts.follow({ ownerId, model: hosted.info.id, question }, parts)) {
      if (part.type === "end") {
        ({ tokensUsed } = part);
        request.ended?.(part.isWhole);
      } else if (part.type === "text") {
        chars += part.text.length;
        yield part.text;
      }
      if (chars > maxTokens * MAX_CHARS_PER_TOKEN) return;
    }
  } finally {
    await reservation.settle(tokensUsed ?? promptTokens + Math.ceil(chars / 3.6));
  }
}
