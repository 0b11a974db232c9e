import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { proposeModels } from "#shared/tutor/model-choice.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { startApi } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";

const GIBIBYTE = 2 ** 30;

/** An administrator of a server with an Ollama server, whose list of models `tags` answers. */
async function anAdmin(tags?: (response: ServerResponse) => void, script: Parameters<typeof startModelServer>[0] = {}) {
  const server = await startModelServer({ ...script, ...(tags && { tags }) });
  onTestFinished(() => server.close());
  const origin = server.baseUrl.replace("/v1", "");
  const api = await startApi({ env: { OLLAMA_URL: origin } });
  const user = await api.newUser({ plan: "ULTIMATE" });
  await grantAdmin(api.deps, user.email, true);
  return { server, origin, api, client: user.client };
}

const answer = (status: number, body: string) => (response: ServerResponse) => {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
};
const listing = (...names: string[]) => JSON.stringify({ models: names.map((name) => ({ name })) });

test("the models of an Ollama server are found, those for embeddings left out", async () => {
  const { client, origin } = await anAdmin(answer(200, listing("tiny:1b", "nomic-embed-text")));
  const found = await client.tutor.lookForModels({});
  expect(found).toMatchObject({
    server: "found",
    address: origin,
    models: [{ id: "ollama/tiny:1b", name: "tiny:1b" }],
  });
  expect(found.memoryBytes).toBeGreaterThan(GIBIBYTE / 2);
  expect(found.best.sizeBytes).toBeGreaterThan(found.faster.sizeBytes);
});

test.each([
  ["no model", answer(200, listing()), "empty"],
  ["only one for embeddings", answer(200, listing("nomic-embed-text")), "empty"],
  ["an error", answer(500, "{}"), "broken"],
  ["another program's page", answer(200, "<!doctype html>"), "broken"],
  ["JSON of another form", answer(200, '{"models":"none"}'), "broken"],
  ["a redirect", (response: ServerResponse) => void response.writeHead(302, { location: "/" }).end(), "broken"],
  ["a closed connection", (response: ServerResponse) => void response.destroy(), "broken"],
])("a server with %s is told apart from one that is not there", async (_, tags, state) => {
  const { client } = await anAdmin(tags);
  expect(await client.tutor.lookForModels({})).toMatchObject({ server: state, models: [] });
});

test("without Ollama two models are proposed, and looking again finds a model installed meanwhile", async () => {
  let listed: string[] | undefined = [];
  const { client, server, api } = await anAdmin((response) =>
    listed === undefined ? answer(500, "{}")(response) : answer(200, listing(...listed))(response),
  );
  expect((await client.tutor.listModels({})).models).toHaveLength(1);
  listed = ["tiny:1b"];
  expect(await client.tutor.lookForModels({})).toMatchObject({ server: "found" });
  // The found models stay listed without a new search, even while the server fails.
  listed = undefined;
  expect((await client.tutor.listModels({})).models).toHaveLength(2);
  api.clock.advance(61_000);
  expect((await client.tutor.listModels({})).models).toHaveLength(2);
  await server.close();
  const absent = await client.tutor.lookForModels({});
  expect(absent.server).toBe("absent");
  expect((await client.tutor.listModels({})).models).toHaveLength(1);
  expect([absent.best.name, absent.faster.name]).toEqual([
    proposeModels(absent.memoryBytes).best.name,
    proposeModels(absent.memoryBytes).faster.name,
  ]);
});

test("a model test makes cards from the built-in passage only, with a model and without", async () => {
  const { client, server } = await anAdmin();
  const [builtin, model] = [
    await client.tutor.testModel({ modelId: "lamplight-builtin" }),
    await client.tutor.testModel({ modelId: "ollama/tiny:1b" }),
  ];
  expect(builtin.cards.length).toBeGreaterThan(2);
  expect(model.cards.length).toBeGreaterThan(2);
  expect(server.requests.every(({ prompt }) => prompt.includes("glacier"))).toBe(true);
  server.play("invented_quotes");
  const invented = await client.tutor.testModel({ modelId: "ollama/tiny:1b" });
  expect(invented.rejected).toBeGreaterThan(0);
  await expect(client.tutor.testModel({ modelId: "ollama/gone" })).rejects.toMatchObject({ code: "not_found" });
  server.play(...Array.from({ length: 9 }, () => "bad_key" as const));
  await expect(client.tutor.testModel({ modelId: "ollama/tiny:1b" })).rejects.toMatchObject({
    code: "model_unavailable",
  });
});

test("leaving a model test aborts the request to the model", async () => {
  const { client, server } = await anAdmin();
  server.play("silent");
  const leaving = new AbortController();
  const running = client.tutor.testModel({ modelId: "ollama/tiny:1b" }, { signal: leaving.signal });
  await expect.poll(() => server.requests.length).toBe(1);
  expect(server.requests[0]?.wasClosedEarly).toBe(false);
  leaving.abort();
  await expect(running).rejects.toMatchObject({ reason: "aborted" });
  await expect.poll(() => server.requests[0]?.wasClosedEarly).toBe(true);
  expect(server.requests).toHaveLength(1);
});

test("only an administrator can read the properties of the machine", async () => {
  const { api } = await anAdmin();
  const { client } = await api.newUser();
  await expect(client.tutor.lookForModels({})).rejects.toMatchObject({ code: "forbidden" });
  await expect(client.tutor.testModel({ modelId: "lamplight-builtin" })).rejects.toMatchObject({ code: "forbidden" });
});

const names = (gibibytes: number) => {
  const { best, faster } = proposeModels(gibibytes * GIBIBYTE);
  return [best.name, faster.name];
};

test("the larger of the two proposed models leaves memory for everything else", () => {
  expect(names(2)).toEqual(["qwen2.5:1.5b", "gemma3:1b"]);
  expect(names(8)).toEqual(["gemma3:4b", "qwen2.5:1.5b"]);
  expect(names(16)).toEqual(["qwen2.5:7b", "qwen2.5:1.5b"]);
  expect(names(24)).toEqual(["qwen2.5:14b", "gemma3:4b"]);
  expect(names(64)).toEqual(["gemma3:27b", "gemma3:12b"]);
});
