import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApi, type TestApi } from "#tests/kit/api.ts";

const aVerifier = () => randomBytes(32).toString("base64url");
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

async function aWorld() {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser({ name: "Eve" })];
  return { api, ada, eve, anyone: api.clientFor() };
}

async function ask(api: TestApi) {
  const verifier = aVerifier();
  const started = await api
    .clientFor()
    .connections.startExtension({ name: "Chrome on Linux", challenge: challengeOf(verifier) });
  return { ...started, verifier };
}

test("an extension is connected by the code that the student confirms, with a token of its own", async () => {
  const { api, ada, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  expect(code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
  expect(await anyone.connections.pollExtension({ deviceId, verifier })).toEqual({ state: "waiting" });
  expect(await ada.client.connections.findExtensionRequest({ code: code.toLowerCase() })).toEqual({
    name: "Chrome on Linux",
    createdAt: api.clock.now(),
  });
  await ada.client.connections.answerExtension({ code, isAllowed: true });
  const answer = await anyone.connections.pollExtension({ deviceId, verifier });
  if (answer.state !== "connected") throw new Error(answer.state);
  expect(answer.user._id).toBe(ada.userId);
  expect(answer.token).not.toBe(ada.token);
  expect((await api.clientFor(answer.token).auth.getUser({})).user.email).toBe(ada.email);
  expect(readFileSync(join(api.dataDir, "lamplight.db")).toString("latin1")).not.toContain(answer.token);
});

test("a disconnected extension is signed out at once, and nobody else is", async () => {
  const { api, ada, eve, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  await ada.client.connections.answerExtension({ code, isAllowed: true });
  const answer = await anyone.connections.pollExtension({ deviceId, verifier });
  if (answer.state !== "connected") throw new Error(answer.state);
  const { tempToken } = await api.clientFor(answer.token).auth.getUser({});
  const { extensions } = await ada.client.connections.listExtensions({});
  expect(extensions).toEqual([{ _id: deviceId, name: "Chrome on Linux", createdAt: api.clock.now() }]);
  expect((await eve.client.connections.listExtensions({})).extensions).toEqual([]);
  await expect(eve.client.connections.removeExtension({ id: deviceId })).rejects.toMatchObject({ code: "not_found" });
  await ada.client.connections.removeExtension({ id: deviceId });
  for (const token of [answer.token, tempToken])
    await expect(api.clientFor(token).study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
  expect((await ada.client.connections.listExtensions({})).extensions).toEqual([]);
  expect((await ada.client.auth.getUser({})).user._id).toBe(ada.userId);
  await expect(ada.client.connections.removeExtension({ id: deviceId })).rejects.toMatchObject({ code: "not_found" });
});

test("an answer that was lost on the way is had again, and the token that was lost with it serves nobody", async () => {
  const { api, ada, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  await ada.client.connections.answerExtension({ code, isAllowed: true });
  const lost = await anyone.connections.pollExtension({ deviceId, verifier });
  const had = await anyone.connections.pollExtension({ deviceId, verifier });
  if (lost.state !== "connected" || had.state !== "connected") throw new Error("not connected");
  await expect(api.clientFor(lost.token).auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  expect((await api.clientFor(had.token).auth.getUser({})).user._id).toBe(ada.userId);
  expect((await ada.client.connections.listExtensions({})).extensions).toHaveLength(1);
});

test("whoever saw the code alone gets no token, and a refusal is told", async () => {
  const { api, ada, eve, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  await expect(anyone.connections.pollExtension({ deviceId, verifier: aVerifier() })).rejects.toMatchObject({
    code: "not_found",
  });
  await ada.client.connections.answerExtension({ code, isAllowed: false });
  expect(await anyone.connections.pollExtension({ deviceId, verifier })).toEqual({ state: "refused" });
  await expect(eve.client.connections.answerExtension({ code, isAllowed: true })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a code is good for ten minutes", async () => {
  const { api, ada, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  api.clock.advance(10 * 60 * 1000 + 1);
  await expect(ada.client.connections.findExtensionRequest({ code })).rejects.toMatchObject({ code: "not_found" });
  await expect(anyone.connections.pollExtension({ deviceId, verifier })).rejects.toMatchObject({ code: "not_found" });
});

test("a token of a day cannot make one of years", async () => {
  const { api, ada } = await aWorld();
  const { code } = await ask(api);
  const { tempToken } = await ada.client.auth.getUser({});
  const answering = api.clientFor(tempToken).connections.answerExtension({ code, isAllowed: true });
  await expect(answering).rejects.toMatchObject({ code: "signed_out" });
});

test("codes are not to be guessed: after some tries there is a pause", async () => {
  const { ada } = await aWorld();
  const tries = Array.from({ length: 30 }, () =>
    ada.client.connections.findExtensionRequest({ code: "BCDFGHJK" }).catch((error: unknown) => error),
  );
  expect((await Promise.all(tries)).at(-1)).toMatchObject({ code: "too_many_requests" });
});
