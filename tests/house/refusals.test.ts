import { expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { startApi } from "#tests/kit/api.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { connectExtension } from "#tests/kit/connected-extension.ts";
import { ownOfEach } from "#tests/kit/owned-things.ts";
import { isIdName, plainInput } from "#tests/kit/plain-input.ts";

/** Generated from the contract, so that a new endpoint is tested automatically. */
const rows = Object.entries(v1).flatMap(([feature, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, row]) => ({ name: `${feature}.${name}`, row })),
);
const guarded = rows.filter(({ row }) => row.access !== "public");
const hasIds = ({ row }: (typeof rows)[number]) =>
  row.path.includes("/:") || Object.keys(plainInput(row.input, MISSING)).some(isIdName);

const MISSING = "01JZZZZZZZZZZZZZZZZZZZZZZZ";
/** Ids of hints that the product shows, which are not data of an account. */
const withoutOwner = new Set(["user.markFeatureSeen"]);
const withIds = guarded.filter((each) => hasIds(each) && !withoutOwner.has(each.name));

/** Sends the least input that a row accepts, with `id` in every id position. */
async function call(row: Endpoint, id: string, token: string | undefined) {
  const input = plainInput(row.input, id);
  const path = row.path.replaceAll(/:(\w+)/g, (_, key: string) => {
    const value = isIdName(key) || !(key in input) ? id : String(input[key]);
    delete input[key];
    return encodeURIComponent(value);
  });
  const isRead = row.method === "GET" || (row.method === "DELETE" && !row.hasBody);
  const query = isRead ? `?${new URLSearchParams(toFields(input)).toString()}` : "";
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const body = isRead ? undefined : bodyOf(row, input);
  if (typeof body === "string") headers["content-type"] = "application/json";
  const response = await fetch(api.origin + path + query, { method: row.method, headers, ...(body ? { body } : {}) });
  const text = await response.text();
  return { status: response.status, text: text.replaceAll(id, "ID") };
}

const toFields = (input: object) =>
  Object.entries(input).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);

function bodyOf(row: Endpoint, input: Record<string, unknown>): string | FormData {
  if (row.kind !== "upload") return JSON.stringify(input);
  const form = new FormData();
  for (const [key, value] of toFields(input)) form.append(key, value);
  if (row.maxFiles === 1) form.append("file", new Blob(["%PDF-1.4\n%%EOF"], { type: "application/pdf" }), "a.pdf");
  return form;
}

/** Avoids the rate limit by address, which other tests check. */
const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });
const owner = await api.newUser({ plan: "ULTIMATE" });
const stranger = await api.newUser({ plan: "ULTIMATE" });
const owned = await ownOfEach(owner);
const before = await stateOf();
const tokens = {
  session: stranger.token,
  temp: (await stranger.client.auth.getUser({})).tempToken,
  extension: await connectExtension(api, stranger),
};

/** The content of the account as its owner sees it. */
async function stateOf(): Promise<string> {
  const { client } = owner;
  const { content } = await client.pages.getContent({});
  const page = await client.pages.getPage({ id: owned["page"] ?? "" });
  const threads = await client.tutor.getThread({ threadId: owned["conversation"] ?? "" });
  const project = await client.website.getProject({ id: owned["project"] ?? "" });
  const { conversation } = await client.research.getConversation({ id: owned["research"] ?? "" });
  const { sessions } = await client.auth.listSessions({});
  const { upload } = await client.uploads.getUpload({ id: owned["upload"] ?? "" });
  const devices = sessions.map(({ id }) => id);
  return JSON.stringify({ content, page, threads, project, conversation, devices, upload });
}

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

test.each(administrative)("$name is for administrators alone", async ({ row }) => {
  for (const [kind, token] of Object.entries(powerless))
    for (const id of [MISSING, owner.userId, root.userId]) {
      const { status, text } = await call(row, id, token);
      expect([kind, status]).toEqual([kind, 403]);
      expect(JSON.parse(text)).toMatchObject({ code: "forbidden" });
    }
});

test("no administrator does anything dangerous to another, and none without their own password", async () => {
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

test("none of these attempts changed anything of the owner", async () => {
  expect(await stateOf()).toBe(before);
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
