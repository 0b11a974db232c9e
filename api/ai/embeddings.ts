import { z } from "zod";
import { estimateTokens } from "./budget.ts";
import type { HostedModel } from "./openai/hosted-model.ts";
import type { Embedder } from "./port.ts";
import { callServer } from "./openai/server-call.ts";
import { nameOf } from "./openai/retry.ts";

const Embeddings = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ total_tokens: z.number() }).nullish().catch(null),
});

/** After a failure, no embeddings are requested for this long; search uses keywords only meanwhile. */
const REST_MS = 60_000;

type Parts = Pick<HostedModel, "server" | "budget" | "log"> & { now: () => number };

/** An embedder on the `/embeddings` endpoint of a model server. */
export function makeEmbedder({ server, budget, log, now }: Parts): Embedder {
  let restsUntil = 0;

  async function ask(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const reservation = await budget.reserve(tokens);
    let used = 0;
    try {
      const body = { model: server.modelName, input: texts, encoding_format: "float" };
      const answer = await callServer(server, "/embeddings", body, signal);
      used = tokens;
      try {
        let text = "";
        for await (const piece of answer.pieces) text += piece;
        const { data, usage } = Embeddings.parse(JSON.parse(text));
        used = usage?.total_tokens ?? tokens;
        return inOrder(data, texts.length);
      } finally {
        answer.end();
      }
    } finally {
      await reservation.settle(used);
    }
  }

  return {
    name: server.modelName,
    async embed(texts, signal) {
      if (now() < restsUntil) return undefined;
      try {
        return await ask(texts, signal);
      } catch (error) {
        // An abort by the caller says nothing about the server.
        if (!signal.aborted) restsUntil = now() + REST_MS;
        log.warn({ model: server.modelName, ...nameOf(error) }, "embeddings unavailable");
        return undefined;
      }
    },
  };
}

/** One vector per text, in the order of the texts; the protocol allows any order. */
function inOrder(data: z.infer<typeof Embeddings>["data"], count: number): Float32Array[] {
  const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float32Array.from(embedding));
  const size = vectors[0]?.length;
  if (vectors.length !== count || vectors.some((vector) => vector.length !== size))
    throw new Error("the server did not return one vector per text");
  return vectors;
}
