import type { instance, Service } from "#shared/admin/instance-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { users } from "#api/http/authenticate.ts";
import type { Handlers } from "#api/http/handler.ts";
import { countJobs, findOwnerOfActive, listFailedIds, listJobs, retryJob } from "#api/jobs/jobs-overview.ts";
import type { Settings } from "#api/settings.ts";
import { listActions, recordAction } from "./audit-log.ts";
import { countNewFeedback } from "./inbox.ts";
import { PAGE_SIZE, toPage } from "./paging.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import { readStatus } from "./server-state.ts";

const DAY_MS = 86_400_000;
const startedAt = Date.now() - process.uptime() * 1000;

/** The settings that each optional service needs. */
const serviceSettings: readonly { name: Service["name"]; settings: readonly (keyof Settings)[] }[] = [
  { name: "mail", settings: ["SMTP_URL", "MAIL_FROM"] },
  { name: "model", settings: ["AI_BASE_URL", "AI_MODEL"] },
  { name: "google", settings: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"] },
  { name: "apple", settings: ["APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"] },
];

const listServices = (settings: Settings): Service[] =>
  serviceSettings.map(({ name, settings: needed }) => ({
    name,
    missing: needed.filter((key) => settings[key] === undefined || settings[key] === ""),
  }));

function parseJobCursor(cursor: string): { createdAt: number; _id: string } {
  const [, createdAt, _id] = /^(\d{1,15})\.(.+)$/u.exec(cursor) ?? [];
  if (createdAt === undefined || _id === undefined) throw new Failure("bad_input", "something_missing");
  return { createdAt: Number(createdAt), _id };
}

const noJob = () => new Failure("not_found", "no_job");

export const instanceHandlers: Handlers<typeof instance> = {
  async getInstance(ctx) {
    const { store, blobs, settings } = ctx;
    const [storeStatus, blobStatus, freeBytes, accounts, newFeedback] = await Promise.all([
      readStatus(store.checkHealth()),
      readStatus(blobs.checkHealth()),
      blobs.freeBytes().catch(() => undefined),
      store.collection(users).count({}),
      countNewFeedback(store),
    ]);
    return {
      version: programVersion,
      startedAt,
      store: { kind: store.kind, status: storeStatus },
      blobs: blobStatus,
      freeBytes: freeBytes ?? -1,
      services: listServices(settings),
      accounts,
      newFeedback,
    };
  },

  async countJobs({ store, clock }) {
    return { kinds: await countJobs(store, clock.now() - DAY_MS) };
  },

  async listJobs({ store }, { status, after }) {
    const last = after === undefined ? undefined : parseJobCursor(after);
    const found = await listJobs(store, { status, after: last, limit: PAGE_SIZE + 1 });
    const { items, next } = toPage(found, ({ createdAt, _id }) => `${createdAt}.${_id}`);
    return { jobs: items.map(({ lastSeq, error = null, ...job }) => ({ ...job, events: lastSeq, error })), next };
  },

  async retryJob(ctx, { id }) {
    await recordAction(ctx, "retry_job", id);
    if (!(await retryJob(ctx.store, id))) throw noJob();
    return { success: true };
  },

  async retryFailedJobs(ctx) {
    await recordAction(ctx, "retry_failed_jobs", "");
    let retried = 0;
    for (const id of await listFailedIds(ctx.store)) if (await retryJob(ctx.store, id)) retried += 1;
    return { retried };
  },

  async cancelJob(ctx, { id }) {
    await recordAction(ctx, "cancel_job", id);
    const ownerId = await findOwnerOfActive(ctx.store, id);
    if (ownerId === undefined) throw noJob();
    await ctx.jobs.cancel(ownerId, id);
    return { success: true };
  },

  async listAudit({ store }, { after }) {
    const { items: entries, next } = toPage(await listActions(store, after, PAGE_SIZE + 1), ({ _id }) => _id);
    return { entries, next };
  },
};
