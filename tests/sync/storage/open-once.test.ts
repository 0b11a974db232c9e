// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import type { DBSchema } from "idb";
import { expect, test } from "vitest";
import { openDatabase } from "#shared/sync/storage/open-database.ts";

interface First extends DBSchema {
  notes: { key: string; value: { text: string } };
}

interface Second extends DBSchema {
  notes: { key: string; value: { text: string; at?: number }; indexes: { at: number } };
  drafts: { key: string; value: string };
}

const first = (name: string) => openDatabase<First>({ name, steps: [(db) => void db.createObjectStore("notes")] });
/** The database of a later version, whose second step relies on the store that the first one creates. */
const second = (name: string) =>
  openDatabase<Second>({
    name,
    steps: [
      (db) => void db.createObjectStore("notes"),
      (db, made) => {
        db.createObjectStore("drafts");
        made.objectStore("notes").createIndex("at", "at");
      },
    ],
  });

test("an older database that another tab holds open is upgraded with all its data", async () => {
  const old = await first("held")();
  await old.put("notes", { text: "kept" }, "a");
  const upgraded = await second("held")();
  expect(upgraded.version).toBe(2);
  expect(await upgraded.get("notes", "a")).toEqual({ text: "kept" });
  await upgraded.put("drafts", "begun", "b");
  expect([...upgraded.transaction("notes").store.indexNames]).toEqual(["at"]);
  // The old connection can no longer write, and its attempt is not reported as saved.
  await expect(old.put("notes", { text: "late" }, "c")).rejects.toThrow();
});

test("a missing database is created, and a current one is left unchanged", async () => {
  const made = await second("fresh")();
  await made.put("drafts", "begun", "a");
  made.close();
  const reopened = await second("fresh")();
  expect([reopened.version, await reopened.get("drafts", "a")]).toEqual([2, "begun"]);
});

test("an older program that finds a newer database reports it and loses nothing", async () => {
  const upgraded = await second("newer")();
  await upgraded.put("notes", { text: "kept", at: 1 }, "a");
  await expect(first("newer")()).rejects.toThrow(/version/i);
  expect(await (await second("newer")()).get("notes", "a")).toEqual({ text: "kept", at: 1 });
});
