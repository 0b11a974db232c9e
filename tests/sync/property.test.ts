import * as fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqlite } from "#api/kit/store/sqlite.ts";
import { live, ops } from "./story.ts";

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
