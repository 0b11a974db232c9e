import type { AuditEntry, Instance, instance, Service } from "#shared/admin/instance-contract.ts";
import { isBackupOverdue } from "#shared/admin/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { readTokensToday } from "#api/ai/budget.ts";
import { countFailedPaymentEvents } from "#api/billing/store.ts";
import { users } from "#api/http/authenticate.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { countJobs, findOwnerOfActive, listFailedIds, listJobs, listSteps, retryJob } from "#api/jobs/jobs-overview.ts";
import type { Settings } from "#api/settings.ts";
import { formatPosition, parsePosition } from "#api/store/paging/newest-first.ts";
import { readLastBackup } from "#api/store/last-backup.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { listActions, recordAction } from "./audit-log.ts";
import { writeCsv } from "./csv.ts";
import { countNewFeedback } from "./feedback.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import { readStatus } from "./server-state.ts";

const DAY_MS = 86_400_000;
const startedAt = Date.now() - process.uptime() * 1000;

/** The settings that each optional service needs. */
const serviceSettings: readonly { name: Service["name"]; settings: readonly (keyof Settings)[] }[] = [
  { name: "mail", settings: ["SMTP_URL", "MAIL_FROM"] },
  { name: "payments", settings: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"] },
  { name: "model", settings: ["AI_BASE_URL", "AI_MODEL"] },
  { name: "speech", settings: ["TTS_BASE_URL"] },
  { name: "transcription", settings: ["STT_BASE_URL"] },
  { name: "search", settings: ["SEARCH_URL"] },
  { name: "google", settings: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"] },
  { name: "apple", settings: ["APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"] },
];

const listServices = (settings: Settings): Service[] =>
  serviceSettings.map(({ name, settings: needed }) => ({
    name,
    missing: needed.filter((key) => settings[key] === undefined || settings[key] === ""),
  }));

async function readModels({ store, clock, settings, models }: UserCtx): Promise<Instance["models"]> {
  const [listed, server, tokensToday] = await Promise.all([
    models.list().then(
      (list) => list.models.map(({ name }) => name),
      () => [],
    ),
    models.checkServer(),
    readTokensToday(store, clock.now()),
  ]);
  return { names: listed, server, tokensToday, dailyBudget: settings.AI_DAILY_BUDGET ?? null };
}

/** Null for MongoDB, which is not backed up with the data folder. */
async function readBackup({ store, clock, settings }: UserCtx): Promise<Instance["backup"]> {
  if (settings.MONGODB_URI !== undefined) return null;
  const [lastAt, [first]] = await Promise.all([
    readLastBackup(settings.DATA_DIR),
    store.collection(users).find({}, { order: [["_id", "asc"]], limit: 1 }),
  ]);
  return { lastAt, isLate: isBackupOverdue({ lastAt, firstAccountAt: first?.createdAt }, clock.now()) };
}

async function countRecords(store: DocumentStore) {
  const [accounts, newFeedback, failedPaymentEvents] = await Promise.all([
    store.collection(users).count({}),
    countNewFeedback(store),
    countFailedPaymentEvents(store),
  ]);
  return { accounts, newFeedback, failedPaymentEvents };
}

const noJob = () => new Failure("not_found", "no_job");

export const instanceHandlers: Handlers<typeof instance> = {
  async getInstance(ctx) {
    const { store, blobs, settings } = ctx;
    const [storeStatus, blobStatus, freeBytes, models, backup, counts] = await Promise.all([
      readStatus(store.checkHealth()),
      readStatus(blobs.checkHealth()),
      blobs.freeBytes().catch(() => undefined),
      readModels(ctx),
      readBackup(ctx),
      countRecords(store),
    ]);
    return {
      version: programVersion,
      startedAt,
      store: { kind: store.kind, status: storeStatus },
      blobs: blobStatus,
      freeBytes: freeBytes ?? -1,
      services: listServices(settings),
      models,
      backup,
      ...counts,
    };
  },

  async countJobs({ store, clock }) {
    return { kinds: await countJobs(store, clock.now() - DAY_MS) };
  },

  async listJobs({ store }, { status, after }) {
    const last = after === undefined ? undefined : parsePosition(after);
    const found = await listJobs(store, { status, after: last, limit: PAGE_SIZE + 1 });
    const { items, next } = toPage(found, formatPosition);
    return { jobs: items.map(({ lastSeq, error = null, ...job }) => ({ ...job, events: lastSeq, error })), next };
  },

  async listJobSteps({ store }, { id }) {
    const steps = await listSteps(store, id);
    if (!steps) throw noJob();
    return { steps };
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

  async listAudit({ store }, { after, ...filter }) {
    const found = await listActions(store, filter, { after, limit: PAGE_SIZE + 1 });
    const { items: entries, next } = toPage(found, ({ _id }) => _id);
    return { entries, next };
  },

  async *exportAudit({ store }, filter) {
    yield* writeCsv<AuditEntry>({
      head: ["time", "administrator", "administrator_id", "action", "target"],
      read: (last, limit) => listActions(store, filter, { after: last?._id, limit }),
      toRow: ({ at, adminEmail, adminId, action, target }) => [
        new Date(at).toISOString(),
        adminEmail,
        adminId,
        action,
        target,
      ],
    });
  },
};
