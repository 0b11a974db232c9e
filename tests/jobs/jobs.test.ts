import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import type { DocumentStore } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { jobsSuite } from "./jobs-suite.ts";

describe("jobs on SQLite", () => {
  let folder: string;
  let store: DocumentStore;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "jobs-"));
    store = openSqlite({ folder });
  });

  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  jobsSuite(() => store);
});
