import { expect, onTestFinished, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";

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
