import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { callRow, contractRows } from "#tests/house/call-row.ts";
import { isClientId, listTargets, MISSING, toValue, type Target } from "#tests/house/id-positions.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { connectExtension } from "#tests/kit/connected-extension.ts";
import { ownOfEach, readOwned } from "#tests/kit/owned-things.ts";
import { placeAt, plainInput } from "#tests/kit/plain-input.ts";

// Every endpoint of the contract, with an id of another account at each of its positions in turn, and each kind of token.
// Prints a table of what was sent and answered.

const DAY_MS = 86_400_000;

const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "100000" } });
/** The first account of a server without a public address is an administrator. */
const administrator = await api.newUser({ name: "Root" });
const registered = await api.newUser({ plan: "ULTIMATE" });
api.clock.advance(731 * DAY_MS);

async function signIn({ email, userId }: TestUser): Promise<TestUser> {
  const { token } = await api.clientFor().auth.login({ email, password: PASSWORD });
  return { client: api.clientFor(token), email, userId, token };
}
const getTempToken = async ({ client }: TestUser) => (await client.auth.getUser({})).tempToken;

const replaced = await signIn(registered);
const { token } = await replaced.client.auth.refresh({});
const owner: TestUser = { ...replaced, token, client: api.clientFor(token) };
const root = await signIn(administrator);
const oldTemp = await getTempToken(owner);
api.clock.advance(DAY_MS + 1);

const ended = await signIn(owner);
const endedTemp = await getTempToken(ended);
await ended.client.auth.logout({});
const removedExtension = await connectExtension(api, owner);
for (const { _id: id } of (await owner.client.connections.listExtensions({})).extensions)
  await owner.client.connections.removeExtension({ id });

const stranger = await api.newUser({ plan: "ULTIMATE" });
const owned = await ownOfEach(owner);
const own = await ownOfEach(stranger, "Mine");
const ownersExtension = await connectExtension(api, owner);
const before = await readOwned(owner, owned);

/** Tokens that open nothing, although most of them once opened everything that is asked for. */
const worthless: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  "made up": "x".repeat(43),
  "signed out": ended.token,
  "temp token of a session that signed out": endedTemp,
  "extension that was removed": removedExtension,
  "expired after two years": registered.token,
  "temp token after a day": oldTemp,
  "replaced by a refresh a day ago": replaced.token,
};
const foreign: Readonly<Record<string, string>> = {
  "another account": stranger.token,
  "another account's temp token": await getTempToken(stranger),
  "another account's extension": await connectExtension(api, stranger),
};
/** Tokens that are valid, but for less. */
const ordinary: Readonly<Record<string, string>> = {
  "no administrator": owner.token,
  "no administrator's temp token": await getTempToken(owner),
  "an administrator's extension": await connectExtension(api, root),
};

interface Line {
  endpoints: Set<string>;
  positions: Set<string>;
  requests: number;
  statuses: Map<number, number>;
}
const lines = new Map<string, Line>();

interface Attempt {
  name: string;
  row: Endpoint;
  target: Target | undefined;
  id: string;
}

/** Sends one attempt, counts it, and checks that the answer contains nothing of the owner. */
async function attack(kind: string, { name, row, target, id }: Attempt, sent: string | undefined) {
  const input = target ? placeAt(target.input, target.path, toValue(target.path, id)) : plainInput(row.input, id);
  const { status, text } = await callRow(api.origin, { row, input: input as object, missing: id, token: sent });
  const line = lines.get(kind) ?? { endpoints: new Set(), positions: new Set(), requests: 0, statuses: new Map() };
  line.endpoints.add(name);
  line.positions.add(`${name} ${target?.path.join(".") ?? ""}`);
  line.requests += 1;
  line.statuses.set(status, (line.statuses.get(status) ?? 0) + 1);
  lines.set(kind, line);
  expect([name, kind, target?.path, text.includes("Private")]).toEqual([name, kind, target?.path, false]);
  return { status, text: text.replaceAll(id, "ID") };
}

const ids = Object.values(owned);
const guarded = contractRows.filter(({ row }) => row.access !== "public");
const targetsOf = (row: Endpoint): (Target | undefined)[] => {
  const targets = listTargets(row, own);
  return targets.length > 0 ? targets : [undefined];
};

test.each(guarded)("$name is closed to worthless tokens", async ({ name, row }) => {
  for (const [kind, sent] of Object.entries(worthless))
    for (const target of targetsOf(row))
      for (const id of target ? ids : [MISSING]) {
        const { status } = await attack(kind, { name, row, target, id }, sent);
        expect([kind, target?.path, status]).toEqual([kind, target?.path, 401]);
      }
});

test.each(guarded.filter(({ row }) => row.access === "admin"))("$name is for administrators", async ({ name, row }) => {
  for (const [kind, sent] of Object.entries(ordinary))
    for (const target of targetsOf(row))
      for (const id of target ? [MISSING, root.userId, ...ids] : [MISSING]) {
        const { status } = await attack(kind, { name, row, target, id }, sent);
        expect([kind, target?.path, status]).toEqual([kind, target?.path, 403]);
      }
});

const beyondExtensions = guarded.filter(({ row }) => row.access === "user" && row.forExtension !== true);
test.each(beyondExtensions)("$name is closed to the owner's own extension", async ({ name, row }) => {
  const kind = "the owner's extension, elsewhere";
  for (const target of targetsOf(row))
    for (const id of target ? ids : [MISSING]) {
      const { status } = await attack(kind, { name, row, target, id }, ownersExtension);
      expect([target?.path, status]).toEqual([target?.path, 403]);
    }
});

/** Hints that the product shows have ids, but belong to nobody. */
const withIds = contractRows.filter(
  ({ name, row }) => row.access !== "admin" && name !== "user.markFeatureSeen" && listTargets(row, own).length > 0,
);

test.each(withIds)("$name finds nothing of another account", async ({ name, row }) => {
  const kinds = row.access === "public" ? { ...foreign, none: undefined } : foreign;
  for (const target of listTargets(row, own).filter(({ path }) => !isClientId(row, path)))
    for (const [kind, sent] of Object.entries(kinds)) {
      const missing = await attack(kind, { name, row, target, id: ulid() }, sent);
      for (const [thing, id] of Object.entries(owned)) {
        const { status } = await attack(kind, { name, row, target, id }, sent);
        expect([kind, target.path, thing, status]).toEqual([kind, target.path, thing, missing.status]);
      }
    }
});

test("nothing of the owner changed, and the table has every endpoint", async () => {
  expect(await readOwned(owner, owned)).toBe(before);
  expect(lines.get("signed out")?.endpoints.size).toBe(guarded.length);
  const total = { requests: 0, positions: new Set<string>(), endpoints: new Set<string>() };
  const written = [...lines].map(([kind, { endpoints, positions, requests, statuses }]) => {
    total.requests += requests;
    for (const position of positions) total.positions.add(position);
    for (const name of endpoints) total.endpoints.add(name);
    const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    return `| ${kind} | ${endpoints.size} | ${positions.size} | ${requests} | ${answers.join(", ")} |`;
  });
  const head = "| token | endpoints | positions | requests | answers |\n| --- | --- | --- | --- | --- |";
  const sum = `| all | ${total.endpoints.size} | ${total.positions.size} | ${total.requests} | |`;
  process.stdout.write(`${[head, ...written, sum].join("\n")}\n`);
});
