import { countWrittenChars, streamAnswerWithinBudget } from "./counted-answer.ts";
import type { HostedModel } from "./hosted-model.ts";
import type { AnswerPart } from "./answer-stream.ts";
import type { OfferedTools, ChatRequest, ChatTurn } from "../port.ts";
import { toModelFailure, isBadRequest, isServerError, describeError, retryDelayMs, sleep } from "./retry.ts";

/**
 * An answer in prose is ended after this many characters per allowed token, because the server ignores `max_tokens`.
 */
const MAX_PROSE_CHARS_PER_TOKEN = 8;

/** What a request leaves out after the server refused the previous one. */
type Omission = "nothing" | "options" | "options_and_images";

const offersTools = ({ modelsWithoutTools, info }: HostedModel, { offered }: ChatRequest) =>
  offered !== undefined && !modelsWithoutTools.has(info.id);

const hasImages = ({ turns }: ChatRequest) => turns.some(({ images = [] }) => images.length > 0);

/** What to leave out after a failure; undefined if leaving out more would not help. */
function omitOptionsOrImages(
  error: unknown,
  request: ChatRequest,
  state: { omission: Omission; attempt: number },
): Omission | undefined {
  if (isBadRequest(error) && state.omission === "nothing") return "options";
  // Some servers answer 500 to a picture instead of refusing it.
  const isImageFailure = isBadRequest(error) || (isServerError(error) && state.attempt > 1);
  const canOmitImages = state.omission !== "options_and_images" && hasImages(request);
  return isImageFailure && canOmitImages ? "options_and_images" : undefined;
}

/**
 * Like `omitOptionsOrImages`. If neither is left to omit, omits the tools: the model gets no tools from then on, and
 * the request starts again with its options and images.
 */
function nextOmission(
  hosted: HostedModel,
  request: ChatRequest,
  error: unknown,
  state: { omission: Omission; attempt: number },
): Omission | undefined {
  const next = omitOptionsOrImages(error, request, state);
  if (next !== undefined || !isBadRequest(error) || !offersTools(hosted, request)) return next;
  hosted.modelsWithoutTools.add(hosted.info.id);
  return "nothing";
}

/**
 * One turn of a conversation with a hosted model. Retries a failure before the first word as the policy allows; a later
 * failure is thrown, and the text so far remains.
 */
export async function* chat(hosted: HostedModel, request: ChatRequest): AsyncGenerator<string> {
  let omission: Omission = "nothing";
  for (let attempt = 1; ;) {
    let hasStarted = false;
    try {
      for await (const text of chatOnce(hosted, request, omission)) {
        hasStarted = true;
        yield text;
      }
      return;
    } catch (error) {
      request.signal.throwIfAborted();
      const next: Omission | undefined = hasStarted
        ? undefined
        : nextOmission(hosted, request, error, { omission, attempt });
      if (next !== undefined) {
        omission = next;
        if (next === "options_and_images") request.onImagesRefused?.();
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

function report(part: AnswerPart, request: ChatRequest, offered: OfferedTools | undefined): void {
  if (part.type === "end") request.onEnd?.(part.isWhole);
  if (part.type === "thought") request.onThought?.(part.text);
  if (part.type === "calls") offered?.onCalls(part.calls);
}

async function* chatOnce(hosted: HostedModel, request: ChatRequest, omission: Omission): AsyncGenerator<string> {
  const { maxTokens, ownerId, signal } = request;
  const offered = offersTools(hosted, request) ? request.offered : undefined;
  const { system } = offered ?? request;
  const omitsOptions = omission !== "nothing";
  const turns: readonly ChatTurn[] =
    omission !== "options_and_images" ? request.turns : request.turns.map(({ role, text }) => ({ role, text }));
  const tools = offered && { tools: offered.tools, maxArgumentChars: offered.maxArgumentChars };
  const hasThoughts = request.onThought !== undefined;
  const modelRequest = { system, turns, maxTokens, omitsOptions, signal, hasThoughts, ...tools };
  let chars = 0;
  for await (const part of streamAnswerWithinBudget(hosted, modelRequest, ownerId)) {
    chars += countWrittenChars(part);
    report(part, request, offered);
    if (part.type === "text") yield part.text;
    if (chars > maxTokens * MAX_PROSE_CHARS_PER_TOKEN) return;
  }
}
