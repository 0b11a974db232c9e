import { createParser } from "eventsource-parser";
import { z } from "zod";
import type { ChatTurn, ToolCall, ToolSpec } from "../port.ts";
import { callServer, type ModelServer, type ServerAnswer } from "./server-call.ts";
import { ModelSilentError, ServerRefusedError, ServerUnreachableError, StreamCutError } from "./server-failures.ts";
import { ThoughtFilter } from "./thought-filter.ts";

export interface ModelRequest {
  system: string;
  turns: readonly ChatTurn[];
  maxTokens: number;
  /** Tools the model may call; none if omitted. */
  tools?: readonly ToolSpec[];
  /** The arguments of a call are cut at this length. */
  maxArgumentChars?: number;
  /** Whether to yield the model's thoughts as well. */
  hasThoughts?: boolean;
  /** Omit `max_tokens` and `temperature`, because some models refuse any request that sets them. */
  omitsOptions: boolean;
  signal: AbortSignal;
}

export type AnswerPart =
  | { type: "text"; text: string }
  /** What the model thinks before it answers; only if `hasThoughts` is set. */
  | { type: "thought"; text: string }
  /** All tool calls, in one event; only if tools were offered. */
  | { type: "calls"; calls: readonly ToolCall[] }
  /** `isWhole` is false if the answer was cut at its length limit. */
  | { type: "end"; isWhole: boolean; tokensUsed: number | undefined; tokensWritten: number | undefined };

const MAX_CALLS = 16;
const MAX_ARGUMENTS = 4000;

const Usage = z.object({ total_tokens: z.number(), completion_tokens: z.number().nullish().catch(null) });
/** The chunks of one call share an index; servers without an index send each call whole. */
const CallChunk = z.object({
  index: z.int().optional(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
const Calls = z.array(CallChunk).nullish().catch(null);
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            /** Thoughts, as DeepSeek and vLLM name them, and as Ollama does. */
            reasoning_content: z.string().nullish().catch(null),
            reasoning: z.string().nullish().catch(null),
            tool_calls: Calls,
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: Usage.nullish().catch(null),
});
type Chunk = z.infer<typeof Chunk>;

const WholeAnswer = z.object({
  choices: z.array(
    z.object({
      message: z.object({ content: z.string().nullish(), tool_calls: Calls }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: Usage.nullish().catch(null),
});

const imageUrl = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

/** Where tools are offered, calls and their results are separate messages. Elsewhere the text contains them. */
function toMessages(turn: ChatTurn, hasTools: boolean): object[] {
  const { text, calls = [], results = [] } = turn;
  if (hasTools && calls.length > 0) {
    const toolCalls = calls.map(({ id, name, arguments: written }) => ({
      id,
      type: "function" as const,
      function: { name, arguments: written },
    }));
    return [{ role: "assistant" as const, content: text, tool_calls: toolCalls }];
  }
  if (hasTools && results.length > 0)
    return results.map(({ id, text: content }) => ({ role: "tool" as const, tool_call_id: id, content }));
  return [toMessage(turn)];
}

function toMessage({ role, text, images = [] }: ChatTurn) {
  if (images.length === 0) return { role, content: text };
  const imageParts = images.map(({ type, bytes }) => ({
    type: "image_url" as const,
    image_url: { url: imageUrl(type, bytes) },
  }));
  return { role, content: [{ type: "text" as const, text }, ...imageParts] };
}

/** The request body of the [chat completions API](https://platform.openai.com/docs/api-reference/chat). */
function buildRequest({ modelName }: ModelServer, { system, turns, tools, maxTokens, omitsOptions }: ModelRequest) {
  const toolSpecs = tools?.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));
  return {
    model: modelName,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "system", content: system }, ...turns.flatMap((turn) => toMessages(turn, tools !== undefined))],
    ...(toolSpecs && { tools: toolSpecs }),
    ...(omitsOptions ? {} : { max_tokens: maxTokens, temperature: 0.2 }),
  };
}

/** Reads the server's events. An event that does not follow the protocol counts as an interruption. */
async function* readChunks({ isJson, chunks: pieces }: ServerAnswer): AsyncGenerator<Chunk> {
  if (isJson) {
    yield await readWholeAnswer(pieces);
    return;
  }
  let found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void found.push(data) });
  for await (const piece of pieces) {
    parser.feed(piece);
    const events = found;
    found = [];
    for (const data of events) {
      if (data === "[DONE]") return;
      const value: unknown = JSON.parse(data);
      if (typeof value === "object" && value !== null && "error" in value && value.error)
        throw new Error("the server sent an error event");
      yield Chunk.parse(value);
    }
  }
}

