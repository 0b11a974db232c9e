import { z } from "zod";
import { estimateTokens } from "./budget.ts";
import type { HostedModel } from "./openai/hosted-model.ts";
import type { Embedder } from "./port.ts";
import { callServer } from "./openai/server-call.ts";
import { describeError } from "./openai/retry.ts";

const Embeddings = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ total_tokens: z.number() }).nullish().catch(null),
});

/** After a failure, no embeddings are requested for this long. Meanwhile, search uses only keywords. */
const COOLDOWN_MS = 60_000;

type EmbedderDeps = Pick<HostedModel, "server" | "budget" | "log" | "countCall"> & { now: () => number };

/** Creates an embedder that calls the `/embeddings` endpoint of a model server. */
export function createEmbedder({ server, budget, log, countCall, now }: EmbedderDeps): Embedder {
  let coolsDownUntil = 0;

  async function requestEmbeddings(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const reservation = await budget.reserve(tokens);
    const startedAt = performance.now();
    let used = 0;
    let hasFailed = true;
    try {
      const body = { model: server.modelName, input: texts, encoding_format: "float" };
      const answer = await callServer(server, "/embeddings", body, signal);
      used = tokens;
      try {
        let text = "";
        for await (const piece of answer.chunks) text += piece;
        const { data, usage } = Embeddings.parse(JSON.parse(text));
        used = usage?.total_tokens ?? tokens;
        const vectors = sortVectors(data, texts.length);
        hasFailed = false;
        return vectors;
      } finally {
        answer.close();
      }
    } finally {
      await reservation.settle(used);
      const durationMs = performance.now() - startedAt;
      const counts = { tokensIn: used, tokensOut: 0, durationMs, hasFailed: hasFailed && !signal.aborted };
      // Texts of many accounts share a call.
      await countCall({ ownerId: undefined, model: server.modelName, ...counts });
    }
  }

  return {
    name: server.modelName,
    async embed(texts, signal) {
      if (now() < coolsDownUntil) return undefined;
      try {
        return await requestEmbeddings(texts, signal);
      } catch (error) {
        // An abort by the caller says nothing about the server.
        if (!signal.aborted) coolsDownUntil = now() + COOLDOWN_MS;
        log.warn({ model: server.modelName, ...describeError(error) }, "embeddings unavailable");
        return undefined;
      }
    },
  };
}

/** One vector per text, in the order of the texts; the protocol allows any order. */
function sortVectors(data: z.infer<typeof Embeddings>["data"], count: number): Float32Array[] {
  const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float32Array.from(embedding));
  const size = vectors[0]?.length;
  if (vectors.length !== count || vectors.some((vector) => vector.length !== size))
    throw new Error("the server did not return one vector per text");
  return vectors;
}
