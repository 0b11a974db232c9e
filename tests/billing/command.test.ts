import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { startApi } from "#tests/kit/api.ts";
import { planNow, startBilling, buy } from "./stripe.ts";

const DAY_MS = 86_400_000;
const runFile = promisify(execFile);

/** What the command prints, while the server runs on the same data. */
async function command(dataDir: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await runFile(process.execPath, ["scripts/account-command.ts", "plan", ...words], { env });
  return stdout.trim();
}

test("npm run plan gives an account a plan, whose limits end with it, and updates open browsers", async () => {
  const api = await startApi({ env: { DEFAULT_PLAN: "FREE" } });
  const user = await api.newUser();
  const stopping = new AbortController();
  const kinds: string[] = [];
  const follow = async () => {
    for await (const event of user.client.sync.followChanges({}, { signal: stopping.signal }))
      if (event.type === "changes") kinds.push(...event.changes.map(({ kind }) => kind));
  };
  const following = follow().catch(() => undefined);
  expect(await command(api.dataDir, user.email.toUpperCase(), "plus", "2026-09-30")).toContain(
    "has the plan PLUS until the end of 2026-09-30 (UTC).",
  );
  expect(await planNow(user)).toMatchObject({ type: "PLUS", endAt: Date.UTC(2026, 9, 1) - 1 });
  await expect.poll(() => kinds).toContain("account");
  stopping.abort();
  await following;
  api.clock.advance(29 * DAY_MS);
  expect(effectivePlan(await planNow(user), api.clock.now())).toBe("PLUS");
  api.clock.advance(DAY_MS);
  expect(effectivePlan(await planNow(user), api.clock.now())).toBe("FREE");
  for (const words of [
    [user.email, "GOLD"],
    [user.email, "PLUS", "2026-02-30"],
  ])
    await expect(command(api.dataDir, ...words)).rejects.toThrow("Examples:");
  await expect(command(api.dataDir, "nobody@example.org", "PLUS")).rejects.toThrow("No account found");
}, 60_000);

test("a granted plan and a subscription do not reduce each other", async () => {
  const world = await startBilling();
  const { api } = world;
  const user = await api.newUser();
  await buy(world, user);
  await command(api.dataDir, user.email, "ULTIMATE");
  expect((await planNow(user)).type).toBe("ULTIMATE");
  await user.client.billing.refreshBilling({});
  expect((await planNow(user)).type).toBe("ULTIMATE");
  expect(await command(api.dataDir, user.email, "FREE")).toContain("Until it ends, the subscription to PLUS counts.");
  expect((await planNow(user)).type).toBe("PLUS");
}, 60_000);
