import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { createClient } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { Failure, FailureBody } from "#shared/contract/failure.ts";
import { v1 } from "#shared/contract/v1.ts";
import { reasons as germanReasons } from "#shared/messages/de/reasons/reasons.ts";
import { reasons } from "#shared/messages/en/reasons/reasons.ts";
import * as german from "#shared/messages/german.ts";
import { renamedReasons } from "#shared/messages/renamed-reasons.ts";
import { setLanguage, translateAll, translateSent } from "#shared/messages/translate.ts";
import { reasonOfIssue } from "#api/http/issue-reason.ts";

const namesIn = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted((a = "", b = "") => (a < b ? -1 : 1));
const inGerman = async () => {
  document.documentElement.lang = "de";
  await setLanguage("de", german);
};

// Code that reads the language of the document needs one here.
vi.stubGlobal("document", { documentElement: { lang: "en" } });
afterEach(async () => {
  document.documentElement.lang = "en";
  await setLanguage("en", { table: {}, titles: {} });
});

test("every reason has an English and a German text with the same placeholders", () => {
  expect(Object.keys(germanReasons).toSorted()).toEqual(Object.keys(reasons).toSorted());
  for (const [key, text] of Object.entries(reasons))
    expect(namesIn(germanReasons[key as keyof typeof reasons]), key).toEqual(namesIn(text));
});

const sources = ["api", "shared", "webapp", "extension"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file) && !/^shared\/messages\/(en|de)\/reasons/.test(file))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
/** Keys that the source builds from parts. */
const COMPOSED = /^(transcript|field)_/;

test("a reason sent or stored under an earlier key is still understood", async () => {
  for (const [earlier, present] of Object.entries(renamedReasons))
    expect([earlier in reasons, present in reasons], earlier).toEqual([false, true]);
  await inGerman();
  expect(translateSent("As it was stored.", { reason: "no_thing" })).toBe(germanReasons.no_item);
});

test("every reason is used", () => {
  const bases = Object.keys(reasons).map((key) => key.replace(/_(one|other)$/, ""));
  expect(bases.filter((key) => !COMPOSED.test(key) && !sources.includes(`"${key}"`))).toEqual([]);
});

test("no server code creates a failure without a reason", () => {
  const files = readdirSync("api", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const without = files.filter((file) =>
    /new Failure\(\s*[^,()]+,\s*\{\s*message\b/.test(readFileSync(join("api", file), "utf8")),
  );
  expect(without).toEqual([]);
});

test("a failure's body contains its reason, its parameters and its English text", async () => {
  await inGerman();
  const failure = new Failure("limit_reached", "daily_uploads_used", { limit: 3 }, { limit: "fileUploads" });
  const body = failure.body();
  expect(FailureBody.parse(body)).toEqual(body);
  expect(body).toEqual({
    status: 402,
    error: "Limit reached",
    code: "limit_reached",
    reason: "daily_uploads_used",
    params: { limit: 3 },
    message: "You've used all 3 uploads today. Upgrade to Ultimate for unlimited uploads!",
    data: { limit: "fileUploads" },
  });
  expect(new Failure("not_found", "no_page").body()).not.toHaveProperty("params");
});

test("a schema error names the field and what it needs", () => {
  const schema = z.object({
    name: z.string().min(2).max(3),
    email: z.email(),
    kind: z.enum(["a", "b"]),
    ids: z.array(z.string()).max(1),
    count: z.number().max(5),
  });
  const good = { name: "abc", email: "x@y.de", kind: "a", ids: [], count: 1 };
  const changes = [
    { name: "" },
    { name: "long" },
    { email: "x" },
    { kind: "c" },
    { ids: ["", ""] },
    { count: 6 },
    { name: 7 },
    { name: undefined },
  ];
  const messages = changes.map((change) => {
    const input = { ...good, ...change };
    const { reason, params } = reasonOfIssue(schema.safeParse(input).error?.issues[0], input);
    return [reason, params];
  });
  expect(messages).toEqual([
    ["field_too_short", { field: "name", least: 2 }],
    ["field_too_long", { field: "name", most: 3 }],
    ["field_email", { field: "email" }],
    ["field_not_an_option", { field: "kind", options: "a, b" }],
    ["field_list_long", { field: "ids", most: 1 }],
    ["field_too_large", { field: "count", most: 5 }],
    ["field_wrong_type", { field: "name" }],
    ["field_missing", { field: "name" }],
  ]);
});

const clientFor = (answer: () => Promise<Response>) =>
  createClient(v1, fetchTransport({ origin: "http://localhost", token: () => undefined, fetch: answer }));

test("the German interface shows failures in German, although the wire carries the specification's English text", async () => {
  const body = new Failure("limit_reached", "daily_uploads_used", { limit: 3 }).body();
  const client = clientFor(async () => new Response(JSON.stringify(body), { status: 402 }));
  const refusal = () => client.user.getUsage({}).catch((error: unknown) => toFailureMessage(error)?.message);

  expect(await refusal()).toBe("You've used all 3 uploads today. Upgrade to Ultimate for unlimited uploads!");
  await inGerman();
  expect(await refusal()).toBe("Du hast heute alle 3 Uploads verbraucht. Mit Ultimate lädst du unbegrenzt hoch!");
});

test("a failed stream shows its message in German too", async () => {
  const failing = { type: "error", seq: 1, ...new Failure("cancelled", "stopped").toEventFields() };
  const client = clientFor(async () => new Response(`\u0002${JSON.stringify(failing)}\u0003`));
  await inGerman();
  const events: unknown[] = [];
  for await (const event of client.pdf.sumUp({ id: "1" })) events.push(event);
  expect(events).toEqual([{ ...failing, message: "Gestoppt." }]);
});

test("a text without a reason, or with an unknown one, is shown as sent", async () => {
  await inGerman();
  expect(translateSent("A sentence of some other server.", {})).toBe("A sentence of some other server.");
  expect(translateSent("New here.", { reason: "of_a_later_version" })).toBe("New here.");
  expect(translateAll("Old. Old.", [])).toBe("Old. Old.");
  expect(translateAll("No. Sorry.", [{ reason: "stopped" }, { reason: "of_a_later_version" }])).toBe("No. Sorry.");
  expect(translateAll("…", [{ reason: "stopped" }, { reason: "not_everything_read" }])).toBe(
    "Gestoppt. Ein Teil des Inhalts konnte nicht gelesen werden.",
  );
});

const noPages = (count: number) => translateSent("", { reason: "pdf_pages_none", params: { count } });

test("a reason with a count has a singular form", async () => {
  await inGerman();
  expect(noPages(1)).toBe("Keine der gewählten Seiten ist vorhanden. Dieses PDF hat 1 Seite.");
  expect(noPages(4)).toBe("Keine der gewählten Seiten ist vorhanden. Dieses PDF hat 4 Seiten.");
});
