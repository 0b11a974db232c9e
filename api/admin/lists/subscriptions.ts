import type { lists } from "#shared/admin/lists-contract.ts";
import { countCancellationReasons, listCancellations } from "#api/billing/store.ts";
import { listSubscriptionTimes } from "#api/billing/subscription-times.ts";
import { type UserDoc, users } from "#api/http/authenticate.ts";
import type { Handlers } from "#api/http/handler.ts";
import type { DocumentStore, OwnedDoc } from "#api/store/port.ts";
import { PAGE_SIZE, toPage } from "../paging.ts";

const DAY_MS = 86_400_000;
const daysBetween = (start: number, end: number) => Math.max(0, Math.floor((end - start) / DAY_MS));

/** The accounts that a page of documents belongs to, by id. */
async function findOwners(store: DocumentStore, docs: readonly OwnedDoc[]): Promise<ReadonlyMap<string, UserDoc>> {
  const ids = [...new Set(docs.map(({ ownerId }) => ownerId))];
  const found = await store.collection(users).find({ _id: { in: ids } });
  return new Map(found.map((user) => [user._id, user]));
}

type SubscriptionHandlers = Pick<Handlers<typeof lists>, "listCancellations" | "listSubscriptionStarts">;

/** Both lists are shown without the accounts. */
export const subscriptionHandlers: SubscriptionHandlers = {
  async listCancellations({ store }, { after }) {
    const { items, next } = toPage(await listCancellations(store, after, PAGE_SIZE + 1), ({ _id }) => _id);
    const [owners, reasons] = await Promise.all([findOwners(store, items), countCancellationReasons(store)]);
    const cancellations = items.map(({ _id, ownerId, createdAt, reason, comment }) => {
      const owner = owners.get(ownerId);
      const plan = owner?.billing?.subscription?.plan.type ?? null;
      const accountAgeDays = owner ? daysBetween(owner.createdAt, createdAt) : null;
      return { _id, createdAt, reason, comment, plan, accountAgeDays };
    });
    return { cancellations, reasons, next };
  },

  async listSubscriptionStarts({ store }, { after }) {
    const { items, next } = toPage(await listSubscriptionTimes(store, after, PAGE_SIZE + 1), ({ key }) => key);
    const owners = await findOwners(store, items);
    const starts = items.map(({ _id, ownerId, startedAt, endedAt, recurrence }) => {
      const owner = owners.get(ownerId);
      return {
        _id,
        createdAt: startedAt,
        recurrence,
        daysAfterSignUp: owner ? daysBetween(owner.createdAt, startedAt) : null,
        lastedDays: endedAt === null ? null : daysBetween(startedAt, endedAt),
      };
    });
    return { starts, next };
  },
};
