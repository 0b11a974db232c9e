import type Stripe from "stripe";
import type { CouponTerms, ListedDiscount, ListedSubscription } from "#shared/billing/subscription-plan.ts";
import { SubscriptionStatus } from "#shared/billing/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Settings } from "#api/settings.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { planOfPrice } from "./known-prices.ts";
import { callStripe, isMissingResource } from "./stripe-client.ts";

const MAX_SUBSCRIPTIONS = 100;
const MAX_INVOICES = 100;
/** Stripe expands at most four levels, which is not enough for the amounts in other currencies. */
const EXPANDED = ["data.latest_invoice.discounts", "data.discounts.source.coupon"];

/** All subscriptions of a customer, ended ones too; none for a customer that was deleted at the provider. */
export async function listSubscriptions(
  { settings, store }: Pick<Deps, "settings" | "store">,
  customerId: string,
): Promise<ListedSubscription[]> {
  try {
    const listed = await callStripe(settings, (stripe) =>
      stripe.subscriptions
        .list({ customer: customerId, status: "all", limit: MAX_SUBSCRIPTIONS, expand: EXPANDED })
        .autoPagingToArray({ limit: MAX_SUBSCRIPTIONS }),
    );
    const charged = await Promise.all(listed.map((subscription) => withChargedAmounts(settings, subscription)));
    const known = (await Promise.all(charged.map((subscription) => toListed(store, subscription)))).flat();
    return await Promise.all(known.map((subscription) => withFirstDebt(settings, subscription)));
  } catch (error) {
    if (isMissingResource(error)) return [];
    throw error;
  }
}

/**
 * Adds the amounts in the subscription's currency, if a running subscription is charged in a currency other than its
 * price's.
 */
async function withChargedAmounts(settings: Settings, subscription: Stripe.Subscription): Promise<Stripe.Subscription> {
  const { id, currency, ended_at, items } = subscription;
  if (ended_at !== null || items.data.every(({ price }) => price.currency === currency)) return subscription;
  const retrieved = await callStripe(settings, (stripe) =>
    stripe.subscriptions.retrieve(id, { expand: ["items.data.price.currency_options"] }),
  );
  return { ...subscription, items: retrieved.items };
}

/**
 * Adds the time of the oldest open invoice to an overdue subscription, because Stripe lists only the latest invoice.
 */
async function withFirstDebt(settings: Settings, subscription: ListedSubscription): Promise<ListedSubscription> {
  if (subscription.status !== "past_due") return subscription;
  const open = await callStripe(settings, (stripe) =>
    stripe.invoices
      .list({ subscription: subscription.id, status: "open", limit: MAX_INVOICES })
      .autoPagingToArray({ limit: MAX_INVOICES }),
  );
  const times = open.map(({ created }) => created);
  return times.length === 0 ? subscription : { ...subscription, invoicedAt: Math.min(...times) };
}

/** Returns an empty list for a status that this version does not know. */
async function toListed(store: DocumentStore, subscription: Stripe.Subscription): Promise<ListedSubscription[]> {
  const status = SubscriptionStatus.safeParse(subscription.status).data;
  if (status === undefined) return [];
  const items = await Promise.all(subscription.items.data.map((item) => toItem(store, item, subscription.currency)));
  return [{ ...describeListed(subscription), status, items }];
}

async function toItem(
  store: DocumentStore,
  { price, current_period_end }: Stripe.SubscriptionItem,
  currency: string,
): Promise<ListedSubscription["items"][number]> {
  return {
    priceId: price.id,
    plan: await planOfPrice(store, price),
    recurrence: price.recurring?.interval === "year" ? "yearly" : "monthly",
    current_period_end,
    unitAmount: amountIn(price, currency),
  };
}

const amountIn = (
  { currency: priceCurrency, unit_amount, currency_options }: Stripe.Price,
  currency: string,
): number | null => (priceCurrency === currency ? unit_amount : (currency_options?.[currency]?.unit_amount ?? null));

/** In the order in which Stripe applies them. */
const discountsOf = ({ discounts, currency }: Stripe.Subscription): ListedDiscount[] =>
  discounts.flatMap((discount) => {
    if (typeof discount === "string") return [];
    const { id, end, source } = discount;
    if (!source.coupon || typeof source.coupon === "string") return [];
    return [{ id, end, promotionId: promotionIdOf(discount), ...termsOf(source.coupon, currency) }];
  });

export const termsOf = (coupon: Stripe.Coupon, currency: string): CouponTerms => ({
  percentOff: coupon.percent_off,
  amountOff: coupon.currency === currency ? coupon.amount_off : null,
  isOnce: coupon.duration === "once",
});

const promotionIdOf = ({ promotion_code: promotion }: Pick<Stripe.Discount, "promotion_code">): string | null =>
  typeof promotion === "string" ? promotion : (promotion?.id ?? null);

function invoicedPromotionIds({ latest_invoice: invoice }: Stripe.Subscription): string[] {
  if (invoice === null || typeof invoice === "string") return [];
  return invoice.discounts.flatMap((discount) => (typeof discount === "string" ? [] : (promotionIdOf(discount) ?? [])));
}

/** The discounts that a running subscription has now. */
export async function listDiscounts(settings: Settings, subscriptionId: string): Promise<ListedDiscount[]> {
  return discountsOf(
    await callStripe(settings, (stripe) =>
      stripe.subscriptions.retrieve(subscriptionId, { expand: ["discounts.source.coupon"] }),
    ),
  );
}

function describeListed(subscription: Stripe.Subscription): Omit<ListedSubscription, "status" | "items"> {
  const { id, created, currency, ended_at, cancel_at, cancel_at_period_end, pause_collection, latest_invoice } =
    subscription;
  return {
    id,
    created,
    currency,
    ended_at,
    cancel_at,
    cancel_at_period_end,
    pause_collection: pause_collection && { resumes_at: pause_collection.resumes_at },
    invoicedAt: typeof latest_invoice === "object" ? (latest_invoice?.created ?? null) : null,
    discounts: discountsOf(subscription),
    invoicedPromotionIds: invoicedPromotionIds(subscription),
  };
}
