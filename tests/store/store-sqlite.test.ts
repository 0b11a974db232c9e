import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import type { DocumentStore } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { storeContract } from "./store-contract.ts";

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

  storeContract(() => store);
});
