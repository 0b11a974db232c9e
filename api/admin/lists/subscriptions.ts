import type { Cancellation, lists, SubscriptionStart } from "#shared/admin/lists-contract.ts";
import { type ChurnCurve, churnOf } from "#shared/admin/churn.ts";
import { Recurrence } from "#shared/billing/schema.ts";
import { countCancellationReasons, listCancellations } from "#api/billing/store.ts";
import { listLifetimes, listSubscriptionTimes } from "#api/billing/subscription-times.ts";
import { listFirstLimits } from "#api/user/first-limits.ts";
import { type UserDoc, users } from "#api/http/authenticate.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { DocumentStore, OwnedDoc } from "#api/store/port.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";
import { cacheForAMinute } from "../cache-for-a-minute.ts";

const DAY_MS = 86_400_000;
const daysBetween = (start: number, end: number) => Math.max(0, Math.floor((end - start) / DAY_MS));

/** The accounts that a page of documents belongs to, by id. */
async function findOwners(store: DocumentStore, docs: readonly OwnedDoc[]): Promise<ReadonlyMap<string, UserDoc>> {
  const ids = [...new Set(docs.map(({ ownerId }) => ownerId))];
  const found = await store.collection(users).find({ _id: { in: ids } });
  return new Map(found.map((user) => [user._id, user]));
}

export async function presentCancellations(
  store: DocumentStore,
  docs: Awaited<ReturnType<typeof listCancellations>>,
): Promise<Cancellation[]> {
  const owners = await findOwners(store, docs);
  return docs.map(({ _id, ownerId, createdAt, reason, comment }) => {
    const owner = owners.get(ownerId);
    const plan = owner?.billing?.subscription?.plan.type ?? null;
    const accountAgeDays = owner ? daysBetween(owner.createdAt, createdAt) : null;
    return { _id, createdAt, reason, comment, plan, accountAgeDays };
  });
}

export async function presentStarts(
  store: DocumentStore,
  docs: Awaited<ReturnType<typeof listSubscriptionTimes>>,
): Promise<SubscriptionStart[]> {
  const [owners, limits] = await Promise.all([
    findOwners(store, docs),
    listFirstLimits(store, [...new Set(docs.map(({ ownerId }) => ownerId))]),
  ]);
  const firstLimits = new Map(limits.map((limit) => [limit.ownerId, limit]));
  return docs.map(({ _id, ownerId, startedAt, endedAt, recurrence }) => {
    const owner = owners.get(ownerId);
    const limit = firstLimits.get(ownerId);
    return {
      _id,
      createdAt: startedAt,
      recurrence,
      daysAfterSignUp: owner ? daysBetween(owner.createdAt, startedAt) : null,
      durationDays: endedAt === null ? null : daysBetween(startedAt, endedAt),
      firstLimit: limit !== undefined && limit.at <= startedAt ? limit.counter : null,
    };
  });
}

async function countChurn({ store, clock }: Pick<UserCtx, "store" | "clock">): Promise<ChurnCurve[]> {
  const now = clock.now();
  const found = await listLifetimes(store);
  return Recurrence.options
    .map((recurrence) => {
      const lifetimes = found
        .filter((lifetime) => lifetime.recurrence === recurrence)
        .map(({ startedAt, endedAt }) => ({
          days: daysBetween(startedAt, endedAt ?? now),
          hasEnded: endedAt !== null,
        }));
      return { recurrence, points: churnOf(lifetimes) };
    })
    .filter(({ points }) => points.length > 0);
}

const readChurn = cacheForAMinute(countChurn);

type SubscriptionHandlers = Pick<Handlers<typeof lists>, "listCancellations" | "listSubscriptionStarts" | "getChurn">;

/** The lists of cancellations and of subscription starts leave out the accounts. */
export const subscriptionHandlers: SubscriptionHandlers = {
  async listCancellations({ store }, { after, reason }) {
    const found = await listCancellations(store, { reason, after, limit: PAGE_SIZE + 1 });
    const { items, next } = toPage(found, ({ _id }) => _id);
    const [cancellations, reasons] = await Promise.all([
      presentCancellations(store, items),
      countCancellationReasons(store),
    ]);
    return { cancellations, reasons, next };
  },

  async listSubscriptionStarts({ store }, { after, ...filter }) {
    const found = await listSubscriptionTimes(store, { ...filter, after, limit: PAGE_SIZE + 1 });
    const { items, next } = toPage(found, ({ key }) => key);
    return { starts: await presentStarts(store, items), next };
  },

  getChurn: async (ctx) => ({ curves: await readChurn(ctx) }),
};
