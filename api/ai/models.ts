import { InvalidSettingError, type Settings } from "#api/settings.ts";
import type { Clock } from "#api/clock.ts";
import type { Log } from "#api/log.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { createBudget } from "./budget.ts";
import { builtinModel } from "./builtin/builtin.ts";
import { createCallCounter, parsePrices } from "./count-call.ts";
import { createPromptLog } from "./prompt-log.ts";
import { checkModelServer, listOllamaModels, listServerModels, lookForOllama } from "./openai/model-discovery.ts";
import { createHostedModel } from "./openai/hosted-cards.ts";
import { createEmbedder } from "./embeddings.ts";
import type { Embedder, LocalModels, Model, ModelInfo, Models } from "./port.ts";
import { defaultRetries, type RetryPolicy } from "./openai/retry.ts";
import type { ModelServer } from "./openai/server-call.ts";

export interface ModelsDeps {
  settings: Settings;
  store: DocumentStore;
  clock: Clock;
  log: Log;
  /** The URL of the local Ollama server; null disables the lookup. */
  ollamaOrigin?: string | null;
  retries?: RetryPolicy;
  idleTimeoutMs?: number;
}

const EMBEDDING_IDLE_TIMEOUT_MS = 30_000;
const OLLAMA = "ollama/";
/** Embedding models have "embed" in their name and cannot chat. */
const isForEmbedding = (name: string) => /embed/i.test(name);
const canChat = (name: string) => !isForEmbedding(name);

const ollamaInfo = (name: string): ModelInfo => ({
  id: `${OLLAMA}${name}`,
  name,
  description: "A model of the Ollama server on this machine.",
});

const trimTrailingSlash = (url: string) => url.replace(/\/+$/, "");

function listNamedModels({ AI_MODEL, AI_MODELS }: Settings): string[] {
  const names = [AI_MODEL ?? "", ...AI_MODELS.split(",")].map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

const ADDRESS_MISSING = `AI_BASE_URL must be set when AI_MODEL or AI_MODELS is set. It is the address of the model server. Example: AI_BASE_URL=http://127.0.0.1:11434/v1`;

/** One embedder for each model, so that its state is shared. */
function cacheByModel(create: (url: string, modelName: string) => Embedder) {
  const embedders = new Map<string, Embedder>();
  return (url: string, modelName: string): Embedder => {
    const embedder = embedders.get(modelName) ?? create(url, modelName);
    embedders.set(modelName, embedder);
    return embedder;
  };
}

/** Looks for an Ollama server. From then on, its models are listed. */
async function findLocalModels(
  ollamaOrigin: string | null,
  listed: ReturnType<typeof listOllamaModels> | undefined,
): Promise<LocalModels> {
  if (ollamaOrigin === null) return { server: "absent", address: "", models: [] };
  const found = await lookForOllama(ollamaOrigin);
  listed?.remember(found.models);
  if (found.state !== "answers") return { server: found.state, address: ollamaOrigin, models: [] };
  const models = found.models.filter(canChat).map(ollamaInfo);
  return { server: models.length > 0 ? "found" : "empty", address: ollamaOrigin, models };
}

/** The configured models, those of a local Ollama server, and the built-in engine. */
export function createModels(deps: ModelsDeps): Models {
  const { settings, clock, log } = deps;
  const baseUrl = settings.AI_BASE_URL === undefined ? undefined : trimTrailingSlash(settings.AI_BASE_URL);
  const names = listNamedModels(settings);
  if (baseUrl === undefined && names.length > 0) throw new InvalidSettingError(ADDRESS_MISSING);
  const budget = createBudget(deps.store, clock, settings.AI_DAILY_BUDGET);
  const prompts = createPromptLog(deps.store, clock, settings.AI_PROMPT_LOG === "on");
  const countCall = createCallCounter(deps.store, clock, parsePrices(settings.AI_PRICES));
  const modelsWithoutTools = new Set<string>();
  const ollamaOrigin = deps.ollamaOrigin === undefined ? trimTrailingSlash(settings.OLLAMA_URL) : deps.ollamaOrigin;
  const ollama = ollamaOrigin === null ? undefined : listOllamaModels(clock, ollamaOrigin);
  const listOllama = async () => (await ollama?.list()) ?? [];
  const serverModels = listServerModels(clock, baseUrl ?? "", settings.AI_API_KEY);
  const listServer = baseUrl === undefined || names.length > 0 ? async () => names : () => serverModels.list();

  const createHosted = (info: ModelInfo, address: Pick<ModelServer, "baseUrl" | "apiKey" | "modelName">): Model => {
    const server = { ...address, idleTimeoutMs: deps.idleTimeoutMs ?? settings.AI_TIMEOUT * 1000 };
    const retries = deps.retries ?? defaultRetries;
    return createHostedModel({ info, server, budget, countCall, prompts, log, retries, modelsWithoutTools });
  };

  const getEmbedder = cacheByModel((url, modelName) => {
    const apiKey = url === baseUrl ? settings.AI_API_KEY : undefined;
    const server = { baseUrl: url, apiKey, modelName, idleTimeoutMs: EMBEDDING_IDLE_TIMEOUT_MS };
    return createEmbedder({ server, budget, log, countCall, now: () => clock.now() });
  });

  async function listAll(): Promise<Model[]> {
    const [served, local] = await Promise.all([listServer(), listOllama()]);
    const fromServer = served.filter(canChat).map((name) => {
      const description = `A model at ${new URL(baseUrl ?? "").hostname}: your content is sent to that server.`;
      const server = { baseUrl: baseUrl ?? "", apiKey: settings.AI_API_KEY, modelName: name };
      return createHosted({ id: name, name, description }, server);
    });
    const fromOllama = local
      .filter(canChat)
      .map((name) =>
        createHosted(ollamaInfo(name), { baseUrl: `${ollamaOrigin}/v1`, apiKey: undefined, modelName: name }),
      );
    return [builtinModel, ...fromServer, ...fromOllama];
  }

  const defaultModel = settings.AI_MODEL ?? builtinModel.info.id;
  return {
    findLocal: () => findLocalModels(ollamaOrigin, ollama),
    checkServer: () => checkModelServer(baseUrl, settings.AI_API_KEY),
    async list() {
      return { models: (await listAll()).map((m) => m.info), defaultModel };
    },
    async embedder() {
      const local = ollamaOrigin === null ? undefined : (await listOllama()).find(isForEmbedding);
      const { AI_EMBEDDING_MODEL: embeddingModel } = settings;
      if (embeddingModel !== undefined) return getEmbedder(baseUrl ?? `${ollamaOrigin}/v1`, embeddingModel);
      return local === undefined ? undefined : getEmbedder(`${ollamaOrigin}/v1`, local);
    },
    async choose(id = defaultModel) {
      if (id === builtinModel.info.id) return builtinModel;
      return (await listAll()).find((m) => m.info.id === id);
    },
  };
}
