import { expect, onTestFinished, test } from "vitest";
import { createPromptLog } from "#api/ai/prompt-log.ts";
import type { CollectionSpec, Doc } from "#api/store/port.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";

interface Entry extends Doc {
  ownerId: string;
  answer: string;
  at: number;
}

const entries: CollectionSpec<Entry> = { name: "ai_prompts", shardKey: "ownerId", indexes: [] };
const DAY_MS = 24 * 60 * 60 * 1000;

async function askWith(env: Record<string, string>) {
  const server = await startModelServer({ say: () => "It reads codons." });
  onTestFinished(() => server.close());
  const api = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model", ...env }, realClock: true });
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), "The ribosome reads codons.");
  await ask(ada.client, aQuestion({ text: "What does the ribosome read?" }));
  const log = api.deps.store.collection(entries);
  return { api, log };
}

test("by default neither prompts nor model answers are stored", async () => {
  const { log } = await askWith({});
  expect(await log.find({})).toEqual([]);
});

test("if the operator turns the log on, prompts and answers are stored with the account for 30 days", async () => {
  const { api, log } = await askWith({ AI_PROMPT_LOG: "on" });
  const [entry, ...others] = await log.find({});
  expect(others).toEqual([]);
  expect(entry?.answer).toBe("It reads codons.");
  expect(JSON.stringify(entry)).toContain("What does the ribosome read?");
  const { store } = api.deps;
  const later = (days: number) => ({ now: () => (entry?.at ?? 0) + days * DAY_MS });
  createPromptLog(store, later(29), false);
  expect(await log.count({})).toBe(1);
  createPromptLog(store, later(31), false);
  await expect.poll(() => log.count({})).toBe(0);
});
