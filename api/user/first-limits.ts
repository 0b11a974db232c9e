import type { CountedLimit } from "#shared/billing/daily-usage.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** The first plan limit that an account reached; `_id` is the id of the account. */
interface FirstLimitDoc extends OwnedDoc {
  counter: CountedLimit;
  at: number;
}

const firstLimits: CollectionSpec<FirstLimitDoc> = { name: "first_limits", shardKey: "ownerId", indexes: [] };

/** Records a limit if it is the first of the account; later calls change nothing. */
export async function recordFirstLimit(own: Own, counter: CountedLimit, at: number): Promise<void> {
  await own.in(firstLimits).insert({ _id: own.ownerId, counter, at });
}

export const listFirstLimits = (store: DocumentStore, accountIds: readonly string[]): Promise<FirstLimitDoc[]> =>
  store.collection(firstLimits).find({ _id: { in: accountIds } });
