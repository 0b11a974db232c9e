import { CHARS_PER_TOKEN, estimateTokens } from "../budget.ts";
import { type AnswerPart, type ModelRequest, streamAnswer } from "./answer-stream.ts";
import type { HostedModel } from "./hosted-model.ts";

/** Estimate for servers that do not report usage. */
const TOKENS_PER_IMAGE = 1000;

/** Estimates the tokens of a prompt; exact usage is known only after the answer, if at all. */
function estimatePromptTokens({ system, turns, tools = [] }: Pick<ModelRequest, "system" | "turns" | "tools">): number {
  const images = turns.reduce((sum, turn) => sum + (turn.images?.length ?? 0), 0);
  const calls = turns.flatMap((turn) => turn.calls ?? []);
  const structured = [tools, calls].filter((list) => list.length > 0).map((list) => JSON.stringify(list));
  const text = [system, ...turns.map((turn) => turn.text), ...structured].join("");
  return estimateTokens(text) + images * TOKENS_PER_IMAGE;
}

/** What counts towards the length of an answer: its text, and the arguments of its tool calls. */
export function countWrittenChars(part: AnswerPart): number {
  if (part.type === "text") return part.text.length;
  return part.type === "calls" ? part.calls.reduce((sum, call) => sum + call.arguments.length, 0) : 0;
}

/**
 * Streams one answer of a model server: reserves its tokens from the daily budget, logs it if the prompt log is on, and
 * counts the call when it ends. A failed call is charged for its prompt, because the server may have read it.
 */
export async function* streamAnswerWithinBudget(
  hosted: HostedModel,
  modelRequest: ModelRequest,
  ownerId: string | undefined,
): AsyncGenerator<AnswerPart> {
  const promptTokens = estimatePromptTokens(modelRequest);
  const reservation = await hosted.budget.reserve(promptTokens + modelRequest.maxTokens);
  let writtenChars = 0;
  let tokensUsed: number | undefined;
  try {
    for await (const part of streamCountedAnswer(hosted, modelRequest, { ownerId, promptTokens })) {
      writtenChars += countWrittenChars(part);
      if (part.type === "end") ({ tokensUsed } = part);
      yield part;
    }
  } finally {
    await reservation.settle(tokensUsed ?? promptTokens + Math.ceil(writtenChars / CHARS_PER_TOKEN));
  }
}

async function* streamCountedAnswer(
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
      chars += countWrittenChars(part);
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
      .catch((error: unknown) => hosted.log.warn({ err: error }, "could not count a model call"));
  }
}
