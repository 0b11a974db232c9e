import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { isFull } from "#tests/kit/all-cases.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";

const withBody = Object.entries(v1).flatMap(([feature, rows]) =>
  Object.entries(rows as Record<string, Endpoint>)
    .filter(([, row]) => row.method !== "GET" && row.method !== "DELETE" && row.kind === "json")
    .map(([name, row]) => ({ name: `${feature}.${name}`, row })),
);

const addressOf = (api: TestApi, row: Endpoint) =>
  api.origin + row.path.replaceAll(/:\w+/g, "01JZZZZZZZZZZZZZZZZZZZZZZZ");

async function send(api: TestApi, row: Endpoint, token: string, body: Uint8Array | string | undefined) {
  const response = await fetch(addressOf(api, row), {
    method: row.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: body as string }),
  });
  await response.arrayBuffer();
  return response.status;
}

const notObjects = ["null", "[]", "[1,2]", "0", "17", '"text"', "true", "", "{", "\u0000", "nul", '{"a":1}}'];

/** Avoids the rate limit by address, which other tests check. */
const shared = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });

test.each(withBody)("$name answers 4xx to null, array, number and broken bodies", async ({ row }) => {
  // Some rows end their session.
  const { token } = await shared.newUser();
  for (const body of notObjects.filter((text) => text !== "")) {
    const status = await send(shared, row, token, body);
    expect([status >= 400 && status < 500, body]).toEqual([true, body]);
  }
  // 501 is also allowed, for features that the operator has not set up.
  const status = await send(shared, row, token, undefined);
  expect(status < 500 || status === 501).toBe(true);
  expect((await fetch(`${shared.origin}/health`)).status).toBe(200);
});

/** Each route receives one of this many parts of the files, and the next route the next part. */
const PARTS = isFull ? 1 : 4;

test("files of the JSON corpus are answered below 500 on every route, and the process survives", async () => {
  const files = corpusFiles("json").map((path) => ({ path, bytes: readFileSync(path) }));
  const api = await startApi();
  const { token } = await api.newUser();
  const failures: string[] = [];
  const rows = withBody.filter((endpoint) => endpoint.row.rate === undefined);
  for (const [part, { name, row }] of rows.entries())
    for (const { path, bytes } of files.filter((_, index) => index % PARTS === part % PARTS)) {
      const status = await send(api, row, token, bytes);
      if (status >= 500) failures.push(`${name} ${path} ${status}`);
    }
  expect(failures).toEqual([]);
  expect((await fetch(`${api.origin}/health`)).status).toBe(200);
}, 120_000);

test("returns 413 for a body over the limit, whatever length it declares", async () => {
  const api = await startApi();
  const { token } = await api.newUser();
  const status = await send(api, v1.user.savePreferences, token, JSON.stringify({ x: "a".repeat(1024 * 1024) }));
  expect(status).toBe(413);
});
