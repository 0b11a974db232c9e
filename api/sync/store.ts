import type { IdempotencyRecord } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

interface AppliedRequestDoc extends OwnedDoc {
  requestId: string;
  clientId: string;
  seq: number;
  appliedAt: number;
  record: IdempotencyRecord;
}

/** Completed requests, from which repeats are answered. */
const appliedRequests: CollectionSpec<AppliedRequestDoc> = {
  name: "sync_requests",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "requestId"], unique: true }, { fields: ["appliedAt"] }],
};

const requestKey = (own: Own, requestId: string) => `${own.ownerId}:${requestId}`;

export const findApplied = (own: Own, requestId: string) => own.in(appliedRequests).get(requestKey(own, requestId));

export const saveApplied = (own: Own, doc: Omit<AppliedRequestDoc, "_id" | "ownerId">) =>
  own.in(appliedRequests).insert({ _id: requestKey(own, doc.requestId), ...doc });

/** Across all accounts. */
export const removeAppliedBefore = (store: DocumentStore, time: number): Promise<number> =>
  store.collection(appliedRequests).remove({ appliedAt: { lt: time } });