/** Servers without streaming send one JSON response. */
async function readWholeAnswer(pieces: AsyncIterable<string>): Promise<Chunk> {
  let text = "";
  for await (const piece of pieces) text += piece;
  const { choices, usage } = WholeAnswer.parse(JSON.parse(text));
  const [first] = choices;
  return {
    choices: first ? [{ delta: first.message, finish_reason: first.finish_reason ?? "stop" }] : [],
    usage: usage ?? null,
  };
}

/**
 * Streams one answer of a model server. Throws the server's failure, `ModelSilentError` or `StreamCutError`; ending the iteration
 * cancels the request.
 */
export async function* streamAnswer(server: ModelServer, request: ModelRequest): AsyncGenerator<AnswerPart> {
  const { signal } = request;
  const answer = await callServer(server, "/chat/completions", buildRequest(server, request), signal);
  try {
    const maxArgumentChars = request.tools ? (request.maxArgumentChars ?? MAX_ARGUMENTS) : 0;
    yield* readParts(readChunks(answer), { maxArgumentChars, hasThoughts: request.hasThoughts ?? false });
  } catch (error) {
    signal.throwIfAborted();
    throw toStreamFailure(error);
  } finally {
    answer.close();
  }
}

/** Assembles streamed tool calls. */
class CallReader {
  readonly #calls: ToolCall[] = [];
  readonly #maxArgumentChars: number;

  constructor(maxArgumentChars: number) {
    this.#maxArgumentChars = maxArgumentChars;
  }

  push(pieces: z.infer<typeof Calls> | undefined): void {
    for (const piece of pieces ?? []) this.#add(piece);
  }

  #add({ index, id, function: written }: z.infer<typeof CallChunk>): void {
    const { name, arguments: text } = { name: written?.name ?? "", arguments: written?.arguments ?? "" };
    // Without an index, a name starts the next call.
    const position = index ?? this.#calls.length - (name === "" ? 1 : 0);
    if (position < 0 || position >= MAX_CALLS) return;
    const call = (this.#calls[position] ??= { id: id ?? `call_${position}`, name: "", arguments: "" });
    call.name ||= name;
    call.arguments = (call.arguments + text).slice(0, this.#maxArgumentChars);
  }

  get calls(): readonly ToolCall[] {
    return this.#calls.filter(Boolean);
  }
}

const emptyChoice: Partial<Chunk["choices"][number]> = {};

interface PartOptions {
  /** 0 if no tools were offered; then calls are not read. */
  maxArgumentChars: number;
  hasThoughts: boolean;
}

async function* readParts(
  chunks: AsyncGenerator<Chunk>,
  { maxArgumentChars, hasThoughts }: PartOptions,
): AsyncGenerator<AnswerPart> {
  const thoughts = new ThoughtFilter();
  const callReader = new CallReader(maxArgumentChars);
  let finish: string | undefined;
  let reported: z.infer<typeof Usage> | undefined;
  for await (const { choices, usage } of chunks) {
    const [{ delta, finish_reason: reason } = emptyChoice] = choices;
    const text = thoughts.push(delta?.content ?? "");
    const thought = `${reportedThought(delta)}${thoughts.takeThoughts()}`;
    yield* thoughtParts(hasThoughts, thought);
    // While the model writes a long call there is no text. An empty text shows that the model is working.
    if (text !== "" || maxArgumentChars > 0) yield { type: "text", text };
    if (maxArgumentChars > 0) callReader.push(delta?.tool_calls);
    finish = reason ?? finish;
    reported = usage ?? reported;
  }
  yield* flushParts(thoughts.end(), callReader.calls);
  if (finish === undefined) throw new StreamCutError("the stream ended before the answer");
  yield { type: "end", isWhole: finish !== "length", ...readUsage(reported) };
}

type Delta = Chunk["choices"][number]["delta"];

const reportedThought = (delta: Delta): string => delta?.reasoning_content ?? delta?.reasoning ?? "";

function* thoughtParts(isWanted: boolean, text: string): Generator<AnswerPart> {
  if (isWanted && text !== "") yield { type: "thought", text };
}

const readUsage = (reported: z.infer<typeof Usage> | undefined) => ({
  tokensUsed: reported?.total_tokens,
  tokensWritten: reported?.completion_tokens ?? undefined,
});

function* flushParts(rest: string, calls: readonly ToolCall[]): Generator<AnswerPart> {
  if (rest !== "") yield { type: "text", text: rest };
  if (calls.length > 0) yield { type: "calls", calls };
}

/** Once the answer has started, any error (connection, protocol, error event) counts as an interruption. */
function toStreamFailure(error: unknown): unknown {
  const kinds = [ModelSilentError, ServerRefusedError, ServerUnreachableError, StreamCutError];
  if (kinds.some((kind) => error instanceof kind)) return error;
  return new StreamCutError("the answer was interrupted", { cause: error });
}
