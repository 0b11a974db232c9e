import { CHARS_PER_TOKEN, estimateTokens } from "../budget.ts";
import { type AnswerPart, type ModelRequest, streamAnswer } from "./answer-stream.ts";
import type { HostedModel } from "./hosted-model.ts";

/** Estimate for servers that do not report usage. */
const TOKENS_PER_IMAGE = 1000;

/** Tokens of a prompt, for servers that do not report them. */
function estimatePrompt({ system, turns, tools = [] }: Pick<ModelRequest, "system" | "turns" | "tools">): number {
  const images = turns.reduce((sum, turn) => sum + (turn.images?.length ?? 0), 0);
  const calls = turns.flatMap((turn) => turn.calls ?? []);
  const structured = [tools, calls].filter((list) => list.length > 0).map((list) => JSON.stringify(list));
  const text = [system, ...turns.map((turn) => turn.text), ...structured].join("");
  return estimateTokens(text) + images * TOKENS_PER_IMAGE;
}

const textChars = (part: AnswerPart): number => (part.type === "text" ? part.text.length : 0);

/**
 * Streams one answer of a model server: reserves its tokens from the daily budget, logs it if the prompt log is on, and
 * counts the call when it ends, even after a failure. `charsOf` measures what was written, for the budget, if the
 * server does not report its tokens.
 */
export async function* streamCountedAnswer(
  hosted: HostedModel,
  modelRequest: ModelRequest,
  ownerId: string | undefined,
  charsOf: (part: AnswerPart) => number = textChars,
): AsyncGenerator<AnswerPart> {
  const promptTokens = estimatePrompt(modelRequest);
  const reservation = await hosted.budget.reserve(promptTokens + modelRequest.maxTokens);
  let writtenChars = 0;
  let tokensUsed: number | undefined;
  try {
    for await (const part of streamLoggedAnswer(hosted, modelRequest, { ownerId, promptTokens })) {
      writtenChars += charsOf(part);
      if (part.type === "end") ({ tokensUsed } = part);
      yield part;
    }
  } finally {
    await reservation.settle(tokensUsed ?? promptTokens + Math.ceil(writtenChars / CHARS_PER_TOKEN));
  }
}

async function* streamLoggedAnswer(
  hosted: HostedModel,
  modelRequest: ModelRequest,
  { ownerId, promptTokens }: { ownerId: string | undefined; promptTokens: number },
): AsyncGenerator<AnswerPart> {
  const startedAt = performance.now();
  let chars = 0;
  let end: Extract<AnswerPart, { type: "end" }> | undefined;
  let hasFailed = false;
  try {
    const parts = streamAnswer(hosted.server, modelRequest);
    for await (const part of hosted.prompts.record({ ownerId, model: hosted.info.id, modelRequest }, parts)) {
      chars += textChars(part);
      if (part.type === "end") end = part;
      yield part;
    }
  } catch (error) {
    // An answer that a student stops is not a failure of the server.
    hasFailed = !modelRequest.signal.aborted;
    throw error;
  } finally {
    const tokensOut = end?.tokensWritten ?? Math.ceil(chars / CHARS_PER_TOKEN);
    const total = end?.tokensUsed;
    const tokensIn = total === undefined ? promptTokens : Math.max(0, total - tokensOut);
    const durationMs = performance.now() - startedAt;
    await hosted
      .countCall({ ownerId, model: hosted.info.id, tokensIn, tokensOut, durationMs, hasFailed })
      .catch((error: unknown) => hosted.log.warn({ err: error }, "a call of a model could not be counted"));
  }
}
