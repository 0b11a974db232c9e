import * as fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { live, ops } from "./story.ts";
import type { Op } from "./world.ts";

/** Two browsers with two tabs each against the real server code; `npm run test:long` asks for more runs. */
const RUNS = Number(process.env["SYNC_RUNS"] ?? 500);

test("whatever happens, nothing acknowledged is lost, nothing is doubled, and everything unsaved is still visible", async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (story) => {
      expect(await live(story)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 300_000);

const add = (tab: number): Op => ({ kind: "add card", tab, pick: 0 });

test("a card added before the answer to another tab's card was heard leaves that card in the deck", async () => {
  expect(await live([add(1), add(0), { kind: "wait", ms: 600 }, add(0), { kind: "wait", ms: 80 }, add(0)])).toEqual([]);
});

test("two devices that write one card leave both texts, also where the second of them was adding to the deck", async () => {
  const story: Op[] = [
    { kind: "add card", tab: 0, pick: 0 },
    { kind: "change card", tab: 2, pick: 0 },
    { kind: "network", browser: 0, fates: [{ kind: "late", delayMs: 0 }] },
    { kind: "wait", ms: 600 },
    { kind: "change card", tab: 0, pick: 0 },
    { kind: "wait", ms: 0 },
    { kind: "type", tab: 0, pick: 0 },
    { kind: "wait", ms: 40 },
  ];
  expect(await live(story)).toEqual([]);
});

test("a text that two tabs bring back and then write into keeps what both wrote", async () => {
  const story: Op[] = [
    { kind: "delete", tab: 3, pick: 0 },
    { kind: "delete", tab: 3, pick: 0 },
    { kind: "delete", tab: 2, pick: 0 },
    { kind: "restore", tab: 3, pick: 0 },
    { kind: "type", tab: 3, pick: 0 },
    { kind: "restore", tab: 2, pick: 0 },
    { kind: "type", tab: 2, pick: 561 },
  ];
  expect(await live(story)).toEqual([]);
});

test("a deck read anew while another tab's card is on its way keeps what another device changed", async () => {
  const story: Op[] = [
    { kind: "add card", tab: 0, pick: 0 },
    { kind: "change card", tab: 2, pick: 0 },
    { kind: "wait", ms: 640 },
    { kind: "reload", tab: 1, pick: 0 },
    { kind: "add card", tab: 1, pick: 0 },
    { kind: "wait", ms: 0 },
    { kind: "title", tab: 0, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
  ];
  expect(await live(story)).toEqual([]);
});

test("what one tab wrote over a text that another one deletes takes no third text away that waited beneath", async () => {
  const story: Op[] = [
    { kind: "type", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
    { kind: "kill", browser: 0 },
    { kind: "delete", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
  ];
  expect(await live(story)).toEqual([]);
});

test("a deletion takes only the text that its screen showed, not one that waited from before the text came back", async () => {
  const story: Op[] = [
    { kind: "delete", tab: 0, pick: 0 },
    { kind: "type", tab: 1, pick: 0 },
    { kind: "restore", tab: 0, pick: 0 },
    { kind: "kill", browser: 0 },
    { kind: "delete", tab: 0, pick: 0 },
    { kind: "kill", browser: 0 },
  ];
  expect(await live(story)).toEqual([]);
});

test("a second deletion takes no text that waited beneath what the first one took", async () => {
  const story: Op[] = [
    { kind: "type", tab: 0, pick: 0 },
    { kind: "type", tab: 1, pick: 0 },
    { kind: "kill", browser: 0 },
    { kind: "delete", tab: 1, pick: 0 },
    { kind: "delete", tab: 0, pick: 0 },
  ];
  expect(await live(story)).toEqual([]);
});

test("what is written over another tab's unsent text does not pass for written over the newer one beneath it", async () => {
  const story: Op[] = [
    { kind: "type", tab: 0, pick: 0 },
    { kind: "type", tab: 2, pick: 0 },
    { kind: "wait", ms: 640 },
    { kind: "reload", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 327 },
    { kind: "type", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
  ];
  expect(await live(story)).toEqual([]);
});

test("the same holds on the store that the product stands on", async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (story) => {
      const folder = await mkdtemp(join(tmpdir(), "lamplight-sync-"));
      const store = openSqlite({ folder });
      try {
        expect(await live(story, {}, store)).toEqual([]);
      } finally {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: Math.ceil(RUNS / 20) },
  );
}, 120_000);
