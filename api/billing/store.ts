import { type BillingNote, CancellationReason, type Subscription } from "#shared/billing/schema.ts";
import type { Plan } from "#shared/user/schema.ts";
import { type UserDoc, users } from "#api/http/authenticate.ts";
import { findNewestFirst, type Position } from "#api/store/paging/newest-first.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, Doc, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** An account's customer and checkout session at the payment provider; `_id` is the account's id. */
export interface PayerDoc extends OwnedDoc {
  customerId: string | null;
  /** The one open checkout session, and the purchase that it was made for. */
  checkoutId: string | null;
  checkoutKey: string | null;
  /** When the plan is refreshed next, even without an event (epoch ms). */
  refreshAt: number | null;
}

const payers: CollectionSpec<PayerDoc> = {
  name: "payers",
  shardKey: "ownerId",
  indexes: [{ fields: ["customerId"] }, { fields: ["refreshAt"] }],
};

/** An event that was applied. */
interface PaymentEventDoc extends Doc {
  receivedAt: number;
}

const paymentEvents: CollectionSpec<PaymentEventDoc> = {
  name: "payment_events",
  shardKey: "_id",
  indexes: [{ fields: ["receivedAt"] }],
};

/** An event that could not be applied; the provider sends it again for some days. */
interface FailedPaymentEventDoc extends Doc {
  failedAt: number;
}

const failedPaymentEvents: CollectionSpec<FailedPaymentEventDoc> = {
  name: "failed_payment_events",
  shardKey: "_id",
  indexes: [{ fields: ["failedAt"] }],
};

export interface BillingNoteDoc extends OwnedDoc {
  kind: BillingNote["kind"];
  reason: CancellationReason | null;
  comment: string;
  createdAt: number;
}

const billingNotes: CollectionSpec<BillingNoteDoc> = {
  name: "billing_notes",
  shardKey: "ownerId",
  indexes: [{ fields: ["createdAt"] }, { fields: ["ownerId", "createdAt"] }],
};

export const findPayer = (own: Own) => own.in(payers).get(own.ownerId);

/** Returns the account's payer document, and creates it if needed: it exists before the customer at the provider. */
export async function ensurePayer(own: Own): Promise<PayerDoc> {
  const empty = { _id: own.ownerId, customerId: null, checkoutId: null, checkoutKey: null, refreshAt: null };
  await own.in(payers).insert(empty);
  return (await findPayer(own)) ?? { ...empty, ownerId: own.ownerId };
}

/** Replaces the stored customer, unless another call has done so; returns the stored one. */
export async function saveCustomer(own: Own, customerId: string, replaced: string | null): Promise<string> {
  await own.in(payers).patch({ _id: own.ownerId, customerId: replaced }, { set: { customerId } });
  return (await findPayer(own))?.customerId ?? customerId;
}

/** Stores the open session if none was stored meanwhile. */
export const replaceCheckout = async (own: Own, before: PayerDoc, set: Pick<PayerDoc, "checkoutId" | "checkoutKey">) =>
  (await own.in(payers).patch({ _id: own.ownerId, checkoutId: before.checkoutId }, { set })) !== undefined;

export const saveNextRefresh = (own: Own, refreshAt: number | null) =>
  own.in(payers).patch({ _id: own.ownerId }, { set: { refreshAt } });

export async function findPayerOfCustomer(store: DocumentStore, customerId: string): Promise<PayerDoc | undefined> {
  const [found] = await store.collection(payers).find({ customerId }, { limit: 1 });
  return found;
}

/** Accounts with a customer whose plan is due for a refresh, the longest overdue first. */
export const listDuePayers = (store: DocumentStore, now: number, limit: number) =>
  store.collection(payers).find({ refreshAt: { lte: now } }, { order: [["refreshAt", "asc"]], limit });

export const findBilledUser = (own: Own) => own.store.collection(users).get(own.ownerId);

export const findBilledUsers = (store: DocumentStore, ids: readonly string[]) =>
  store.collection(users).find({ _id: { in: [...new Set(ids)] } });

export async function findBilledUserByEmail(store: DocumentStore, email: string): Promise<UserDoc | undefined> {
  const [user] = await store.collection(users).find({ emailLower: email.toLowerCase() }, { limit: 1 });
  return user;
}

