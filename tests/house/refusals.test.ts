import { expect, test } from "vitest";
import { z } from "zod";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";
import { aPicture } from "#tests/kit/files.ts";

/** Generated from the table: what is added to it is held against these, without a line of its own. */
const rows = Object.entries(v1).flatMap(([feature, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, row]) => ({ name: `${feature}.${name}`, row })),
);
const guarded = rows.filter(({ row }) => row.access !== "public");

/** Positions that name a thing: parameters of the path, and fields called an id. */
const idPositions = (row: Endpoint): string[] => {
  const schema = z.toJSONSchema(row.input, { io: "input", unrepresentable: "any" }) as { properties?: object };
  const fields = Object.keys(schema.properties ?? {}).filter((key) => /^id$|Id$/.test(key));
  return [...new Set([...[...row.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ""), ...fields])];
};
const withIds = guarded.filter(({ row }) => idPositions(row).length > 0);

const MISSING = "01JZZZZZZZZZZZZZZZZZZZZZZZ";

/** Sends a row with every id position filled with `id`; what else a row needs is as plain as it can be. */
async function call(api: TestApi, row: Endpoint, id: string, token: string | undefined) {
  const path = row.path.replaceAll(/:\w+/g, encodeURIComponent(id));
  const rest = idPositions(row).filter((key) => !row.path.includes(`:${key}`));
  const isRead = row.method === "GET" || row.method === "DELETE";
  const query = isRead && rest.length > 0 ? `?${new URLSearchParams(rest.map((key) => [key, id])).toString()}` : "";
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const body = isRead ? undefined : bodyOf(row, rest, id);
  if (typeof body === "string") headers["content-type"] = "application/json";
  const response = await fetch(api.origin + path + query, { method: row.method, headers, ...(body ? { body } : {}) });
  const text = await response.text();
  return { status: response.status, text: text.replaceAll(id, "ID") };
}

function bodyOf(row: Endpoint, ids: readonly string[], id: string): string | FormData {
  const fields = Object.fromEntries(ids.map((key) => [key, id]));
  if (row.kind !== "upload") return JSON.stringify(fields);
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append("pdfComponents", JSON.stringify([{ componentId: id }]));
  form.append("options", JSON.stringify({ target: { pageId: id, componentId: id } }));
  if (row.maxFiles === 1) form.append("file", new Blob(["%PDF-1.4\n%%EOF"], { type: "application/pdf" }), "a.pdf");
  return form;
}

/** Each row has students of its own; the limits on calls from one address are not what is tested here. */
const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });

test.each(guarded)("$name refuses signed-out callers", async ({ row }) => {
  for (const token of [undefined, "x".repeat(43)]) {
    const { status, text } = await call(api, row, MISSING, token);
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ code: "signed_out" });
  }
});

test.each(withIds)(
  "$name answers the same for another account's data as for missing data, and changes nothing",
  async ({ row }) => {
    const owner = await api.newUser();
    const stranger = await api.newUser();
    const pageId = await aPage(owner, "Private");
    const deckId = await aDeck(owner, pageId, [aCard("codon")]);
    const { componentId, fileId } = await aPicture(owner, pageId);
    const before = JSON.stringify(await owner.client.pages.getPage({ id: pageId }));
    const missing = await call(api, row, MISSING, stranger.token);
    for (const id of [pageId, deckId, componentId, fileId, owner.userId]) {
      const answer = await call(api, row, id, stranger.token);
      expect(answer).toEqual(missing);
      expect(answer.text).not.toContain("Private");
    }
    expect(JSON.stringify(await owner.client.pages.getPage({ id: pageId }))).toBe(before);
  },
);

test("invalid ids are refused or not found, never a server error", async () => {
  const { token } = await api.newUser();
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
      const { status } = await call(api, row, id, token);
      expect([name, id, status < 500]).toEqual([name, id, true]);
    }
}, 120_000);
