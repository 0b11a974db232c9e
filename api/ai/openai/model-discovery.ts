import { z } from "zod";
import type { Clock } from "#api/clock.ts";

const PROBE_MS = 400;
/** Somebody waits for the result and nothing else. */
const LOOK_MS = 3000;
const CACHE_MS = 60_000;
const MAX_MODELS = 100;

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });
const OpenAiModels = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

async function fetchJson(url: string, headers: Record<string, string>, timeoutMs = PROBE_MS): Promise<unknown> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: "error" });
  return response.ok ? await response.json() : undefined;
}

interface CachedList {
  list(): Promise<string[]>;
  /** The next listing loads again. */
  forget(): void;
}

/** Caches the result for a minute, so that frequent listing does not flood the server; never rejects. */
function cached(clock: Clock, load: () => Promise<string[]>): CachedList {
  let result: Promise<string[]> | undefined;
  let loadedAt = 0;
  return {
    list() {
      if (result === undefined || clock.now() - loadedAt >= CACHE_MS) {
        loadedAt = clock.now();
        result = load().catch(() => []);
      }
      return result;
    },
    forget() {
      result = undefined;
    },
  };
}

/** The models of a local Ollama server; empty if there is none. */
export const listOllamaModels = (clock: Clock, origin: string) =>
  cached(clock, async () => {
    const tags = OllamaTags.safeParse(await fetchJson(`${origin}/api/tags`, {}));
    return tags.success ? tags.data.models.slice(0, MAX_MODELS).map((m) => m.name) : [];
  });

export type OllamaState = { state: "answers"; models: string[] } | { state: "absent" | "broken" };

/** Nothing listens at the address. */
const isRefused = (error: unknown) =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH/u.test("code" in error.cause ? String(error.cause.code) : error.cause.message);

/** Asks for the models of an Ollama server; never rejects. */
export async function lookForOllama(origin: string): Promise<OllamaState> {
  try {
    const tags = OllamaTags.safeParse(await fetchJson(`${origin}/api/tags`, {}, LOOK_MS));
    if (!tags.success) return { state: "broken" };
    return { state: "answers", models: tags.data.models.slice(0, MAX_MODELS).map((model) => model.name) };
  } catch (error) {
    return { state: isRefused(error) ? "absent" : "broken" };
  }
}

const authorize = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/** Whether a configured server answers; one that has no list of models does too. */
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

/** The models that a configured server lists, used when the operator named none. */
export const listServerModels = (clock: Clock, baseUrl: string, apiKey: string | undefined) =>
  cached(clock, async () => {
    const list = OpenAiModels.safeParse(await fetchJson(`${baseUrl}/models`, authorize(apiKey)));
    return list.success ? list.data.data.slice(0, MAX_MODELS).map((m) => m.id) : [];
  });
