import { ulid } from "ulid";
import { FEEDBACK_CATEGORIES } from "#shared/feedback/contract.ts";
import type { ListedSubscription } from "#shared/billing/subscription-plan.ts";
import { CancellationReason } from "#shared/billing/schema.ts";
import { COUNTED_LIMITS } from "#shared/billing/daily-usage.ts";
import { ReportReason } from "#shared/sharing/schema.ts";
import { utcDay } from "#shared/user/days.ts";
import { recordAction } from "#api/admin/audit-log.ts";
import { type InviteDoc, saveInvite } from "#api/auth/invites-store.ts";
import { saveBillingNote } from "#api/billing/store.ts";
import { saveSubscriptionTimes } from "#api/billing/subscription-times.ts";
import { prompts } from "#api/ai/prompt-log.ts";
import { countHelpRating, feedbackCollection } from "#api/feedback/store.ts";
import { jobSpec, type StoredJob } from "#api/jobs/jobs-log.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { insertPost, type PostDoc } from "#api/marketing/posts-store.ts";
import { saveReport, type ShareDoc, sharesOf } from "#api/sharing/store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { recordFirstLimit } from "#api/user/first-limits.ts";

const DAY_MS = 86_400_000;
const BATCH = 500;
/** Entries of the log of prompts are erased after this many days. */
const LOGGED_DAYS = 30;

export interface Size {
  accounts: number;
  /** How far back accounts were created and figures counted. */
  days: number;
  /** Rows of the lists that grow with use; each account pays and stops paying twice. */
  rows: number;
  now: number;
}

type PickBelow = (below: number) => number;

export async function inBatches(count: number, write: (index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += BATCH)
    await Promise.all(Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => write(from + at)));
}

/** Fills the lists of feedback, jobs, actions and payments as they look after a year. */
export async function seedLists(
  store: DocumentStore,
  { rows, days, now, accountIds }: Size & { accountIds: readonly string[] },
  pick: PickBelow,
): Promise<void> {
  const ownerAt = (at: number) => accountIds[at % accountIds.length] ?? "";
  await inBatches(rows, (at) => {
    const createdAt = now - pick(days) * DAY_MS;
    return store.collection(feedbackCollection).insert({
      _id: ulid(createdAt),
      ownerId: ownerAt(at),
      feedback: "Words that somebody sent.",
      category: FEEDBACK_CATEGORIES[at % 3] ?? "General Feedback",
      currentRoute: "/home",
      email: "",
      ...(at % 100 !== 0 && { state: "done" as const }),
      createdAt,
    });
  });
  await inBatches(rows, (at) => store.collection(jobSpec).insert(aJob(accountIds, at, now)));
  await inBatches(rows, (at) => recordSeededAction(store, ownerAt(at % 3), now - ((rows - at) / rows) * days * DAY_MS));
  await inBatches(rows, (at) => {
    const when = now - ((rows - at) / rows) * LOGGED_DAYS * DAY_MS;
    const words = { system: "Answer.", turns: [{ role: "user" as const, text: "A question." }], answer: "An answer." };
    return store
      .collection(prompts)
      .insert({ _id: ulid(when), ownerId: ownerAt(at), model: "model-small", ...words, at: when });
  });
  await inBatches(rows / 100, (at) => reportSeededShare(store, at, ownerAt(at), now - pick(days) * DAY_MS));
  await inBatches(RATED_ARTICLES * RATINGS_PER_ARTICLE, (at) =>
    countHelpRating(store, `/help/topic/article-${at % RATED_ARTICLES}`, pick(5) === 0 ? "no" : "yes"),
  );
  await inBatches(rows / 10, (at) => saveInvite(store, anInvite(at, now - pick(days) * DAY_MS)));
  await inBatches(rows / 100, (at) => insertPost(store, aPost(at, now - pick(days) * DAY_MS)));
  await seedPayments(store, { days, now, accountIds }, pick);
}

async function seedPayments(
  store: DocumentStore,
  { days, now, accountIds }: Omit<Size, "rows" | "accounts"> & { accountIds: readonly string[] },
  pick: PickBelow,
): Promise<void> {
  const ownerAt = (at: number) => accountIds[at % accountIds.length] ?? "";
  await inBatches(2 * accountIds.length, (at) =>
    saveSubscriptionTimes(ownedBy(store, ownerAt(at)), [aSubscription(at, now - pick(days) * DAY_MS, now, pick)]),
  );
  await inBatches(2 * accountIds.length, async (at) => {
    const own = ownedBy(store, ownerAt(at * 3));
    const createdAt = now - pick(days) * DAY_MS;
    await recordFirstLimit(own, COUNTED_LIMITS[at % COUNTED_LIMITS.length] ?? "fileUploads", createdAt - 30 * DAY_MS);
    const reason = CancellationReason.options[pick(CancellationReason.options.length)] ?? null;
    await saveBillingNote(own, { _id: `cancel_${ulid(createdAt)}`, kind: "cancelled", reason, comment: "", createdAt });
  });
}

