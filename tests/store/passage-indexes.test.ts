import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PassageIndex } from "#api/store/search/port.ts";
import { createDocumentPassageIndex } from "#api/store/search/document-passage-index.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { openSqlitePassages } from "#api/store/sqlite/sqlite-passage-index.ts";
import { passagesSuite } from "./passages-suite.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-index-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the passage index in SQLite's full-text tables", () => {
  let index: PassageIndex;
  beforeAll(() => {
    index = openSqlitePassages(folder);
  });
  afterAll(() => index.close());
  passagesSuite(() => index);

  test("passages are found after a restart", async () => {
    const first = openSqlitePassages(folder);
    const locator = { page: 3 };
    const passage = { id: "1", text: "Mitochondria make ATP.", kind: "paragraph" as const, locator, componentId: "c" };
    await first.put("ada", { id: "a", version: "7" }, [passage]);
    await first.close();
    const second = openSqlitePassages(folder);
    expect((await second.search("ada", { text: "mitochondria", limit: 3 }))[0]?.passage).toEqual(passage);
    expect([...(await second.versions("ada"))]).toEqual([["a", "7"]]);
    await second.close();
  });

  test("tables of an earlier version are replaced, so that their sources are indexed again", async () => {
    const earlierFolder = await mkdtemp(join(folder, "earlier-"));
    const db = new DatabaseSync(join(earlierFolder, "lamplight-index.db"));
    db.exec(`CREATE TABLE sources (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL);
      CREATE VIRTUAL TABLE words USING fts5(place, said, content='', contentless_delete=1);
      INSERT INTO sources VALUES (1, 'ada', 'a', '7'); PRAGMA user_version = 4;`);
    db.close();
    const upgraded = openSqlitePassages(earlierFolder);
    expect(await upgraded.versions("ada")).toEqual(new Map());
    const passage = { id: "1", text: "Ribosomes.", kind: "paragraph" as const, locator: {}, componentId: "c" };
    await upgraded.put("ada", { id: "a", version: "7" }, [passage]);
    expect(await upgraded.search("ada", { text: "ribosomes", limit: 3, sourceIds: ["a"] })).toHaveLength(1);
    await upgraded.close();
  });
});

describe("the passage index as documents", () => {
  let store: DocumentStore;
  beforeAll(() => {
    store = openSqlite({ path: join(folder, "documents.db") });
  });
  afterAll(() => store.close());
  passagesSuite(() => createDocumentPassageIndex(store));
});
