import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CollectionSpec, DocumentStore, Filter, OwnedDoc } from "#api/store/port.ts";
import { whereSql } from "#api/store/sqlite/sqlite-query.ts";
import { DATABASE_FILE, openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { renamedNamesSuite } from "./data-folders/renamed-names-suite.ts";
import { storeSuite } from "./store-suite.ts";

describe("the document store on SQLite", () => {
  let folder: string;
  let store: DocumentStore;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "store-"));
    store = openSqlite({ folder });
  });

  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  storeSuite(() => store);
  describe("renamed names on SQLite", () =>
    renamedNamesSuite(
      () => store,
      async (collection) => {
        const db = new DatabaseSync(join(folder, DATABASE_FILE));
        const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?").all(collection);
        db.close();
        return rows.map(({ name }) => String(name));
      },
    ));
});

interface Line extends OwnedDoc {
  pageId: string;
  deletedAt: number | null;
}

const spec: CollectionSpec<Line> = {
  name: "lines",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "pageId", "deletedAt"] }],
};

const LINES = 300;
const lineId = (n: number) => `line${n}`;

describe("how SQLite finds documents", () => {
  let folder: string;
  let store: DocumentStore;
  let db: DatabaseSync;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "store-"));
    store = openSqlite({ folder });
    const lines = Array.from({ length: LINES }, (_, n) => n);
    await Promise.all(
      lines.map((n) =>
        store.collection(spec).insert({ _id: lineId(n), ownerId: "ada", pageId: "page", deletedAt: null }),
      ),
    );
    db = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
  });

  afterAll(async () => {
    db.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  /** What SQLite searches the collection's table by. */
  function readPlan(filter: Filter<Line>): string[] {
    const { sql, values } = whereSql(filter);
    const steps = db.prepare(`EXPLAIN QUERY PLAN SELECT doc FROM lines${sql}`).all(...values);
    return steps.map(({ detail }) => String(detail)).filter((detail) => /^(?:SEARCH|SCAN) lines/.test(detail));
  }

  test.each([2, 40, 200])(
    "%i documents selected by id are looked up, instead of searching all of the account",
    (count) => {
      const _id = { in: Array.from({ length: count }, (_, n) => lineId(n)) };
      const byId = [expect.stringMatching(/\(_id=\?\)$/)];
      expect(readPlan({ _id, ownerId: "ada" })).toEqual(byId);
      expect(readPlan({ _id, ownerId: "ada", deletedAt: null })).toEqual(byId);
      expect(readPlan({ _id, ownerId: "ada", pageId: "page", deletedAt: null })).toEqual(byId);
    },
  );

  test("documents selected by other fields are found by the index of those fields", () => {
    expect(readPlan({ ownerId: "ada", pageId: "page", deletedAt: null })).toEqual([
      expect.stringContaining("lines:ownerId:pageId:deletedAt:index"),
    ]);
  });

  test("the other conditions also apply to documents selected by id", async () => {
    const _id = { in: Array.from({ length: LINES }, (_, n) => lineId(n)) };
    const lines = store.collection(spec);
    expect(await lines.find({ _id, ownerId: "ada", pageId: "page", deletedAt: null })).toHaveLength(LINES);
    expect(await lines.find({ _id, ownerId: "ben" })).toEqual([]);
    expect(await lines.find({ _id, ownerId: "ada", pageId: { not: "page" } })).toEqual([]);
    expect(await lines.count({ _id, ownerId: "ada", deletedAt: { not: null } })).toBe(0);
  });
});
