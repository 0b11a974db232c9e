import { createParser } from "eventsource-parser";
import { z } from "zod";
import type { TalkTurn } from "./port.ts";
import { callServer, type ModelServer, type ServerAnswer } from "./server-call.ts";
import { ModelSilent, ServerRefused, StreamCut } from "./server-failures.ts";
import { ThoughtFilter } from "./thoughts.ts";

export interface Question {
  system: string;
  turns: readonly TalkTurn[];
  maxTokens: number;
  /** Without limit and temperature: some models refuse any request that names them. */
  isPlain: boolean;
  signal: AbortSignal;
}

export type AnswerPart =
  | { type: "text"; text: string }
  /** `isWhole`: the model ended by itself, rather than at its length limit. */
  | { type: "end"; isWhole: boolean; tokensUsed: number | undefined };

const Usage = z.object({ total_tokens: z.number() });
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: Usage.nullish().catch(null),
});
type Chunk = z.infer<typeof Chunk>;

const WholeAnswer = z.object({
  choices: z.array(
    z.object({ message: z.object({ content: z.string().nullable() }), finish_reason: z.string().nullish() }),
  ),
  usage: Usage.nullish().catch(null),
});

/** The chat request of the OpenAI protocol. */
function requestOf({ modelName }: ModelServer, { system, turns, maxTokens, isPlain }: Question) {
  return {
    model: modelName,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "system", content: system }, ...turns.map(({ role, text }) => ({ role, content: text }))],
    ...(isPlain ? {} : { max_tokens: maxTokens, temperature: 0.2 }),
  };
}

/** Events of the server as they come; an event that is none of the protocol's has cut the answer. */
async function* chunksOf({ isJson, pieces }: ServerAnswer): AsyncGenerator<Chunk> {
  if (isJson) {
    yield await wholeAnswer(pieces);
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
      if (typeof value === "object" && value !== null && "error" in value && value.error) throw new Error("error part");
      yield Chunk.parse(value);
    }
  }
}

/** A server that knows no streams answers in one piece. */
async function wholeAnswer(pieces: AsyncIterable<string>): Promise<Chunk> {
  let text = "";
  for await (const piece of pieces) text += piece;
  const { choices, usage } = WholeAnswer.parse(JSON.parse(text));
  const [first] = choices;
  return {
    choices: first ? [{ delta: { content: first.message.content }, finish_reason: first.finish_reason ?? "stop" }] : [],
    usage: usage ?? null,
  };
}

/** One answer of a model server as it is written. Fails as the server failed, with `ModelSilent`, or with `StreamCut`; leaving the loop ends the request. */
export async function* streamAnswer(server: ModelServer, question: Question): AsyncGenerator<AnswerPart> {
  const { signal } = question;
  const answer = await callServer(server, "/chat/completions", requestOf(server, question), signal);
  try {
    yield* partsOf(chunksOf(answer));
  } catch (error) {
    signal.throwIfAborted();
    throw nameFailure(error);
  } finally {
    answer.end();
  }
}

async function* partsOf(chunks: AsyncGenerator<Chunk>): AsyncGenerator<AnswerPart> {
  const thoughts = new ThoughtFilter();
  let finish: string | undefined;
  let tokensUsed: number | undefined;
  for await (const { choices, usage } of chunks) {
    const [first] = choices;
    const text = thoughts.push(first?.delta?.content ?? "");
    if (text !== "") yield { type: "text", text };
    finish = first?.finish_reason ?? finish;
    tokensUsed = usage?.total_tokens ?? tokensUsed;
  }
  const rest = thoughts.end();
  if (rest !== "") yield { type: "text", text: rest };
  if (finish === undefined) throw new StreamCut("the stream ended before the answer");
  yield { type: "end", isWhole: finish !== "length", tokensUsed };
}

/** Once the answer has begun, whatever goes wrong with it (the connection, the protocol, an error sent as a part) has cut it. */
function nameFailure(error: unknown): unknown {
  if (error instanceof ModelSilent || error instanceof ServerRefused || error instanceof StreamCut) return error;
  return new StreamCut("the answer broke off", { cause: error });
}
