import { streamCountedAnswer } from "./counted-answer.ts";
import type { HostedModel } from "./hosted-model.ts";
import type { AnswerPart } from "./answer-stream.ts";
import type { OfferedTools, TalkRequest, TalkTurn } from "../port.ts";
import { toModelFailure, isBadRequest, isServerError, describeError, retryDelayMs, sleep } from "./retry.ts";

/** Ends an answer that exceeds its token limit by far: maximum characters per allowed token. */
const MAX_CHARS_PER_TOKEN = 8;

/** What is omitted for a server that refused a request: 0 nothing, 1 optional settings, 2 pictures as well. */
type OmissionLevel = 0 | 1 | 2;

const offersTools = ({ modelsWithoutTools, info }: HostedModel, { offered }: TalkRequest) =>
  offered !== undefined && !modelsWithoutTools.has(info.id);

const hasImages = ({ turns }: TalkRequest) => turns.some(({ images = [] }) => images.length > 0);

/** What to omit after a failure; undefined if omitting more would not help. */
function nextOmissionLevel(
  error: unknown,
  request: TalkRequest,
  state: { omissionLevel: OmissionLevel; attempt: number },
): OmissionLevel | undefined {
  if (isBadRequest(error) && state.omissionLevel === 0) return 1;
  // Some servers answer 500 to a picture instead of refusing it.
  const isImageFailure = isBadRequest(error) || (isServerError(error) && state.attempt > 1);
  return isImageFailure && state.omissionLevel < 2 && hasImages(request) ? 2 : undefined;
}

/** Like the function above. A server that refuses tools gets every later request without them. */
function nextOmission(
  hosted: HostedModel,
  request: TalkRequest,
  error: unknown,
  state: { omissionLevel: OmissionLevel; attempt: number },
): OmissionLevel | undefined {
  const next = nextOmissionLevel(error, request, state);
  if (next !== undefined || !isBadRequest(error) || !offersTools(hosted, request)) return next;
  hosted.modelsWithoutTools.add(hosted.info.id);
  return 0;
}

/**
 * One turn of a conversation with a hosted model. Retries a failure before the first word as the policy allows; a later
 * failure is thrown, and the text so far remains.
 */
export async function* talk(hosted: HostedModel, request: TalkRequest): AsyncGenerator<string> {
  let omissionLevel: OmissionLevel = 0;
  for (let attempt = 1; ;) {
    let hasStarted = false;
    try {
      for await (const text of talkOnce(hosted, request, omissionLevel)) {
        hasStarted = true;
        yield text;
      }
      return;
    } catch (error) {
      request.signal.throwIfAborted();
      const next: OmissionLevel | undefined = hasStarted
        ? undefined
        : nextOmission(hosted, request, error, { omissionLevel, attempt });
      if (next !== undefined) {
        omissionLevel = next;
        if (next === 2) request.onImagesRefused?.();
        continue;
      }
      const delay = hasStarted ? undefined : retryDelayMs(error, attempt, hosted.retries);
      hosted.log.info({ model: hosted.info.id, attempt, hasStarted, ...describeError(error) }, "a model server failed");
      if (delay === undefined) throw toModelFailure(error);
      attempt += 1;
      await sleep(delay, request.signal);
    }
  }
}

/** What counts towards the length of an answer. */
function charsOf(part: AnswerPart): number {
  if (part.type === "text") return part.text.length;
  return part.type === "calls" ? part.calls.reduce((sum, call) => sum + call.arguments.length, 0) : 0;
}

function report(part: AnswerPart, request: TalkRequest, offered: OfferedTools | undefined): void {
  if (part.type === "end") request.onEnd?.(part.isWhole);
  if (part.type === "thought") request.onThought?.(part.text);
  if (part.type === "calls") offered?.onCalls(part.calls);
}

async function* talkOnce(
  hosted: HostedModel,
  request: TalkRequest,
  omissionLevel: OmissionLevel,
): AsyncGenerator<string> {
  const { maxTokens, ownerId, signal } = request;
  const offered = offersTools(hosted, request) ? request.offered : undefined;
  const { system } = offered ?? request;
  const isPlain = omissionLevel > 0;
  const turns: readonly TalkTurn[] =
    omissionLevel < 2 ? request.turns : request.turns.map(({ role, text }) => ({ role, text }));
  const tools = offered && { tools: offered.tools, maxArgumentChars: offered.maxArgumentChars };
  const hasThoughts = request.onThought !== undefined;
  const question = { system, turns, maxTokens, isPlain, signal, hasThoughts, ...tools };
  let chars = 0;
  for await (const part of streamCountedAnswer(hosted, question, ownerId, charsOf)) {
    chars += charsOf(part);
    report(part, request, offered);
    if (part.type === "text") yield part.text;
    if (chars > maxTokens * MAX_CHARS_PER_TOKEN) return;
  }
}
