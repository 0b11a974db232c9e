import { z } from "zod";
import type { Clock } from "#api/clock.ts";

const PROBE_MS = 400;
/** Longer than a probe, because a person waits for this result. */
const LOOK_MS = 3000;
const CACHE_MS = 60_000;
const MAX_MODELS = 100;

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });
const OpenAiModels = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

async function fetchJson(url: string, headers: Record<string, string>, timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: "error" });
  return response.ok ? await response.json() : undefined;
}

interface CachedList {
  list(): Promise<string[]>;
  /** Replaces the cached list with one that was loaded elsewhere. */
  remember(found: string[]): void;
}

/** Caches the result for a minute, so that frequent listing does not flood the server; never rejects. */
function cached(clock: Clock, load: (previous: string[]) => Promise<string[]>): CachedList {
  let result = Promise.resolve<string[]>([]);
  let loadedAt = Number.NEGATIVE_INFINITY;
  return {
    list() {
      if (clock.now() - loadedAt >= CACHE_MS) {
        loadedAt = clock.now();
        result = result.then(load).catch(() => []);
      }
      return result;
    },
    remember(found) {
      loadedAt = clock.now();
      result = Promise.resolve(found);
    },
  };
}

type OllamaState = { state: "answers" | "absent" | "broken"; models: string[] };

/** Nothing listens at the address. */
const isRefused = (error: unknown) =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH/u.test("code" in error.cause ? String(error.cause.code) : error.cause.message);

/** Requests the models of an Ollama server; never rejects. */
export async function lookForOllama(origin: string, timeoutMs = LOOK_MS): Promise<OllamaState> {
  try {
    const tags = OllamaTags.safeParse(await fetchJson(`${origin}/api/tags`, {}, timeoutMs));
    if (!tags.success) return { state: "broken", models: [] };
    return { state: "answers", models: tags.data.models.slice(0, MAX_MODELS).map((model) => model.name) };
  } catch (error) {
    return { state: isRefused(error) ? "absent" : "broken", models: [] };
  }
}

const authorize = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/** Whether a configured server answers. A server without a list of models counts as answering. */
export async function checkModelServer(
  baseUrl: string | undefined,
  apiKey: string | undefined,
): Promise<"ok" | "failing" | "none"> {
  if (baseUrl === undefined) return "none";
  try {
    const signal = AbortSignal.timeout(LOOK_MS);
    const response = await fetch(`${baseUrl}/models`, { headers: authorize(apiKey), signal, redirect: "manual" });
    await response.body?.cancel();
    return response.status < 500 ? "ok" : "failing";
  } catch {
    return "failing";
  }
}

/**
 * The models of a local Ollama server; empty if there is none. For a slow or failing server, the previous list stays.
 */
export const listOllamaModels = (clock: Clock, origin: string) =>
  cached(clock, async (previous) => {
    const { state, models } = await lookForOllama(origin, PROBE_MS);
    return state === "broken" ? previous : models;
  });

/** The models that a configured server lists, used when the operator named none. */
export const listServerModels = (clock: Clock, baseUrl: string, apiKey: string | undefined) =>
  cached(clock, async () => {
    const list = OpenAiModels.safeParse(await fetchJson(`${baseUrl}/models`, authorize(apiKey), PROBE_MS));
    return list.success ? list.data.data.slice(0, MAX_MODELS).map((m) => m.id) : [];
  });
