import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
});

describe("the passage index as documents", () => {
  let store: DocumentStore;
  beforeAll(() => {
    store = openSqlite({ path: join(folder, "documents.db") });
  });
  afterAll(() => store.close());
  passagesSuite(() => createDocumentPassageIndex(store));
});
