import type { ListedSubscription } from "#shared/billing/subscription-plan.ts";
import type { SubscriptionFilter } from "#shared/admin/lists-contract.ts";
import type { Recurrence } from "#shared/billing/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** When an account began to pay for a plan, and when it stopped; `_id` is the subscription's id. */
interface SubscriptionTimesDoc extends OwnedDoc {
  startedAt: number;
  endedAt: number | null;
  recurrence: Recurrence | null;
  /** Orders subscriptions: the time, then the id. */
  key: string;
}

const subscriptionTimes: CollectionSpec<SubscriptionTimesDoc> = {
  name: "subscription_times",
  shardKey: "ownerId",
  indexes: [{ fields: ["key"] }],
};

/** Nothing was paid for these. */
const isUnpaid = ({ status }: ListedSubscription) => status === "incomplete" || status === "incomplete_expired";

/** Called at each refresh; a repeated call changes nothing. */
export async function saveSubscriptionTimes(own: Own, listed: readonly ListedSubscription[]): Promise<void> {
  for (const { id, created, ended_at, items } of listed.filter((subscription) => !isUnpaid(subscription))) {
    const startedAt = created * 1000;
    const endedAt = ended_at === null ? null : ended_at * 1000;
    const recurrence = items[0]?.recurrence ?? null;
    const key = `${new Date(startedAt).toISOString()}:${id}`;
    const isNew =
      (await own.in(subscriptionTimes).insert({ _id: id, startedAt, endedAt, recurrence, key })) === "inserted";
    if (!isNew && endedAt !== null)
      await own.in(subscriptionTimes).patch({ _id: id, endedAt: null }, { set: { endedAt } });
  }
}

interface TimesRequest extends SubscriptionFilter {
  after: string | undefined;
  limit: number;
}

/** The newest first. */
export const listSubscriptionTimes = (
  store: DocumentStore,
  { state, recurrence, after, limit }: TimesRequest,
): Promise<SubscriptionTimesDoc[]> =>
  store.collection(subscriptionTimes).find(
    {
      ...(state !== undefined && { endedAt: state === "running" ? null : { not: null } }),
      ...(recurrence !== undefined && { recurrence }),
      ...(after !== undefined && { key: { lt: after } }),
    },
    { order: [["key", "desc"]], limit },
  );

/**
 * When every subscription began and ended. Reads whole documents, because extracting fields of such small documents
 * takes longer.
 */
export const listLifetimes = (
  store: DocumentStore,
): Promise<Pick<SubscriptionTimesDoc, "startedAt" | "endedAt" | "recurrence">[]> =>
  store.collection(subscriptionTimes).find({});
