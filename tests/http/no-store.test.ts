import { expect, test } from "vitest";
import { z } from "zod";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";

const rows = Object.entries(v1).flatMap(([feature, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, row]) => ({ name: `${feature}.${name}`, row })),
);
const declared = rows.filter(({ row }) => row.noStore);

/** Fields of an answer that contain credentials or links that work without a token. */
const SECRET_FIELD = /^(token|tempToken|authUrl|deviceId|invites?)$/;

function fieldNames(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "properties" in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(fieldNames)];
}

test("every endpoint that returns a token or a code is declared `noStore`", () => {
  const carrying = rows.filter(
    ({ row }) =>
      row.kind === "json" &&
      fieldNames(z.toJSONSchema(row.output, { io: "output", unrepresentable: "any" })).some((field) =>
        SECRET_FIELD.test(field),
      ),
  );
  expect(carrying.length).toBeGreaterThan(8);
  expect(carrying.filter(({ row }) => !row.noStore).map(({ name }) => name)).toEqual([]);
});

test("every response of a `noStore` endpoint has the header, including errors", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const { token, email } = await api.newUser();
  const bodies: Record<string, object> = {
    "auth.login": { email, password: PASSWORD },
    "auth.register": { name: "Grace", email: "grace@example.org", password: PASSWORD },
    "connections.startExtension": { name: "Chrome", challenge: "x".repeat(43) },
  };
  const succeeded: string[] = [];
  // The refresh is last, because it replaces the token.
  for (const { name, row } of declared.toSorted((a) => (a.name === "auth.refresh" ? 1 : -1))) {
    const response = await fetch(api.origin + row.path.replaceAll(/:\w+/g, "01JZZZZZZZZZZZZZZZZZZZZZZZ"), {
      method: row.method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(row.method === "GET" ? {} : { body: JSON.stringify(bodies[name] ?? {}) }),
    });
    expect([name, response.headers.get("cache-control")]).toEqual([name, "no-store"]);
    if (response.ok) succeeded.push(name);
  }
  expect(succeeded.toSorted()).toEqual([
    "auth.createInvite",
    "auth.getUser",
    "auth.listInvites",
    "auth.login",
    "auth.refresh",
    "auth.register",
    "connections.getCalendarFeed",
    "connections.saveCalendarFeed",
    "connections.startExtension",
  ]);
});
