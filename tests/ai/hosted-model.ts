import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { GenerationOptions } from "#shared/flashcards/schema.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { createBudget } from "#api/ai/budget.ts";
import type { CountedCall } from "#api/ai/count-call.ts";
import { createPromptLog } from "#api/ai/prompt-log.ts";
import { createHostedModel } from "#api/ai/openai/hosted-cards.ts";
import type { CardEvent, CardRequest, ProposedCard } from "#api/ai/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { type CheckLine, type Play, startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";

export const text = `# Cells
The nucleus holds the chromosomes of the animal cell. Mitochondria release energy from glucose during respiration.
Ribosomes assemble proteins from single amino acids. The membrane separates the cytoplasm from the surroundings.
Lysosomes digest worn parts with strong enzymes. Chloroplasts capture sunlight inside the green leaves of plants.

# Energy
Photosynthesis stores the energy of light in sugar molecules. Fermentation releases lactate when oxygen is scarce.
Enzymes lower the activation energy of chemical reactions. Adenosine triphosphate carries energy between reactions.`;
export const passages = passagesFromText(text);
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Setup {
  script?: Turn[];
  say?: (prompt: string) => string;
  check?: (card: CheckLine) => string | null | undefined;
  checkTurn?: Turn;
  calls?: NonNullable<Play["calls"]>;
  budget?: number;
  silenceMs?: number;
  attempts?: number;
}

/** A hosted model on a stub server, with its own store. */
export async function aModel({ budget, silenceMs = 2000, attempts = 4, ...play }: Setup = {}) {
  const server = await startModelServer(play);
  const folder = mkdtempSync(join(tmpdir(), "lamplight-ai-"));
  const store = openSqlite({ folder });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
    await server.close();
  });
  const lines: string[] = [];
  const counted: CountedCall[] = [];
  const log = (...given: unknown[]) => void lines.push(JSON.stringify(given));
  const model = createHostedModel({
    info: { id: "test-model", name: "test-model", description: "" },
    server: { baseUrl: server.baseUrl, apiKey: "sk-of-the-test", modelName: "test-model", idleTimeoutMs: silenceMs },
    budget: createBudget(store, { now: () => Date.UTC(2026, 0, 5) }, budget),
    countCall: async (call) => void counted.push(call),
    prompts: createPromptLog(store, { now: () => 0 }, false),
    modelsWithoutTools: new Set(),
    retries: { attempts, baseDelayMs: 5, maxDelayMs: 1500 },
    log: { ...quiet, info: log, warn: log, child: () => ({}) as never },
  });
  return { model, server, lines, counted, store };
}

type Ask = Partial<Omit<CardRequest, "options">> & { options?: Partial<GenerationOptions> };

export function aRequest({ options, ...rest }: Ask = {}): CardRequest {
  const signal = new AbortController().signal;
  return { passages, existing: [], signal, ...rest, options: { density: "LOW", ...options } };
}

export async function cardsOf(events: AsyncGenerator<CardEvent>): Promise<ProposedCard[]> {
  const cards: ProposedCard[] = [];
  for await (const event of events) if (event.type === "card") cards.push(event.card);
  return cards;
}
