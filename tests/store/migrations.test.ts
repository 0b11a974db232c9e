import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrateInSteps, type Migration } from "#api/store/migrations.ts";
import type { CollectionSpec } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { ownFolder } from "./own-folder.ts";

const notes: CollectionSpec<{ _id: string; steps: number[] }> = { name: "notes", shardKey: "_id", indexes: [] };

function aStore() {
  const store = openSqlite({ path: join(ownFolder(), "documents.db") });
  onTestFinished(() => store.close());
  return store;
}

/** A migration that records its version in every document. */
const aStep = (version: number): Migration => ({
  version,
  async up(store) {
    await store.collection(notes).patch({ _id: "n1" }, { push: { steps: [version] } });
  },
});
const broken: Migration = {
  version: 3,
  up: () => Promise.reject(new Error("interrupted")),
};

test("an interrupted migration continues at the failed step, and an older program refuses the database", async () => {
  const store = aStore();
  await migrateInSteps(store, []);
  await store.collection(notes).insert({ _id: "n1", steps: [] });
  await expect(migrateInSteps(store, [aStep(2), broken])).rejects.toThrow("interrupted");
  await expect(migrateInSteps(store, [])).rejects.toThrow("newer Lamplight");
  await expect(migrateInSteps(store, [aStep(2)])).rejects.toThrow("newer Lamplight");

  await migrateInSteps(store, [aStep(2), aStep(3), aStep(4)]);
  expect(await store.collection(notes).get("n1")).toEqual({ _id: "n1", steps: [2, 3, 4] });
  await expect(migrateInSteps(store, [aStep(2), aStep(3)])).rejects.toThrow("newer Lamplight");
});

test("a new database has the newest version and runs no migration", async () => {
  const store = aStore();
  await migrateInSteps(store, [aStep(2)]);
  await store.collection(notes).insert({ _id: "n1", steps: [] });
  await migrateInSteps(store, [aStep(2)]);
  expect(await store.collection(notes).get("n1")).toEqual({ _id: "n1", steps: [] });
});
