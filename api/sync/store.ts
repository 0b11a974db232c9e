import type { Mark } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

interface LedgerDoc extends OwnedDoc {
  requestId: string;
  clientId: string;
  seq: number;
  appliedAt: number;
  mark: Mark;
}

/** Completed requests, from which repeats are answered. */
const ledger: CollectionSpec<LedgerDoc> = {
  name: "sync_requests",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "requestId"], unique: true }, { fields: ["appliedAt"] }],
};

const keyOf = (own: Own, requestId: string) => `${own.ownerId}:${requestId}`;

export const findApplied = (own: Own, requestId: string) => own.in(ledger).get(keyOf(own, requestId));

export const saveApplied = (own: Own, doc: Omit<LedgerDoc, "_id" | "ownerId">) =>
  own.in(ledger).insert({ _id: keyOf(own, doc.requestId), ...doc });

/** Across all accounts. */
export const removeAppliedBefore = (store: DocumentStore, time: number): Promise<number> =>
  store.collection(ledger).remove({ appliedAt: { lt: time } });
