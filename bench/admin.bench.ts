import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccountHandlers } from "#api/admin/accounts.ts";
import { figureHandlers } from "#api/admin/figures.ts";
import { conversationHandlers } from "#api/admin/lists/conversations.ts";
import { demographicHandlers } from "#api/admin/lists/demographics.ts";
import { generationHandlers } from "#api/admin/lists/generations.ts";
import { feedbackHandlers } from "#api/admin/feedback.ts";
import { instanceHandlers } from "#api/admin/instance.ts";
import { subscriptionHandlers } from "#api/admin/lists/subscriptions.ts";
import { users } from "#api/http/authenticate.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { foldFigures } from "#api/store/figures/fold.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { readSettings } from "#api/settings.ts";
import { seedInstance } from "#tests/admin/seeded-instance.ts";
import type { Bench, Row } from "./row.ts";

const ACCOUNTS = 5000;
const ROWS = 100_000;
const DAYS = 365;
const ROUNDS = 40;
const NOW = Date.UTC(2026, 8, 16, 12);
const GOAL = "<= 100";

const RARE = "model-rare";

type Call = (ctx: UserCtx, round: number) => Promise<unknown>;

const accounts = createAccountHandlers({
  requireOwner: () => Promise.resolve(undefined),
  sendResetLink: () => Promise.resolve(null),
});
const noUse = { account: "", model: "", feature: "", fileId: "" };
const noPage = { after: undefined };

/** With a clock that goes on, so that what is counted once a minute is counted each time. */
const later = (ctx: UserCtx, round: number): UserCtx => ({ ...ctx, clock: { now: () => NOW + round * 120_000 } });

const calls: Readonly<Record<string, Call>> = {
  "accounts, first page": (ctx) => accounts.listAccounts(ctx, { q: "", ...noPage }),
  "an account by its id": (ctx) => accounts.listAccounts(ctx, { q: ctx.caller.userId, ...noPage }),
  "accounts by address": (ctx, round) => accounts.listAccounts(ctx, { q: `seeded${round}`, ...noPage }),
  "model use, first page": (ctx) => figureHandlers.listModelUse(ctx, { ...noUse, ...noPage }),
  "model use of a file": (ctx, round) =>
    figureHandlers.listModelUse(ctx, { ...noUse, fileId: `file-${round}`, ...noPage }),
  "model use of an account": (ctx) =>
    figureHandlers.listModelUse(ctx, { ...noUse, account: ctx.caller.userId, ...noPage }),
  "model use of a rare model": (ctx) => figureHandlers.listModelUse(ctx, { ...noUse, model: RARE, ...noPage }),
  "model use of a rare feature": (ctx) => figureHandlers.listModelUse(ctx, { ...noUse, feature: "quiz", ...noPage }),
  "thumbs, first page": (ctx) => figureHandlers.listRatings(ctx, { model: "", ...noPage }),
  "thumbs down": (ctx) => figureHandlers.listRatings(ctx, { model: "", value: "down", ...noPage }),
  "thumbs of a rare model": (ctx) => figureHandlers.listRatings(ctx, { model: RARE, ...noPage }),
  "generations, first page": (ctx) => generationHandlers.listGenerations(ctx, { model: "", ...noPage }),
  "generations of a rare model": (ctx) => generationHandlers.listGenerations(ctx, { model: RARE, ...noPage }),
  "generations that failed": (ctx) =>
    generationHandlers.listGenerations(ctx, { model: "", isFailed: "yes", ...noPage }),
  "feedback, first page": (ctx) => feedbackHandlers.listFeedback(ctx, noPage),
  "new feedback of a category": (ctx) =>
    feedbackHandlers.listFeedback(ctx, { state: "new", category: "I Have an Idea", ...noPage }),
  "log of actions, first page": (ctx) => instanceHandlers.listAudit(ctx, noPage),
  "log of a rare action": (ctx) => instanceHandlers.listAudit(ctx, { action: "delete_post", ...noPage }),
  "failed jobs, first page": (ctx) => instanceHandlers.listJobs(ctx, { status: "failed", ...noPage }),
  "jobs, counted": (ctx) => instanceHandlers.countJobs(ctx, {}),
  "shared answers, first page": (ctx) => conversationHandlers.listConversations(ctx, { source: "shared", ...noPage }),
  "shared cards, first page": (ctx) => conversationHandlers.listSharedCards(ctx, noPage),
  "log of prompts, first page": (ctx) => conversationHandlers.listConversations(ctx, { source: "logged", ...noPage }),
  "cancellations, first page": (ctx) => subscriptionHandlers.listCancellations(ctx, noPage),
  "subscriptions, first page": (ctx) => subscriptionHandlers.listSubscriptionStarts(ctx, noPage),
  "cancellations of a reason": (ctx) =>
    subscriptionHandlers.listCancellations(ctx, { reason: "customer_service", ...noPage }),
  "subscriptions that ended": (ctx) =>
    subscriptionHandlers.listSubscriptionStarts(ctx, { state: "ended", recurrence: "yearly", ...noPage }),
  "churn, counted again": (ctx, round) => subscriptionHandlers.getChurn(later(ctx, round), {}),
  "demographics within a minute": (ctx) => demographicHandlers.getDemographics(ctx, {}),
  "demographics, counted again": (ctx, round) => countAgain(ctx, round),
  "figures of 52 weeks": (ctx) => figureHandlers.getFigures(ctx, { weeks: 52 }),
};

const readPage: Call = ({ store }) => store.collection(users).find({}, { order: [["_id", "desc"]], limit: 51 });

const countAgain: Call = (ctx, round) => demographicHandlers.getDemographics(later(ctx, round), {});

async function measureP95(ctx: UserCtx, call: Call): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await call(ctx, round);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS * 0.95)] ?? Number.NaN;
}

async function measureCsv(ctx: UserCtx): Promise<Row> {
  const startedAt = performance.now();
  let lines = 0;
  for await (const chunk of figureHandlers.exportRatings(ctx, { model: "" })) lines += chunk.split("\r\n").length - 1;
  const value = performance.now() - startedAt;
  return { what: `CSV of ${lines - 1} thumbs`, value, unit: "ms", goal: "<= 10000" };
}

export const bench: Bench = {
  name: "admin",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-"));
    const store = openSqlite({ folder });
    const clock = { now: () => NOW };
    try {
      const { accountIds } = await seedInstance(store, { accounts: ACCOUNTS, days: DAYS, rows: ROWS, now: NOW });
      await foldFigures({ store, clock });
      const ctx = {
        store,
        clock,
        settings: readSettings({ DATA_DIR: folder }),
        caller: { userId: accountIds[17], email: "root@example.org" },
      } as unknown as UserCtx;
      const rows: Row[] = [];
      // A page by its id is the least that a list can cost here: the ratio to it does not depend on the machine.
      const reference = await measureP95(ctx, readPage);
      for (const [what, call] of Object.entries(calls)) {
        const value = await measureP95(ctx, call);
        rows.push({ what: `${what}, p95`, value, unit: "ms", reference, ratio: value / reference, goal: GOAL });
      }
      return [...rows, await measureCsv(ctx)];
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
