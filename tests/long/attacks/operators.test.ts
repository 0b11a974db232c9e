import { ulid } from "ulid";
import { afterAll, describe, expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { syncData, type SyncType } from "#shared/sync/schema.ts";
import type { Collection, CollectionSpec, Doc } from "#api/store/port.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { ownOfEach } from "#tests/kit/owned-things.ts";
import { inputPositions, placeAt, plainInput } from "#tests/kit/plain-input.ts";
import { startMongoWire } from "#tests/store/mongo-wire.ts";

/** Part of every operator, so that the test recognises it in a query. */
const MARK = "lamplight-operator";
/** Conditions of MongoDB, and those of our own store. */
const operators: readonly object[] = [{ $ne: MARK }, { not: MARK }];

const rows = Object.entries(v1).flatMap(([feature, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, row]) => ({ name: `${feature}.${name}`, row })),
);

const isRead = (row: Endpoint) => row.method === "GET" || (row.method === "DELETE" && !row.hasBody);

/** The conditions of a call of the store, by path. */
function conditionsOf(call: string, filter: unknown): [string, unknown][] {
  if (call === "get") return [["_id", filter]];
  return ["find", "patch", "remove", "count"].includes(call) ? Object.entries(filter ?? {}) : [];
}

/** Records every query that contains a sent operator. A condition must never be an object from the caller. */
function watchQueries(api: TestApi): string[] {
  const reached: string[] = [];
  const { store } = api.deps;
  const open = store.collection.bind(store);
  const watch = <T extends Doc>(spec: CollectionSpec<T>): Collection<T> =>
    new Proxy(open(spec), {
      get(target, key) {
        const found: unknown = Reflect.get(target, key);
        if (typeof found !== "function") return found;
        return (...args: unknown[]): unknown => {
          for (const [path, condition] of conditionsOf(String(key), args[0]))
            // A text that looks like an operator is only a text; its quotation marks are escaped.
            if (typeof condition === "object" && JSON.stringify(condition).includes(`"${MARK}"`))
              reached.push(`${spec.name}.${path}: ${JSON.stringify(condition)}`);
          return found.apply(target, args) as unknown;
        };
      },
    });
  Object.defineProperty(store, "collection", { value: watch });
  return reached;
}

const fill = (path: string, input: Record<string, unknown>) =>
  path.replaceAll(/:(\w+)/g, (_, key: string) => {
    const value = input[key];
    delete input[key];
    return encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value ?? "x"));
  });

/** `?id[$ne]=x`, which some query parsers read as an object, and the operator as JSON. */
function queryOf(input: Record<string, unknown>): string[] {
  const asJson = Object.entries(input).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const nested = Object.entries(input).flatMap(([key, value]): [string, string][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([name, inner]): [string, string] => [`${key}[${name}]`, String(inner)])
      : [[key, String(value)]],
  );
  return [asJson, nested].map((pairs) => `?${new URLSearchParams(pairs).toString()}`);
}

function bodyOf(row: Endpoint, input: object): string | FormData {
  if (row.kind !== "upload") return JSON.stringify(input);
  const form = new FormData();
  for (const [key, value] of Object.entries(input))
    form.append(key, typeof value === "string" ? value : JSON.stringify(value));
  return form;
}

async function send(api: TestApi, row: Endpoint, sent: unknown, token: string): Promise<number[]> {
  const input = { ...(sent as Record<string, unknown>) };
  const path = api.origin + fill(row.path, input);
  const headers: Record<string, string> = row.access === "public" ? {} : { authorization: `Bearer ${token}` };
  const statuses: number[] = [];
  for (const query of isRead(row) ? queryOf(input) : [""]) {
    const body = isRead(row) ? undefined : bodyOf(row, input);
    if (typeof body === "string") headers["content-type"] = "application/json";
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(path + query, { method: row.method, headers, signal, ...(body ? { body } : {}) });
    const text = row.kind === "stream" ? "" : await response.text();
    await response.body?.cancel().catch(() => undefined);
    expect([row.path, text.includes("Private")]).toEqual([row.path, false]);
    statuses.push(response.status);
  }
  return statuses;
}

const aRequest = (type: SyncType) => ({
  id: ulid(),
  clientId: "a-client",
  seq: 1,
  resourceId: ulid(),
  baseVersion: 1,
  createdAt: 1,
  type,
  data: plainInput(syncData[type], ulid()),
});

/** Sends every operator at every position; resolves to the number of requests and the failures. */
async function attack(api: TestApi, shapes: readonly object[]): Promise<{ sent: number; broken: string[] }> {
  const owner = await api.newUser({ plan: "ULTIMATE" });
  await ownOfEach(owner);
  const { token } = await api.newUser({ plan: "ULTIMATE" });
  const before = JSON.stringify((await owner.client.pages.getContent({})).content);
  const broken: string[] = [];
  let sent = 0;
  const count = (name: string, statuses: readonly number[]) => {
    sent += statuses.length;
    for (const status of statuses) if (status >= 500 && status !== 501) broken.push(`${name} ${status}`);
  };
  for (const { name, row } of rows)
    for (const path of inputPositions(row.input, ulid()))
      for (const shape of shapes)
        count(
          `${name} ${path.join(".")}`,
          await send(api, row, placeAt(plainInput(row.input, ulid()), path, shape), token),
        );
  for (const type of Object.keys(syncData) as SyncType[])
    for (const path of inputPositions(syncData[type], ulid())
      .map((inner) => ["data", ...inner])
      .concat([["id"], ["clientId"], ["seq"], ["resourceId"], ["baseVersion"], ["createdAt"], ["type"]]))
      for (const shape of shapes) {
        const payload = [placeAt(aRequest(type), path, shape)];
        count(`sync ${type} ${path.join(".")}`, await send(api, v1.sync.sendChanges, { payload }, token));
      }
  expect(JSON.stringify((await owner.client.pages.getContent({})).content)).toBe(before);
  return { sent, broken };
}

const env = { RATE_LIMIT_FACTOR: "100000" };
const wire = await startMongoWire();
if (!("missing" in wire)) afterAll(() => wire.stop());

describe("operators in place of values", () => {
  test("reach no query, from any position of any endpoint and of any change", async () => {
    const api = await startApi({ env });
    const reached = watchQueries(api);
    const { sent, broken } = await attack(api, operators);
    process.stdout.write(`operators sent: ${sent}\n`);
    expect(broken).toEqual([]);
    expect(reached).toEqual([]);
  });

  test.skipIf("missing" in wire)("find and change nothing on MongoDB", async () => {
    if ("missing" in wire) return;
    const uri = new URL(`/operators-${process.pid}`, wire.uri);
    // One connection, because FerretDB 1 reads and writes a document in two steps.
    if (wire.name.startsWith("FerretDB")) uri.searchParams.set("maxPoolSize", "1");
    const { sent, broken } = await attack(
      await startApi({ env: { ...env, MONGODB_URI: uri.href } }),
      operators.slice(0, 1),
    );
    process.stdout.write(`operators sent to MongoDB: ${sent}\n`);
    expect(broken).toEqual([]);
  });
});
