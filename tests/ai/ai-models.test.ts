import { performance } from "node:perf_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkCard } from "#shared/cards/gates/card-gates.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { createModels } from "#api/ai/models.ts";
import type { CardRequest, Model, ProposedCard } from "#api/ai/port.ts";
import { createLog } from "#api/log.ts";
import { readSettings } from "#api/settings.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function models(env: Record<string, string>, ollamaOrigin: string | null = null) {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-models-"));
  const store = openSqlite({ folder });
  closers.push(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  let now = 1_000_000;
  const made = createModels({
    settings: readSettings({ NODE_ENV: "test", ...env }),
    store,
    clock: { now: () => now },
    log: createLog("silent"),
    ollamaOrigin,
  });
  return { ...made, pass: (ms: number) => void (now += ms) };
}

async function aServer() {
  const server = await startModelServer();
  closers.push(() => server.close());
  return server;
}

const topics = ["nucleus", "ribosome", "membrane", "chromosome", "vacuole", "cytoplasm", "lysosome", "centriole"];
const book = (paragraphs: number) =>
  Array.from({ length: paragraphs }, (_, i) => {
    const topic = topics[i % topics.length] ?? "cell";
    return `# Part ${i}\n\nThe **${topic} number ${i}** is a structure that stores ${i + 3} different proteins. It was described in ${1800 + i} by a botanist. Because the ${topic} is large, researchers can observe it under a simple microscope. A ${topic} divides before the cell grows, and its enzymes digest ${i + 9} kinds of sugar.\n`;
  }).join("\n");

function aRequest(text: string, rest: Partial<CardRequest> = {}): CardRequest {
  const { signal } = new AbortController();
  return { passages: passagesFromText(text), existing: [], signal, options: { density: "AUTO" }, ...rest };
}

async function cardsOf(model: Model | undefined, request: CardRequest): Promise<ProposedCard[]> {
  const cards: ProposedCard[] = [];
  for await (const event of model?.generateCards(request) ?? []) if (event.type === "card") cards.push(event.card);
  return cards;
}

test("without settings, the built-in engine is the only model and the default", async () => {
  const port = models({});
  const { models: listed, defaultModel } = await port.list();
  expect(listed.map((m) => m.id)).toEqual(["lamplight-builtin"]);
  expect(defaultModel).toBe("lamplight-builtin");
  expect((await port.choose())?.info.id).toBe("lamplight-builtin");
  expect(await port.choose("gpt-none")).toBeUndefined();
});

test("AI_MODEL is the default, AI_MODELS are added, and the built-in engine stays available", async () => {
  const port = models({ AI_BASE_URL: "http://10.0.0.9/v1/", AI_MODEL: "big", AI_MODELS: "small, big" });
  const { models: listed, defaultModel } = await port.list();
  expect(listed.map((m) => m.id)).toEqual(["lamplight-builtin", "big", "small"]);
  expect(defaultModel).toBe("big");
  expect((await port.choose())?.info.id).toBe("big");
  expect((await port.choose("lamplight-builtin"))?.info.id).toBe("lamplight-builtin");
});

test("refuses to start with a model that has no server, and names the variable", () => {
  expect(() => models({ AI_MODEL: "big" })).toThrow(/^AI_BASE_URL must be set/);
});

test("asks a server without named models for its list", async () => {
  const server = await aServer();
  const port = models({ AI_BASE_URL: server.baseUrl });
  const { models: listed, defaultModel } = await port.list();
  expect(listed.map((m) => m.id)).toEqual(["lamplight-builtin", "test-model"]);
  expect(defaultModel).toBe("lamplight-builtin");
});

test("reports whether the configured server answers, even if its models are named in the settings", async () => {
  const server = await aServer();
  const port = models({ AI_BASE_URL: server.baseUrl, AI_MODEL: "big" });
  expect(await port.checkServer()).toBe("ok");
  await server.close();
  expect(await port.checkServer()).toBe("failing");
  expect((await port.list()).models.map((m) => m.id)).toEqual(["lamplight-builtin", "big"]);
  expect(await models({}).checkServer()).toBe("none");
});

test("finds an Ollama server on this machine, caches its models for a minute, and works without it once it has stopped", async () => {
  const server = await aServer();
  const origin = server.baseUrl.replace("/v1", "");
  const port = models({}, origin);
  expect((await port.list()).models.map((m) => m.id)).toEqual(["lamplight-builtin", "ollama/tiny:1b"]);
  const cards = await cardsOf(await port.choose("ollama/tiny:1b"), aRequest(book(3)));
  expect(cards.length).toBeGreaterThan(0);
  expect(server.requests[0]?.model).toBe("tiny:1b");
  await server.close();
  expect((await port.list()).models).toHaveLength(2);
  port.pass(61_000);
  const startedAt = performance.now();
  expect((await port.list()).models).toHaveLength(1);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test("a model of the configured server gets the key even if its name looks like one of Ollama's, which gets none", async () => {
  const [server, local] = [await aServer(), await aServer()];
  const settings = { AI_BASE_URL: server.baseUrl, AI_API_KEY: "secret", AI_MODEL: "ollama/big" };
  const port = models(settings, local.baseUrl.replace("/v1", ""));
  await cardsOf(await port.choose("ollama/big"), aRequest(book(3)));
  await cardsOf(await port.choose("ollama/tiny:1b"), aRequest(book(3)));
  expect(server.requests[0]).toMatchObject({ model: "ollama/big", authorization: "Bearer secret" });
  expect(local.requests[0]).toMatchObject({ model: "tiny:1b", authorization: undefined });
});

test("the built-in engine is deterministic, and each card passes the gates", async () => {
  const port = models({});
  const model = await port.choose();
  const request = aRequest(book(30));
  const cards = await cardsOf(model, request);
  expect(cards.length).toBeGreaterThan(10);
  for (const [i, card] of cards.entries())
    expect(checkCard(card, request.passages, cards.slice(0, i))).toEqual({ ok: true });
  expect(await cardsOf(model, request)).toEqual(cards);
});

test("the event loop stays responsive while the built-in engine works", async () => {
  const port = models({});
  const model = await port.choose();
  await cardsOf(model, aRequest(book(2)));
  const request = aRequest(book(400), { options: { density: "HIGH" } });
  const before = performance.eventLoopUtilization();
  const cards = await cardsOf(model, request);
  expect(cards.length).toBeGreaterThan(100);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

test("cancelling stops the engine's thread at once, and the next request is served", async () => {
  const port = models({});
  const model = await port.choose();
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 60);
  const startedAt = performance.now();
  const run = cardsOf(model, aRequest(book(3000), { signal: cancel.signal, options: { density: "VERY_HIGH" } }));
  const behind = cardsOf(model, aRequest(book(3)));
  await expect(run).rejects.toThrow(/abort/i);
  expect(performance.now() - startedAt).toBeLessThan(1500);
  expect((await behind).length).toBeGreaterThan(0);
});
