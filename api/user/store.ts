import type { Counter } from "#shared/billing/daily-usage.ts";
import { createUsage } from "#shared/billing/daily-usage.ts";
import type { Usage } from "#shared/user/schema.ts";
import { type UserDoc, users } from "#api/http/authenticate.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

export interface UsageDoc extends OwnedDoc, Omit<Usage, "userId"> {
  /** Epoch ms of the day's last review; null if there was none. */
  lastStudiedAt: number | null;
  /** Number of reviews known when this was computed; it only grows, so stale writes lose. */
  reviewsCounted: number;
  /** Refunded uses by counter. Stored with the number of changes, for the figures of the administration. */
  refunded?: Partial<Record<Counter, number>>;
  changes?: number;
}

interface PreferencesDoc extends OwnedDoc {
  /** Only the values that were set, so that a changed default applies to everyone who never chose. */
  value: Record<string, unknown>;
}

const usages: CollectionSpec<UsageDoc> = {
  name: "usages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "period"] }],
};
export const preferences: CollectionSpec<PreferencesDoc> = { name: "preferences", shardKey: "ownerId", indexes: [] };

export const findUser = (own: Own) => own.store.collection(users).get(own.ownerId);

type Changeable = Pick<UserDoc, "name" | "timezone" | "onboardingComplete" | "profilePictureUrl" | "deleteAt">;

export const saveUser = (own: Own, set: Partial<Changeable>) =>
  own.store.collection(users).patch({ _id: own.ownerId }, { set });

/** Stores each id once, even if two windows send the same. */
export async function addSeenFeatures(own: Own, ids: readonly string[]): Promise<UserDoc | undefined> {
  const usersCollection = own.store.collection(users);
  await usersCollection.patch({ _id: own.ownerId }, { pull: { seenFeatures: ids } });
  return usersCollection.patch(
    { _id: own.ownerId },
    { push: { seenFeatures: [...new Set(ids)] }, keepLast: { seenFeatures: 500 } },
  );
}

/** Accounts whose grace period is over. */
export const listDueForDeletion = (store: DocumentStore, now: number) =>
  store.collection(users).find({ deleteAt: { lte: now } }, { limit: 100 });

export const removeUser = (store: DocumentStore, userId: string) => store.collection(users).remove({ _id: userId });

export async function findPreferences(own: Own): Promise<Record<string, unknown>> {
  return (await own.in(preferences).get(own.ownerId))?.value ?? {};
}

/** Sets single values by dotted path, so that concurrent changes to different ones are preserved. */
export async function savePreferences(own: Own, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const set: Record<`value.${string}`, unknown> = {};
  for (const [path, value] of Object.entries(changes)) set[`value.${path}`] = value;
  await own.in(preferences).insert({ _id: own.ownerId, value: {} });
  await own.in(preferences).patch({ _id: own.ownerId }, { set });
}

const usageId = (own: Own, period: string) => `${own.ownerId}:${period}`;

export const findUsage = (own: Own, period: string) => own.in(usages).get(usageId(own, period));

/** Days with studied cards up to a day, in order. A clock that was ahead may have left later days. */
export const listStudyDays = (own: Own, until: string) =>
  own.in(usages).find({ totalCardsStudied: { gt: 0 }, period: { lte: until } }, { order: [["period", "asc"]] });

async function ensureUsage(own: Own, period: string, now: number): Promise<string> {
  const { userId: _, ...counters } = createUsage(own.ownerId, now);
  const _id = usageId(own, period);
  await own.in(usages).insert({ ...counters, _id, period, lastStudiedAt: null, reviewsCounted: 0 });
  return _id;
}

interface UsageIncrement {
  counter: Counter;
  by: number;
  /** Infinity means no limit. */
  limit: number;
  period: string;
  now: number;
}

/** Increments atomically if the result stays within the limit; otherwise returns undefined. */
export async function incrementUsage(
  own: Own,
  { counter, by, limit, period, now }: UsageIncrement,
): Promise<UsageDoc | undefined> {
  const withinLimit = Number.isFinite(limit) ? { [counter]: { lte: limit - by } } : {};
  const _id = usageId(own, period);
  const increment = () => own.in(usages).patch({ _id, ...withinLimit }, { increment: { [counter]: by, changes: 1 } });
  const incremented = await increment();
  if (incremented) return incremented;
  await ensureUsage(own, period, now);
  return increment();
}

/** Decrements, but never below zero. */
export async function decrementUsage(
  own: Own,
  counter: Counter,
  by: number,
  period: string,
): Promise<UsageDoc | undefined> {
  const _id = usageId(own, period);
  const increment = { [`refunded.${counter}`]: by, changes: 1 };
  const decremented = await own
    .in(usages)
    .patch({ _id, [counter]: { gte: by } }, { increment: { [counter]: -by, ...increment } });
  return decremented ?? own.in(usages).patch({ _id, [counter]: { lt: by } }, { set: { [counter]: 0 }, increment });
}

export interface StudyDay {
  period: string;
  cards: number;
  lastStudiedAt: number | null;
  reviewsCounted: number;
  now: number;
}

/** Stores a day's totals unless newer ones are stored. */
export async function saveStudyDay(own: Own, day: StudyDay): Promise<void> {
  const { period, cards, lastStudiedAt, reviewsCounted, now } = day;
  const set = { totalCardsStudied: cards, lastStudiedAt, reviewsCounted };
  const filter = { _id: usageId(own, period), reviewsCounted: { lte: reviewsCounted } };
  if (await own.in(usages).patch(filter, { set })) return;
  await ensureUsage(own, period, now);
  await own.in(usages).patch(filter, { set });
}

/** Resets the totals of a day whose reviews were moved to another day. */
export async function clearStudyDay(own: Own, period: string): Promise<void> {
  const set = { totalCardsStudied: 0, lastStudiedAt: null, reviewsCounted: 0 };
  await own.in(usages).patch({ _id: usageId(own, period) }, { set });
}
