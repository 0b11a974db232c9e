import { expect, test } from "vitest";
import { cacheForAMinute } from "#api/admin/cache-for-a-minute.ts";
import { startApi } from "#tests/kit/api.ts";

test("a count that fails late is counted again, and does not discard the newer count", async () => {
  const { deps, clock } = await startApi();
  const counts: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const count = cacheForAMinute(() => new Promise<number>((resolve, reject) => counts.push({ resolve, reject })));
  const older = count(deps);
  clock.advance(60_000);
  const newer = count(deps);
  counts[0]?.reject(new Error("too late"));
  await expect(older).rejects.toThrow("too late");
  expect(count(deps)).toBe(newer);
  counts[1]?.reject(new Error("failed"));
  await expect(newer).rejects.toThrow("failed");
  const again = count(deps);
  counts[2]?.resolve(3);
  expect([await again, counts.length]).toEqual([3, 3]);
});
