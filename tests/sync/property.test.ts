import * as fc from "fast-check";
import { expect, test } from "vitest";
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
