import { cpSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { v1 } from "#shared/contract/v1.ts";
import { contractRows } from "#tests/house/call-row.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { aVideoFile } from "#tests/video/made-video.ts";

const bitsOf = (token: string) =>
  [...Buffer.from(token, "base64url")].flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> bit) & 1));

test("a session token is 256 random bits without any meaning, and is stored only as a hash", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "100" } });
  const ada = await api.newUser();
  const signIn = async () => (await api.clientFor().auth.login({ email: ada.email, password: PASSWORD })).token;
  const tokens: string[] = [];
  for (let n = 0; n < 20; n += 1) tokens.push(await signIn());
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  expect(new Set(tokens).size).toBe(tokens.length);
  // No bit has the same value in all or nearly all tokens (by chance once in 2^19), so the tokens contain no time, counter or account.
  const bits = tokens.map(bitsOf);
  expect(bits.map(({ length }) => length)).toEqual(tokens.map(() => 256));
  const constant = Array.from({ length: 256 }, (_, at) => new Set(bits.map((bitString) => bitString[at]))).filter(
    ({ size }) => size === 1,
  );
  expect(constant.length).toBeLessThan(4);
  const share = bits.flat().reduce((sum, bit) => sum + bit, 0) / (tokens.length * 256);
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.55);
  await api.stop();
  for await (const path of glob(`${api.dataDir}/lamplight.db*`)) {
    const stored = await readFile(path, "latin1");
    expect(tokens.filter((token) => stored.includes(token))).toEqual([]);
  }
});

test("a changed session token is unknown, and an ended one is refused at once", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const readWith = (token: string) => api.clientFor(token).auth.getUser({});
  const [first = ""] = ada.token;
  const changed = (first === "A" ? "B" : "A") + ada.token.slice(1);
  for (const token of [changed, ada.token.slice(0, -1), `${ada.token}A`, ada.userId])
    await expect(readWith(token)).rejects.toMatchObject({ code: "signed_out" });
  expect((await readWith(ada.token)).user._id).toBe(ada.userId);
  await ada.client.auth.logout({});
  await expect(readWith(ada.token)).rejects.toMatchObject({ code: "signed_out" });
});

const DAY_MS = 86_400_000;

test("a session ends two years after its last refresh, and no idle time ends it earlier", async () => {
  const api = await startApi();
  const { client, token } = await api.newUser();
  const getUser = (own: string) => api.clientFor(own).auth.getUser({});
  api.clock.advance(729 * DAY_MS);
  await expect(getUser(token)).resolves.toBeTruthy();
  const { token: refreshed } = await client.auth.refresh({});
  api.clock.advance(729 * DAY_MS);
  await expect(getUser(refreshed)).resolves.toBeTruthy();
  api.clock.advance(2 * DAY_MS);
  await expect(getUser(refreshed)).rejects.toMatchObject({ code: "signed_out" });
});

test("only a password, Google, Apple and an approved device code give a session token", () => {
  const issuing = contractRows.filter(
    ({ row }) =>
      row.kind === "json" &&
      row.access === "public" &&
      JSON.stringify(z.toJSONSchema(row.output, { io: "output", unrepresentable: "any" })).includes('"token":'),
  );
  expect(issuing.map(({ name }) => name)).toEqual([
    "auth.register",
    "auth.login",
    "auth.finishGoogle",
    "auth.finishApple",
    "connections.pollExtension",
  ]);
});

const open = async ({ origin }: { origin: string }, url: string) => (await fetch(origin + url)).status;

test("a media address is refused by another instance with the same data, which has another secret", async () => {
  const server = await startApi();
  const ada = await server.newUser();
  const { componentId: id } = await aVideoFile(server, ada, Uint8Array.from([1, 2, 3]));
  const own = (await ada.client.video.signStream({ id })).url;
  await server.stop();
  const copy = ownFolder();
  cpSync(server.dataDir, copy, { recursive: true });
  const copiedServer = await startApi({ dataDir: copy, clock: server.clock });
  await copiedServer.deps.store.collection({ name: "secrets", shardKey: "_id", indexes: [] }).remove({});
  const restarted = await startApi({ dataDir: server.dataDir, clock: server.clock });
  const foreign = (await copiedServer.clientFor(ada.token).video.signStream({ id })).url;
  expect([await open(restarted, own), await open(copiedServer, foreign)]).toEqual([200, 200]);
  expect([await open(restarted, foreign), await open(copiedServer, own)]).toEqual([404, 404]);
});

test("password hints and security questions are neither asked, stored nor accepted", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "100" } });
  const hints = {
    hint: "the lamp",
    passwordHint: "the lamp",
    secretQuestion: "pet?",
    secretAnswer: "Rex",
    answer: "Rex",
  };
  const account = { name: "Ada", email: "hints@example.org", timezone: "UTC" };
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(api.origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const registered = await post(v1.auth.register.path, { ...account, password: PASSWORD, ...hints });
  expect(registered.status).toBe(200);
  for (const words of ["the lamp", "Rex", "pet?"]) expect(registered.text).not.toContain(words);
  expect((await post(v1.auth.login.path, { email: account.email, ...hints })).status).toBe(400);
  expect((await post(v1.auth.login.path, { email: account.email, password: "Rex", ...hints })).status).toBe(401);
  const reset = { token: "x".repeat(43), password: "another lamp upon the desk", ...hints };
  expect((await post(v1.auth.resetPassword.path, reset)).status).toBe(400);
  await api.stop();
  for await (const path of glob(`${api.dataDir}/lamplight.db*`))
    expect(await readFile(path, "latin1")).not.toContain("the lamp");
});
