import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createResetLinkFor } from "#api/auth/service.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { failOnce } from "#tests/store/failing-store.ts";

const aVerifier = () => randomBytes(32).toString("base64url");
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

async function aWorld() {
  const api = await startApi();
  // The first account is the administrator, who cannot be deleted while there are other accounts.
  const eve = await api.newUser({ name: "Eve" });
  const ada = await api.newUser();
  return { api, ada, eve, anyone: api.clientFor() };
}

async function ask(api: TestApi) {
  const verifier = aVerifier();
  const started = await api
    .clientFor()
    .connections.startExtension({ name: "Chrome on Linux", challenge: challengeOf(verifier) });
  return { ...started, verifier };
}

test("an extension connects with a code that the student confirms, and gets its own token", async () => {
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

test("disconnecting an extension signs it out at once, and nobody else", async () => {
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

test("a code yields one token: polling again returns it until its first use, and fails afterwards", async () => {
  const { api, ada, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  await ada.client.connections.answerExtension({ code, isAllowed: true });
  const poll = () => anyone.connections.pollExtension({ deviceId, verifier });
  const lost = await poll();
  const had = await poll();
  if (lost.state !== "connected" || had.state !== "connected") throw new Error("not connected");
  expect(had.token).toBe(lost.token);
  expect((await ada.client.connections.listExtensions({})).extensions).toHaveLength(1);
  await api.clientFor(had.token).study.getDue({});
  await expect(poll()).rejects.toMatchObject({ code: "not_found" });
  await api.clientFor(had.token).study.getDue({});
});

test("of concurrent polls of one approval, one connects, and all get the same token", async () => {
  const { api, ada, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  await ada.client.connections.answerExtension({ code, isAllowed: true });
  const settled = await Promise.allSettled(
    Array.from({ length: 8 }, () => anyone.connections.pollExtension({ deviceId, verifier })),
  );
  const given = settled.flatMap((outcome) =>
    outcome.status === "fulfilled" && outcome.value.state === "connected" ? [outcome.value.token] : [],
  );
  expect(new Set(given).size).toBe(1);
  expect((await ada.client.auth.listSessions({})).sessions).toHaveLength(2);
});

test.each(["extensions", "tokens", "sessions"])(
  "if storing the %s of a new connection fails, no token is valid that the student cannot see and disconnect",
  async (collection) => {
    const { api, ada, anyone } = await aWorld();
    const { deviceId, code, verifier } = await ask(api);
    await ada.client.connections.answerExtension({ code, isAllowed: true });
    const { store } = failOnce(api.deps.store, collection, "insert");
    const working = api.deps.store;
    Object.assign(api.deps, { store });
    const poll = () => anyone.connections.pollExtension({ deviceId, verifier }).catch(() => undefined);
    expect(await poll()).toBeUndefined();
    Object.assign(api.deps, { store: working });
    const again = await poll();
    const { extensions } = await ada.client.connections.listExtensions({});
    expect(extensions).toHaveLength(again?.state === "connected" ? 1 : 0);
  },
);

const OTHER = "another lamp upon the desk";
type World = Awaited<ReturnType<typeof aWorld>>;

/** Actions after which the account has no approved request and no extension. */
const revocations: Record<string, (world: World) => Promise<unknown>> = {
  "sign-out": ({ ada }) => ada.client.auth.logout({}),
  "sign-out everywhere else": ({ ada }) => ada.client.auth.removeOtherSessions({}),
  "the removal of the other sessions": async ({ api, ada }) => {
    await api.clientFor().auth.login({ email: ada.email, password: PASSWORD });
    for (const { id, isCurrent } of (await ada.client.auth.listSessions({})).sessions)
      if (!isCurrent) await ada.client.auth.removeSession({ id });
  },
  "a changed password": ({ ada }) => ada.client.auth.changePassword({ password: PASSWORD, newPassword: OTHER }),
  "a password set by the operator's link": async ({ api, ada }) => {
    const link = new URL((await createResetLinkFor(api.deps, ada.email)) ?? "");
    await api.clientFor().auth.resetPassword({ token: link.hash.slice("#token=".length), password: OTHER });
  },
  "the operator's sign-out": async ({ api, ada }) => {
    const env = { ...process.env, DATA_DIR: api.dataDir };
    execFileSync(process.execPath, ["scripts/account-command.ts", "sign-out", ada.email], { env });
  },
  "the deletion of the account": ({ ada }) => ada.client.user.deleteAccount({ password: PASSWORD }),
  "the removal of another extension": async (world) => {
    const { deviceId, code, verifier } = await ask(world.api);
    await world.ada.client.connections.answerExtension({ code, isAllowed: true });
    await world.anyone.connections.pollExtension({ deviceId, verifier });
    await world.ada.client.connections.removeExtension({ id: deviceId });
  },
};

test.each(Object.keys(revocations))("after %s, an approval that wasn't collected issues no token", async (name) => {
  const world = await aWorld();
  const { deviceId, code, verifier } = await ask(world.api);
  await world.ada.client.connections.answerExtension({ code, isAllowed: true });
  await revocations[name]?.(world);
  await expect(world.anyone.connections.pollExtension({ deviceId, verifier })).rejects.toMatchObject({
    code: "not_found",
  });
});

test.each(Object.keys(revocations).filter((name) => !/^sign-out$|another/.test(name)))(
  "after %s, polling doesn't connect again, and the token is revoked, whether used or not",
  async (name) => {
    for (const isUsed of [true, false]) {
      const world = await aWorld();
      const { deviceId, code, verifier } = await ask(world.api);
      await world.ada.client.connections.answerExtension({ code, isAllowed: true });
      const answer = await world.anyone.connections.pollExtension({ deviceId, verifier });
      if (answer.state !== "connected") throw new Error(answer.state);
      const extension = world.api.clientFor(answer.token);
      if (isUsed) await extension.study.getDue({});
      await revocations[name]?.(world);
      await expect(extension.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
      await expect(world.anyone.connections.pollExtension({ deviceId, verifier })).rejects.toMatchObject({
        code: "not_found",
      });
    }
  },
);

test("a removed extension has no valid token left, and couldn't issue one itself", async () => {
  const { api, ada, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  await ada.client.connections.answerExtension({ code, isAllowed: true });
  const answer = await anyone.connections.pollExtension({ deviceId, verifier });
  if (answer.state !== "connected") throw new Error(answer.state);
  const extension = api.clientFor(answer.token);
  const { tempToken } = await extension.auth.getUser({});
  await expect(extension.auth.refresh({})).rejects.toMatchObject({ code: "forbidden" });
  await ada.client.connections.removeExtension({ id: deviceId });
  for (const token of [answer.token, tempToken])
    await expect(api.clientFor(token).study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
  expect((await ada.client.auth.listSessions({})).sessions).toHaveLength(1);
});

test("knowing only the code yields no token, and a refusal is reported", async () => {
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

test("a code expires after ten minutes", async () => {
  const { api, ada, anyone } = await aWorld();
  const { deviceId, code, verifier } = await ask(api);
  api.clock.advance(10 * 60 * 1000 + 1);
  await expect(ada.client.connections.findExtensionRequest({ code })).rejects.toMatchObject({ code: "not_found" });
  await expect(anyone.connections.pollExtension({ deviceId, verifier })).rejects.toMatchObject({ code: "not_found" });
});

test("a temp token can't be exchanged for a long-lived one", async () => {
  const { api, ada } = await aWorld();
  const { code } = await ask(api);
  const { tempToken } = await ada.client.auth.getUser({});
  const answering = api.clientFor(tempToken).connections.answerExtension({ code, isAllowed: true });
  await expect(answering).rejects.toMatchObject({ code: "signed_out" });
});

test("guessing codes is rate-limited", async () => {
  const { ada } = await aWorld();
  const tries = Array.from({ length: 30 }, () =>
    ada.client.connections.findExtensionRequest({ code: "BCDFGHJK" }).catch((error: unknown) => error),
  );
  expect((await Promise.all(tries)).at(-1)).toMatchObject({ code: "too_many_requests" });
});
