import type Stripe from "stripe";
import { isLive, type ListedSubscription } from "#shared/billing/subscription-plan.ts";
import { findByLookupKey } from "#shared/billing/prices.ts";
import { PaidPlan } from "#shared/billing/schema.ts";
import { utcDay } from "#shared/user/days.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";
import { saveBillingNote } from "./store.ts";

/** A price that was ours at some time; `_id` is its id at the provider. */
interface PaymentPriceDoc extends Doc {
  plan: PaidPlan;
}

const paymentPrices: CollectionSpec<PaymentPriceDoc> = { name: "payment_prices", shardKey: "_id", indexes: [] };

/** Reads the plan from the price's metadata, otherwise from its lookup key. */
const namedPlan = ({ metadata, lookup_key }: Stripe.Price): PaidPlan | undefined =>
  PaidPlan.safeParse(metadata["plan"]?.toUpperCase()).data ?? findByLookupKey(lookup_key)?.plan;

/** Stores the plan of a price. It is never removed, because subscriptions at the price may still run. */
export async function rememberPrice(store: DocumentStore, price: Stripe.Price): Promise<void> {
  const plan = namedPlan(price);
  if (plan !== undefined) await store.collection(paymentPrices).insert({ _id: price.id, plan });
}

/**
 * The plan of a price; null for one that was never ours. A lookup key moves on to the next price when an operator
 * raises the price (https://docs.stripe.com/products-prices/manage-prices), and a customer who still pays the earlier
 * one keeps the plan.
 */
export async function planOfPrice(store: DocumentStore, price: Stripe.Price): Promise<PaidPlan | null> {
  await rememberPrice(store, price);
  return namedPlan(price) ?? (await store.collection(paymentPrices).get(price.id))?.plan ?? null;
}

/** Whether a customer pays for a price that gives no plan. */
export const isUnknownPurchase = (subscription: ListedSubscription): boolean =>
  isLive(subscription) &&
  !subscription.status.startsWith("incomplete") &&
  subscription.items.every(({ plan }) => plan === null);

type NoteDeps = Pick<Deps, "clock" | "log">;

/** Notes purchases of unknown prices for the operator, once for each subscription and price. */
export async function noteUnknownPrices(
  deps: NoteDeps,
  own: Own,
  listed: readonly ListedSubscription[],
): Promise<void> {
  for (const { id, currency, items } of listed.filter(isUnknownPurchase)) {
    const prices = items.map(({ priceId }) => priceId).join(", ");
    await noteUnknownPrice(deps, own, {
      id: `${id}:${prices}`,
      comment: `${id}: ${prices} (${currency.toUpperCase()})`,
    });
  }
}

/** Notes for the operator that a purchase failed because of its price, once for each day, account and price. */
export const noteFailedPurchase = (deps: NoteDeps, own: Own, { price, refused }: { price: string; refused: string }) =>
  noteUnknownPrice(deps, own, {
    id: `${own.ownerId}:${price}:${utcDay(deps.clock.now())}`,
    comment: `${price}: ${refused}`,
  });

async function noteUnknownPrice(
  { clock, log }: NoteDeps,
  own: Own,
  { id, comment }: { id: string; comment: string },
): Promise<void> {
  const note = { _id: `price:${id}`, kind: "unknown_price" as const, reason: null, comment, createdAt: clock.now() };
  if ((await saveBillingNote(own, note)) === "inserted")
    log.error({ userId: own.ownerId, price: comment }, "unknown price");
}
