import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, extractReasoningMiddleware, streamText, wrapLanguageModel } from "ai";
import { z } from "zod";
import type { TalkTurn } from "./port.ts";
import { ModelSilent, StreamCut } from "./retry.ts";

export interface ModelServer {
  baseUrl: string;
  apiKey: string | undefined;
  /** The model's name as the server knows it. */
  modelName: string;
  /** How long the server may say nothing, before the first byte and between any two. */
  silenceMs: number;
}

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

/** Aborts when nothing came for a while; every byte of the response counts, a keep-alive's too. */
function watchSilence(silenceMs: number, outer: AbortSignal) {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new ModelSilent("the model server is silent")), silenceMs);
  const signal = AbortSignal.any([outer, silent.signal]);
  const fetchWatched: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, signal });
    timer.refresh();
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, out) {
          timer.refresh();
          out.enqueue(bytes);
        },
      }),
    );
    const isWhole = response.ok && response.headers.get("content-type")?.includes("json") === true;
    return isWhole ? asStream(await new Response(body).text()) : new Response(body ?? null, response);
  };
  return { signal, fetchWatched, isSilent: () => silent.signal.aborted, stop: () => clearTimeout(timer) };
}

const WholeAnswer = z.object({
  choices: z.array(
    z.object({ message: z.object({ content: z.string().nullable() }), finish_reason: z.string().nullish() }),
  ),
  usage: z.unknown().optional(),
});

/** A server that knows no streams answers in one piece: it becomes a stream of one. */
function asStream(text: string): Response {
  const { choices, usage } = WholeAnswer.parse(JSON.parse(text));
  const parts = choices.slice(0, 1).map(({ message, finish_reason }) => ({
    choices: [{ delta: { content: message.content ?? "" }, finish_reason: finish_reason ?? "stop" }],
    usage,
  }));
  const lines = [...parts.map((part) => JSON.stringify(part)), "[DONE]"].map((data) => `data: ${data}\n\n`);
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}

/** One answer of a model server as it is written. Fails as the server failed, with `ModelSilent`, or with `StreamCut`; leaving the loop ends the request. */
export async function* streamAnswer(server: ModelServer, question: Question): AsyncGenerator<AnswerPart> {
  const left = new AbortController();
  const watch = watchSilence(server.silenceMs, AbortSignal.any([question.signal, left.signal]));
  const provider = createOpenAICompatible({
    name: "hosted",
    baseURL: server.baseUrl,
    includeUsage: true,
    fetch: watch.fetchWatched,
    ...(server.apiKey === undefined ? {} : { apiKey: server.apiKey }),
  });
  const { stream } = streamText({
    model: wrapLanguageModel({
      model: provider(server.modelName),
      middleware: extractReasoningMiddleware({ tagName: "think" }),
    }),
    instructions: question.system,
    messages: question.turns.map(({ role, text }) => ({ role, content: text })),
    ...(question.isPlain ? {} : { maxOutputTokens: question.maxTokens, temperature: 0.2 }),
    maxRetries: 0,
    abortSignal: watch.signal,
    // The failure comes as a part of the stream; the default would print prompt and answer.
    onError: () => undefined,
  });
  try {
    for await (const part of stream) {
      if (part.type === "text-delta") yield { type: "text", text: part.text };
      else if (part.type === "error") throw part.error;
      else if (part.type === "abort") throw watch.signal.reason;
      else if (part.type === "finish") {
        if (part.rawFinishReason === undefined) throw new StreamCut("the stream ended before the answer");
        yield { type: "end", isWhole: part.finishReason !== "length", tokensUsed: part.totalUsage.totalTokens };
      }
    }
  } catch (error) {
    question.signal.throwIfAborted();
    throw nameFailure(error, watch.isSilent());
  } finally {
    watch.stop();
    left.abort();
  }
}

/** Once the answer has begun, whatever goes wrong with it (the connection, the protocol, an error sent as a part) has cut it. */
function nameFailure(error: unknown, isSilent: boolean): unknown {
  if (isSilent) return new ModelSilent("the model server is silent");
  if (APICallError.isInstance(error) && error.statusCode !== 200) return error;
  return new StreamCut("the answer broke off", { cause: error });
}
