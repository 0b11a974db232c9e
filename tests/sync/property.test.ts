import * as fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { ops, runScenario } from "./scenario.ts";
import type { Op } from "./world.ts";

/** Two browsers with two tabs each against the real server code; `npm run test:long` sets more runs. */
const RUNS = Number(process.env["SYNC_RUNS"] ?? 500);

test("under any sequence of events, no acknowledged change is lost or duplicated, and unsaved ones stay visible", async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (operations) => {
      expect(await runScenario(operations)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 300_000);

const add = (tab: number): Op => ({ kind: "add card", tab, pick: 0 });

test("adding a card before receiving another tab's card keeps that card in the deck", async () => {
  expect(
    await runScenario([add(1), add(0), { kind: "wait", ms: 600 }, add(0), { kind: "wait", ms: 80 }, add(0)]),
  ).toEqual([]);
});

test("two devices that edit one card keep both texts, even if the second was adding to the deck", async () => {
  const operations: Op[] = [
    { kind: "add card", tab: 0, pick: 0 },
    { kind: "change card", tab: 2, pick: 0 },
    { kind: "network", browser: 0, fates: [{ kind: "late", delayMs: 0 }] },
    { kind: "wait", ms: 600 },
    { kind: "change card", tab: 0, pick: 0 },
    { kind: "wait", ms: 0 },
    { kind: "type", tab: 0, pick: 0 },
    { kind: "wait", ms: 40 },
  ];
  expect(await runScenario(operations)).toEqual([]);
});

test("a text restored and edited by two tabs keeps both edits", async () => {
  const operations: Op[] = [
    { kind: "delete", tab: 3, pick: 0 },
    { kind: "delete", tab: 3, pick: 0 },
    { kind: "delete", tab: 2, pick: 0 },
    { kind: "restore", tab: 3, pick: 0 },
    { kind: "type", tab: 3, pick: 0 },
    { kind: "restore", tab: 2, pick: 0 },
    { kind: "type", tab: 2, pick: 561 },
  ];
  expect(await runScenario(operations)).toEqual([]);
});

test("reloading a deck while another tab's card is being sent keeps another device's changes", async () => {
  const operations: Op[] = [
    { kind: "add card", tab: 0, pick: 0 },
    { kind: "change card", tab: 2, pick: 0 },
    { kind: "wait", ms: 640 },
    { kind: "reload", tab: 1, pick: 0 },
    { kind: "add card", tab: 1, pick: 0 },
    { kind: "wait", ms: 0 },
    { kind: "title", tab: 0, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
  ];
  expect(await runScenario(operations)).toEqual([]);
});

test("an edit over a text that another tab deletes doesn't remove a third, older pending text", async () => {
  const operations: Op[] = [
    { kind: "type", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
    { kind: "kill", browser: 0 },
    { kind: "delete", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
  ];
  expect(await runScenario(operations)).toEqual([]);
});

test("a deletion removes only the text shown on its screen, not one pending since before a restore", async () => {
  const operations: Op[] = [
    { kind: "delete", tab: 0, pick: 0 },
    { kind: "type", tab: 1, pick: 0 },
    { kind: "restore", tab: 0, pick: 0 },
    { kind: "kill", browser: 0 },
    { kind: "delete", tab: 0, pick: 0 },
    { kind: "kill", browser: 0 },
  ];
  expect(await runScenario(operations)).toEqual([]);
});

test("a second deletion doesn't remove text pending below what the first one removed", async () => {
  const operations: Op[] = [
    { kind: "type", tab: 0, pick: 0 },
    { kind: "type", tab: 1, pick: 0 },
    { kind: "kill", browser: 0 },
    { kind: "delete", tab: 1, pick: 0 },
    { kind: "delete", tab: 0, pick: 0 },
  ];
  expect(await runScenario(operations)).toEqual([]);
});

test("an edit over another tab's unsent text doesn't count as based on the newer text below it", async () => {
  const operations: Op[] = [
    { kind: "type", tab: 0, pick: 0 },
    { kind: "type", tab: 2, pick: 0 },
    { kind: "wait", ms: 640 },
    { kind: "reload", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 327 },
    { kind: "type", tab: 1, pick: 0 },
    { kind: "type", tab: 0, pick: 0 },
  ];
  expect(await runScenario(operations)).toEqual([]);
});

test("no acknowledged change is lost or duplicated on SQLite either", async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (operations) => {
      const folder = await mkdtemp(join(tmpdir(), "lamplight-sync-"));
      const store = openSqlite({ folder });
      try {
        expect(await runScenario(operations, {}, store)).toEqual([]);
      } finally {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: Math.ceil(RUNS / 20) },
  );
}, 120_000);