/** The store keeps ratings of at most this many articles. */
const RATED_ARTICLES = 300;
const RATINGS_PER_ARTICLE = 20;

/** Reports a share. A third of the reported content is no longer shared. */
async function reportSeededShare(store: DocumentStore, at: number, ownerId: string, createdAt: number): Promise<void> {
  const share: Omit<ShareDoc, "ownerId"> = {
    _id: `share-${at}`,
    key: `page.shared-${at}`,
    type: "page",
    targetId: `shared-${at}`,
    visibility: "unlisted",
    topic: "biology",
    description: "",
    title: `Shared page ${at}`,
    emoji: null,
    views: at,
    duplicates: 0,
    copies: [],
    createdAt,
    takenDownAt: at % 3 === 0 ? createdAt : null,
  };
  await sharesOf(ownedBy(store, ownerId)).insert(share);
  const reason = ReportReason.options[at % ReportReason.options.length] ?? "other";
  await saveReport(store, {
    _id: ulid(createdAt),
    shareId: share._id,
    reason,
    text: "What somebody wrote.",
    createdAt,
  });
}

const INVITE_MS = 14 * DAY_MS;

/** Every third invitation has been used. */
const anInvite = (at: number, createdAt: number): InviteDoc => ({
  _id: `${ulid(createdAt).slice(-12)}${String(at).padStart(10, "0")}`,
  emailLower: at % 2 === 0 ? `invited${at}@example.org` : null,
  usedBy: at % 3 === 0 ? "01USER" : null,
  createdAt,
  expiresAt: createdAt + INVITE_MS,
});

/** Most posts are published, some are drafts. */
function aPost(at: number, createdAt: number): PostDoc {
  const head = { title: `Post ${at}`, description: "", topicName: "Planning" };
  return {
    _id: ulid(createdAt),
    slug: `seeded-post-${at}`,
    topic: "planning",
    date: utcDay(createdAt),
    isPublished: at % 10 !== 0,
    summaries: { en: head },
    bodies: { en: "Text." },
    version: 1,
    createdAt,
    updatedAt: createdAt,
  };
}

/** Most jobs are done, some have failed or wait. */
function aJob(accountIds: readonly string[], at: number, now: number): StoredJob {
  const createdAt = now - (at % 1000) * 60_000;
  const status = at % 50 === 0 ? "failed" : at % 97 === 0 ? "waiting" : "done";
  return {
    _id: ulid(createdAt),
    ownerId: accountIds[at % accountIds.length] ?? "",
    kind: ["flashcards", "pdf_analysis", "podcast"][at % 3] ?? "",
    status,
    input: null,
    checkpoint: null,
    lastSeq: 3,
    createdAt,
    endedAt: status === "waiting" ? null : createdAt + 4000,
    holder: null,
    leaseUntil: 0,
    checkpointSeq: 0,
    attempts: 1,
    ...(status === "failed" && { error: "RangeError" }),
  };
}

const recordSeededAction = (store: DocumentStore, userId: string, at: number) =>
  recordAction(
    { store, clock: { now: () => at }, caller: { userId, email: "root@example.org" } },
    "set_feedback_state",
    "01FEEDBACK",
  );

/** Most subscriptions go on, some end in one of their first months. */
function aSubscription(
  at: number,
  startedAt: number,
  now: number,
  pick: (below: number) => number,
): ListedSubscription {
  const endedAt = startedAt + (20 + pick(700)) * DAY_MS;
  const hasEnded = endedAt < now;
  const created = Math.floor(startedAt / 1000);
  const recurrence = at % 3 === 0 ? "yearly" : "monthly";
  return {
    id: `sub_${at}`,
    status: hasEnded ? "canceled" : "active",
    created,
    currency: "usd",
    ended_at: hasEnded ? Math.floor(endedAt / 1000) : null,
    cancel_at: null,
    cancel_at_period_end: false,
    pause_collection: null,
    invoicedAt: created,
    discounts: [],
    invoicedPromotionIds: [],
    items: [{ priceId: "price", plan: "PLUS", recurrence, current_period_end: created, unitAmount: 800 }],
  };
}