type BilledUser = UserDoc & { billing: NonNullable<UserDoc["billing"]> };
const isBilled = (user: UserDoc | undefined): user is BilledUser => user?.billing !== undefined;

/**
 * Counts a refresh of the plan that starts now. The first one stores the plan that the account had without a
 * subscription.
 */
export async function startRefresh(own: Own): Promise<BilledUser | undefined> {
  const accounts = own.store.collection(users);
  const count = () =>
    accounts.patch(
      { _id: own.ownerId, "billing.refreshCount": { gte: 0 } },
      { increment: { "billing.refreshCount": 1 } },
    );
  const counted = await count();
  if (isBilled(counted)) return counted;
  const user = await findBilledUser(own);
  if (!user) return undefined;
  const billing = { refreshCount: 0, granted: user.plan, subscription: null };
  await accounts.patch({ _id: own.ownerId, "billing.refreshCount": null }, { set: { billing } });
  const first = await count();
  return isBilled(first) ? first : undefined;
}

/** Writes the result of a refresh in one change, unless a later refresh has started, which then writes its own. */
export const savePlan = (own: Own, refreshCount: number, found: { plan: Plan; subscription: Subscription | null }) =>
  own.store
    .collection(users)
    .patch(
      { _id: own.ownerId, "billing.refreshCount": refreshCount },
      { set: { plan: found.plan, "billing.subscription": found.subscription } },
    );

/** Counts as a refresh, so that a refresh in progress does not overwrite the granted plan. */
export const saveGrant = (own: Own, grant: { granted: Plan; plan: Plan; isFirst: boolean }) =>
  own.store.collection(users).patch(
    { _id: own.ownerId },
    {
      set: {
        plan: grant.plan,
        "billing.granted": grant.granted,
        ...(grant.isFirst ? { "billing.subscription": null } : {}),
      },
      increment: { "billing.refreshCount": 1 },
    },
  );

export const hasPaymentEvent = async (store: DocumentStore, id: string): Promise<boolean> =>
  (await store.collection(paymentEvents).get(id)) !== undefined;
export async function savePaymentEvent(store: DocumentStore, doc: PaymentEventDoc): Promise<void> {
  await store.collection(paymentEvents).insert(doc);
  await store.collection(failedPaymentEvents).remove({ _id: doc._id });
}
export const saveFailedPaymentEvent = (store: DocumentStore, _id: string, failedAt: number) =>
  store.collection(failedPaymentEvents).insert({ _id, failedAt });
export const countFailedPaymentEvents = (store: DocumentStore) => store.collection(failedPaymentEvents).count({});
export async function removePaymentEventsBefore(store: DocumentStore, time: number): Promise<void> {
  await store.collection(paymentEvents).remove({ receivedAt: { lt: time } });
  await store.collection(failedPaymentEvents).remove({ failedAt: { lt: time } });
}

/** The id of a note names its cause, so that a repeated event adds nothing. */
export const saveBillingNote = (own: Own, note: Omit<BillingNoteDoc, "ownerId">) => own.in(billingNotes).insert(note);

interface NotesQuery {
  after: Position | undefined;
  limit: number;
  /** Limits the list to this account; undefined for all. */
  userId?: string | undefined;
}

export const listNotes = (store: DocumentStore, { userId, ...query }: NotesQuery): Promise<BillingNoteDoc[]> =>
  findNewestFirst(store.collection(billingNotes), {
    ...query,
    filter: userId === undefined ? {} : { ownerId: userId },
  });

/** Notes of cancellations, the newest first. */
export const listCancellations = (
  store: DocumentStore,
  { reason, after, limit }: { reason?: CancellationReason | undefined; after: string | undefined; limit: number },
): Promise<BillingNoteDoc[]> =>
  store.collection(billingNotes).find(
    {
      kind: "cancelled",
      ...(reason !== undefined && { reason }),
      ...(after !== undefined && { _id: { lt: after } }),
    },
    { order: [["_id", "desc"]], limit },
  );

/** How often each reason was given, the most frequent first. */
export async function countCancellationReasons(
  store: DocumentStore,
): Promise<{ reason: CancellationReason; count: number }[]> {
  const counts = await store.collection(billingNotes).groupCount("reason", { kind: "cancelled" });
  return CancellationReason.options
    .map((reason) => ({ reason, count: counts.get(reason) ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}
