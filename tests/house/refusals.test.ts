import { expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { startApi } from "#tests/kit/api.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { callRow, contractRows } from "./call-row.ts";
import { connectExtension } from "#tests/kit/connected-extension.ts";
import { ownOfEach, readOwned } from "#tests/kit/owned-things.ts";
import { isIdName, plainInput } from "#tests/kit/plain-input.ts";

const guarded = contractRows.filter(({ row }) => row.access !== "public");
const hasIds = ({ row }: (typeof contractRows)[number]) =>
  row.path.includes("/:") || Object.keys(plainInput(row.input, MISSING)).some(isIdName);

const MISSING = "01JZZZZZZZZZZZZZZZZZZZZZZZ";
/** Ids of hints that the product shows, which are not data of an account. */
const withoutOwner = new Set(["user.markFeatureSeen"]);
const withIds = guarded.filter((endpoint) => hasIds(endpoint) && !withoutOwner.has(endpoint.name));

/** Sends the least input that a row accepts, with `id` in every id position. */
async function call(row: Endpoint, id: string, token: string | undefined) {
  const { status, text } = await callRow(api.origin, { row, input: plainInput(row.input, id), missing: id, token });
  return { status, text: text.replaceAll(id, "ID") };
}

/** Avoids the rate limit by address, which other tests check. */
const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });
const owner = await api.newUser({ plan: "ULTIMATE" });
const stranger = await api.newUser({ plan: "ULTIMATE" });
const owned = await ownOfEach(owner);
const before = await readOwned(owner, owned);
const tokens = {
  session: stranger.token,
  temp: (await stranger.client.auth.getUser({})).tempToken,
  extension: await connectExtension(api, stranger),
};

test.each(guarded)("$name refuses signed-out callers", async ({ row }) => {
  for (const token of [undefined, "x".repeat(43)]) {
    const { status, text } = await call(row, MISSING, token);
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ code: "signed_out" });
  }
});

const root = await api.newUser({ name: "Root" });
await grantAdmin(api.deps, root.email, true);
const former = await api.newUser({ name: "Former" });
await grantAdmin(api.deps, former.email, true);
await former.client.admin.getInstance({});
const administrative = guarded.filter(({ row }) => row.access === "admin");
const powerless = {
  ordinary: stranger.token,
  "for downloads of an ordinary account": tokens.temp,
  "of an ordinary account's extension": tokens.extension,
  "of an administrator's extension": await connectExtension(api, root),
  "of a former administrator": former.token,
  "of a former administrator, for downloads": (await former.client.auth.getUser({})).tempToken,
};
await grantAdmin(api.deps, former.email, false);

test.each(administrative)("$name is for administrators only", async ({ row }) => {
  for (const [kind, token] of Object.entries(powerless))
    for (const id of [MISSING, owner.userId, root.userId]) {
      const { status, text } = await call(row, id, token);
      expect([kind, status]).toEqual([kind, 403]);
      expect(JSON.parse(text)).toMatchObject({ code: "forbidden" });
    }
});

test("dangerous actions are refused against another administrator, and without the administrator's own password", async () => {
  const { client } = root;
  const other = await api.newUser({ name: "Other" });
  await grantAdmin(api.deps, other.email, true);
  const dangerous = [client.admin.disableAccount, client.admin.removeAccount, client.admin.makeResetLink];
  for (const act of dangerous) {
    await expect(act({ id: other.userId, password: PASSWORD })).rejects.toMatchObject({ code: "forbidden" });
    await expect(act({ id: owner.userId })).rejects.toMatchObject({ code: "wrong_password" });
  }
  await expect(client.admin.demoteAdmin({ id: other.userId })).rejects.toMatchObject({ code: "wrong_password" });
  await other.client.admin.getInstance({});
  expect((await client.admin.listAudit({})).entries).toEqual([]);
});

let attempts = 0;

test.each(withIds)("$name answers the same for another account's id as for a missing one", async ({ row }) => {
  for (const [kind, token] of Object.entries(tokens)) {
    const missing = await call(row, MISSING, token);
    for (const [thing, id] of Object.entries(owned)) {
      const answer = await call(row, id, token);
      attempts += 1;
      expect([kind, thing, answer]).toEqual([kind, thing, missing]);
      expect(answer.text).not.toContain("Private");
    }
  }
});

test("none of these attempts changed the owner's data", async () => {
  expect(await readOwned(owner, owned)).toBe(before);
  expect(attempts).toBeGreaterThan(5000);
  process.stdout.write(`attempts with another account's id: ${attempts}\n`);
});

test("invalid ids are refused or not found, never a server error", async () => {
  const hostile = [
    "..%2f..%2fetc",
    "__proto__",
    "constructor",
    "' OR 1=1 --",
    "$ne",
    '{"$gt":""}',
    "\u0000",
    "%",
    "🧬".repeat(40),
    "a".repeat(5000),
  ];
  for (const { name, row } of withIds)
    for (const id of hostile) {
      const { status } = await call(row, id, tokens.session);
      expect([name, id, status < 500]).toEqual([name, id, true]);
    }
}, 120_000);
