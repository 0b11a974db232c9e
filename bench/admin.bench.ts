import { demographicHandlers } from "#api/admin/lists/demographics.ts";
import { subscriptionHandlers } from "#api/admin/lists/subscriptions.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { rollUpFigures } from "#api/store/figures/roll-up.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { seedInstance } from "#tests/admin/seeded-instance.ts";
import { registerAccount } from "#tests/kit/account.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Bench, Row } from "./row.ts";

const ACCOUNTS = 5000;
const ROWS = 100_000;
const DAYS = 365;
const ROUNDS = 40;
const GOAL = "<= 100";
const RARE = "model-rare";

interface CallInput {
  client: V1Client;
  /** An account of the instance that has rows in every list. */
  accountId: string;
  round: number;
  /** Where the page of the list begins; empty for the first page. */
  page: { after?: string };
}
type List = (input: CallInput) => Promise<{ next: string | null }>;

const noFilter = { account: "", model: "", feature: "", fileId: "" };

const lists: Readonly<Record<string, List>> = {
  accounts: ({ client, page }) => client.admin.listAccounts({ q: "", ...page }),
  "accounts by address": ({ client, round, page }) => client.admin.listAccounts({ q: `seeded${round % 10}`, ...page }),
  "an account by its id": ({ client, accountId, page }) => client.admin.listAccounts({ q: accountId, ...page }),
  "model use": ({ client, page }) => client.admin.listModelUse({ ...noFilter, ...page }),
  "model use of a file": ({ client, round, page }) =>
    client.admin.listModelUse({ ...noFilter, fileId: `file-${round}`, ...page }),
  "model use of an account": ({ client, accountId, page }) =>
    client.admin.listModelUse({ ...noFilter, account: accountId, ...page }),
  "model use of a rare model": ({ client, page }) => client.admin.listModelUse({ ...noFilter, model: RARE, ...page }),
  "model use of a rare feature": ({ client, page }) =>
    client.admin.listModelUse({ ...noFilter, feature: "quiz", ...page }),
  thumbs: ({ client, page }) => client.admin.listRatings({ model: "", ...page }),
  "thumbs down": ({ client, page }) => client.admin.listRatings({ model: "", value: "down", ...page }),
  "thumbs of a rare model": ({ client, page }) => client.admin.listRatings({ model: RARE, ...page }),
  "thumbs on cards": ({ client, page }) => client.admin.listRatings({ model: "", kind: "card", ...page }),
  generations: ({ client, page }) => client.admin.listGenerations({ model: "", ...page }),
  "generations of a rare model": ({ client, page }) => client.admin.listGenerations({ model: RARE, ...page }),
  "generations that failed": ({ client, page }) =>
    client.admin.listGenerations({ model: "", isFailed: "yes", ...page }),
  feedback: ({ client, page }) => client.admin.listFeedback(page),
  "new feedback of a category": ({ client, page }) =>
    client.admin.listFeedback({ state: "new", category: "I Have an Idea", ...page }),
  "log of actions": ({ client, page }) => client.admin.listAudit(page),
  "log of a rare action": ({ client, page }) => client.admin.listAudit({ action: "delete_post", ...page }),
  "failed jobs": ({ client, page }) => client.admin.listJobs({ status: "failed", ...page }),
  "waiting jobs": ({ client, page }) => client.admin.listJobs({ status: "waiting", ...page }),
  "shared answers": ({ client, page }) => client.admin.listConversations({ source: "shared", ...page }),
  "shared answers with a thumb down": ({ client, page }) =>
    client.admin.listConversations({ source: "shared", thumb: "down", ...page }),
  "shared cards": ({ client, page }) => client.admin.listSharedCards(page),
  "log of prompts": ({ client, page }) => client.admin.listConversations({ source: "logged", ...page }),
  cancellations: ({ client, page }) => client.admin.listCancellations(page),
  "cancellations of a reason": ({ client, page }) =>
    client.admin.listCancellations({ reason: "customer_service", ...page }),
  subscriptions: ({ client, page }) => client.admin.listSubscriptionStarts(page),
  "subscriptions that ended": ({ client, page }) =>
    client.admin.listSubscriptionStarts({ state: "ended", recurrence: "yearly", ...page }),
  payments: ({ client, page }) => client.billing.listBillingNotes(page),
  "payments of an account": ({ client, accountId, page }) =>
    client.billing.listBillingNotes({ userId: accountId, ...page }),
  posts: ({ client, page }) => client.admin.listPosts(page),
  "drafts of posts": ({ client, page }) => client.admin.listPosts({ state: "draft", ...page }),
  "reports of shared things": ({ client, page }) => client.sharing.listReports(page),
  "reports of a reason": ({ client, page }) => client.sharing.listReports({ reason: "spam", ...page }),
  "help ratings": ({ client, page }) => client.feedback.listHelpRatings(page),
  "help ratings by address": ({ client, round, page }) =>
    client.feedback.listHelpRatings({ q: `article-${round % 10}`, ...page }),
  "articles that rarely helped": ({ client, page }) => client.feedback.listHelpRatings({ helped: "rarely", ...page }),
  invitations: ({ client, page }) => client.auth.listInvites(page),
  "invitations by address": ({ client, round, page }) =>
    client.auth.listInvites({ q: `invited${round % 10}`, ...page }),
  "invitations that were used": ({ client, page }) => client.auth.listInvites({ state: "used", ...page }),
};

type Call = (input: Omit<CallInput, "page">) => Promise<unknown>;

