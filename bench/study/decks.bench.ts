import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { handlers } from "#api/study/handlers.ts";
import { assemble } from "#api/assemble.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { createLog } from "#api/log.ts";
import { readSettings } from "#api/settings.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { fillBigAccount } from "../big-account.ts";
import { type Bench, median, type Row } from "../row.ts";

const ROUNDS = 7;
const NOW = Date.UTC(2026, 8, 1, 12);

export const bench: Bench = {
  name: "decks",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "lamplight-bench-"));
    const settings = readSettings({ NODE_ENV: "production", LOG_LEVEL: "silent", DATA_DIR: folder });
    const running = await assemble(settings, { clock: { now: () => NOW }, log: createLog("silent") });
    const caller = { plan: { type: "ULTIMATE", endAt: null, paused: false, pausedUntil: null } };
    try {
      return await measure({
        ...running.deps,
        own: ownedBy(running.deps.store, "student"),
        caller,
      } as unknown as UserCtx);
    } finally {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timeMs(work));
  return median(times);
}

async function measure(ctx: UserCtx): Promise<Row[]> {
  const decks = await fillBigAccount(ctx, NOW);
  const first = await timeMs(() => handlers.getDue(ctx, {}));
  const due = await medianMs(() => handlers.getDue(ctx, {}));
  const deck = await medianMs(() => handlers.getDeckSchedule(ctx, { componentId: decks[0] ?? "" }));
  const figures = await medianMs(() => handlers.getStatistics(ctx, {}));
  return [
    { what: "statistics of 50,000 cards and 180,000 reviews", value: figures, unit: "ms", goal: "<= 250" },
    { what: "due queue over 50,000 cards, counted before", value: due, unit: "ms", goal: "<= 250" },
    { what: "due queue over 50,000 cards, all decks changed", value: first, unit: "ms", goal: "reported" },
    { what: "schedules of a deck of 12,500 cards", value: deck, unit: "ms", goal: "reported" },
  ];
}
