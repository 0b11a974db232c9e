import { expect, onTestFinished, test, vi } from "vitest";
import type { Collection, CollectionSpec, Doc } from "#api/store/port.ts";
import { startApi } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import { aPage, aText } from "#tests/store/changes.ts";

test("without settings the built-in engine is the model and describes itself", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const { models, defaultModel } = await client.tutor.listModels({});
  expect(defaultModel).toBe("lamplight-builtin");
  expect(models.find(({ id }) => id === defaultModel)?.description).toBeTruthy();
});

test("a configured model server is listed with the built-in engine and is the default", async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const api = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" } });
  const { client } = await api.newUser();
  const { models, defaultModel } = await client.tutor.listModels({});
  expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining(["lamplight-builtin", "test-model"]));
  expect(defaultModel).toBe("test-model");
});

const question = () => aQuestion({ text: "What does the ribosome read?" });

test("a question does not wait for counters or for the end of earlier answers", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), "The ribosome reads messenger RNA one codon at a time.");
  await ask(ada.client, question());
  const { store } = api.deps;
  const open = store.collection.bind(store);
  let isStored = false;
  let newSlots = 0;
  vi.spyOn(store, "collection").mockImplementation(<T extends Doc>(spec: CollectionSpec<T>): Collection<T> => {
    const real = open(spec);
    const insert = async (doc: T) => {
      if (spec.name === "answer_slots") newSlots += 1;
      // The day's figures wait until the question is stored.
      if (spec.name === "figure_ledger") await vi.waitFor(() => expect(isStored).toBe(true), { timeout: 10_000 });
      const outcome = await real.insert(doc);
      isStored ||= spec.name === "messages";
      return outcome;
    };
    return new Proxy(real, {
      get: (target, name) => {
        const value: unknown = name === "insert" ? insert : Reflect.get(target, name);
        return typeof value === "function" ? (value as () => unknown).bind(target) : value;
      },
    });
  });
  expect((await ask(ada.client, question())).message.status).toBe("done");
  expect(newSlots).toBe(0);
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(2);
});