const calls: Readonly<Record<string, Call>> = {
  "jobs, counted": ({ client }) => client.admin.countJobs({}),
  "state of the server": ({ client }) => client.admin.getInstance({}),
  "an account": ({ client, accountId }) => client.admin.getAccount({ id: accountId }),
  "churn within a minute": ({ client }) => client.admin.getChurn({}),
  "demographics within a minute": ({ client }) => client.admin.getDemographics({}),
  "figures of 8 weeks": ({ client }) => client.admin.getFigures({ weeks: 8 }),
  "figures of 52 weeks": ({ client }) => client.admin.getFigures({ weeks: 52 }),
};

async function measureP95(call: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  // The first call compiles the query and fills the cache of counts, which lasts a minute.
  await call(0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await call(round);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS * 0.95)] ?? Number.NaN;
}

/** Times the first page of a list, and the second if the list has one. */
async function measureList(
  input: Omit<CallInput, "round" | "page">,
  list: List,
): Promise<[page: string, ms: number][]> {
  const first = await measureP95((round) => list({ ...input, round, page: {} }));
  const { next } = await list({ ...input, round: 0, page: {} });
  if (next === null) return [["only page", first]];
  const later = await measureP95(() => list({ ...input, round: 0, page: { after: next } }));
  return [
    ["first page", first],
    ["next page", later],
  ];
}

/** Times calls over HTTP, as an administrator waits for them. */
async function measureCalls(client: V1Client, accountId: string): Promise<Row[]> {
  // The cheapest call that needs an account: ratios to its time do not depend on the machine.
  const reference = await measureP95(() => client.auth.getUser({}));
  const toRow = (what: string, value: number): Row => ({
    what: `${what}, p95`,
    value,
    unit: "ms",
    reference,
    ratio: value / reference,
    goal: GOAL,
  });
  const rows: Row[] = [];
  for (const [what, list] of Object.entries(lists))
    for (const [page, ms] of await measureList({ client, accountId }, list)) rows.push(toRow(`${what}, ${page}`, ms));
  for (const [what, call] of Object.entries(calls))
    rows.push(toRow(what, await measureP95((round) => call({ client, accountId, round }))));
  return rows;
}

const csvGoal = "<= 10000";

const csvFiles: Readonly<Record<string, (client: V1Client) => AsyncIterable<string>>> = {
  "model use": ({ admin }) => admin.exportModelUse(noFilter),
  thumbs: ({ admin }) => admin.exportRatings({ model: "" }),
  generations: ({ admin }) => admin.exportGenerations({ model: "" }),
  feedback: ({ admin }) => admin.exportFeedback({}),
  "log of actions": ({ admin }) => admin.exportAudit({}),
  "log of prompts": ({ admin }) => admin.exportConversations({ source: "logged" }),
  accounts: ({ admin }) => admin.exportAccounts({ q: "" }),
  subscriptions: ({ admin }) => admin.exportSubscriptionStarts({}),
  cancellations: ({ admin }) => admin.exportCancellations({}),
  "reports of shared things": ({ admin }) => admin.exportReports({}),
  "reports of a reason": ({ admin }) => admin.exportReports({ reason: "spam" }),
  "help ratings": ({ admin }) => admin.exportHelpRatings({}),
  "help ratings by address": ({ admin }) => admin.exportHelpRatings({ q: "article-1" }),
  invitations: ({ admin }) => admin.exportInvites({}),
  "invitations that were used": ({ admin }) => admin.exportInvites({ state: "used" }),
};

async function measureCsv(client: V1Client): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, read] of Object.entries(csvFiles)) {
    const startedAt = performance.now();
    let lines = 0;
    for await (const chunk of read(client)) lines += chunk.split("\n").length - 1;
    const value = performance.now() - startedAt;
    rows.push({ what: `CSV of ${what}, ${lines - 1} rows`, value, unit: "ms", goal: csvGoal });
  }
  return rows;
}

/** Times counts that a server caches for a minute; in each round the cache has expired. */
async function measureCounts(store: DocumentStore): Promise<Row[]> {
  const counts = {
    "churn, counted again": subscriptionHandlers.getChurn,
    "demographics, counted again": demographicHandlers.getDemographics,
  };
  const rows: Row[] = [];
  for (const [name, count] of Object.entries(counts)) {
    const contextAt = (round: number) =>
      ({ store, clock: { now: () => Date.now() + round * 120_000 } }) as unknown as UserCtx;
    const value = await measureP95((round) => Promise.resolve(count(contextAt(round), {})));
    rows.push({ what: `${name}, p95`, value, unit: "ms", goal: GOAL });
  }
  return rows;
}

/** Fills the folder of a stopped server; resolves to one of its accounts and the times of counting. */
async function seed({ dataDir }: ServerProcess): Promise<{ accountId: string; rows: Row[] }> {
  const store = openSqlite({ folder: dataDir });
  const size = { accounts: ACCOUNTS, days: DAYS, rows: ROWS, now: Date.now() };
  const { accountIds } = await seedInstance(store, size);
  await rollUpFigures({ store, clock: { now: () => Date.now() } });
  const rows = await measureCounts(store);
  await store.close();
  return { accountId: accountIds[18] ?? "", rows };
}

export const bench: Bench = {
  name: "admin",
  async run() {
    const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000000" });
    try {
      // The first account of an installation is its administrator.
      const { client } = await registerAccount(server.origin, { name: "Root" });
      await server.stop();
      const { accountId, rows } = await seed(server);
      await server.start();
      return [...(await measureCalls(client, accountId)), ...rows, ...(await measureCsv(client))];
    } finally {
      await server.dispose();
    }
  },
};
