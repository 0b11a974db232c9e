import { z } from "zod";
import type { Clock } from "#api/clock.ts";

const PROBE_MS = 400;
const CACHE_MS = 60_000;
const MAX_MODELS = 100;

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });
const OpenAiModels = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

async function fetchJson(url: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(PROBE_MS), redirect: "error" });
  return response.ok ? await response.json() : undefined;
}

/** Caches the result for a minute, so that frequent listing does not flood the server; never rejects. */
function cached(clock: Clock, load: () => Promise<string[]>): () => Promise<string[]> {
  let result: Promise<string[]> | undefined;
  let loadedAt = 0;
  return () => {
    if (result === undefined || clock.now() - loadedAt >= CACHE_MS) {
      loadedAt = clock.now();
      result = load().catch(() => []);
    }
    return result;
  };
}

/** The models of a local Ollama server; empty if there is none. */
export const listOllamaModels = (clock: Clock, origin: string) =>
  cached(clock, async () => {
    const tags = OllamaTags.safeParse(await fetchJson(`${origin}/api/tags`, {}));
    return tags.success ? tags.data.models.slice(0, MAX_MODELS).map((m) => m.name) : [];
  });

/** The models that a configured server lists, used when the operator named none. */
export const listServerModels = (clock: Clock, baseUrl: string, apiKey: string | undefined) =>
  cached(clock, async () => {
    const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const list = OpenAiModels.safeParse(await fetchJson(`${baseUrl}/models`, headers));
    return list.success ? list.data.data.slice(0, MAX_MODELS).map((m) => m.id) : [];
  });
