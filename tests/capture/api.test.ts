import { expect, test } from "vitest";
import type { CaptureRecord } from "#shared/capture/schema.ts";
import { startApi } from "#tests/kit/api.ts";

const aRecord = (id: string, more: Partial<CaptureRecord> = {}): CaptureRecord => ({
  _id: `a-capture-${id}`,
  kind: "card",
  address: "https://example.org/ribosomes",
  title: "Ribosomes",
  author: null,
  capturedAt: 1,
  locator: { quote: "the E site", prefix: "leaves from ", suffix: "." },
  pageId: "page",
  componentId: "deck",
  cardId: "card",
  ...more,
});

test("a capture's origin is stored once, even if sent repeatedly, and only for its owner", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const captures = [aRecord("one"), aRecord("two", { kind: "note" })];
  await ada.client.capture.saveCaptures({ accountId: ada.userId, captures });
  await ada.client.capture.saveCaptures({ accountId: ada.userId, captures });
  const listed = await ada.client.capture.listCaptures({});
  expect(listed).toMatchObject({ captures, next: null });
  const nothingNew = await ada.client.capture.listCaptures({ after: listed.upTo });
  expect(nothingNew).toEqual({ captures: [], next: null, upTo: listed.upTo });
  expect((await eve.client.capture.listCaptures({})).captures).toEqual([]);
});

test("another account's captures cannot be read or removed", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const saving = eve.client.capture.saveCaptures({ accountId: ada.userId, captures: [aRecord("one")] });
  await expect(saving).rejects.toMatchObject({ code: "forbidden" });
});

test("a long list is returned page by page", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  for (let from = 0; from < 1200; from += 200) {
    const captures = Array.from({ length: 200 }, (_, i) => aRecord(String(from + i)));
    await ada.client.capture.saveCaptures({ accountId: ada.userId, captures });
    api.clock.advance(1000);
  }
  const seen = new Set<string>();
  let after: number | null = 0;
  while (after !== null) {
    const { captures, next } = await ada.client.capture.listCaptures({ after });
    for (const { _id } of captures) seen.add(_id);
    after = next;
  }
  expect(seen.size).toBe(1200);
});
