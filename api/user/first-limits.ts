import type { CountedLimit } from "#shared/billing/daily-usage.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** The limit of a plan that an account met first; `_id` is the account's. */
interface FirstLimitDoc extends OwnedDoc {
  counter: CountedLimit;
  at: number;
}

const firstLimits: CollectionSpec<FirstLimitDoc> = { name: "first_limits", shardKey: "ownerId", indexes: [] };

/** Only the first call of an account writes. */
export async function recordFirstLimit(own: Own, counter: CountedLimit, at: number): Promise<void> {
  await own.in(firstLimits).insert({ _id: own.ownerId, counter, at });
}

export const listFirstLimits = (store: DocumentStore, accountIds: readonly string[]): Promise<FirstLimitDoc[]> =>
  store.collection(firstLimits).find({ _id: { in: accountIds } });
