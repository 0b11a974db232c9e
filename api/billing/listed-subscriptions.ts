import type Stripe from "stripe";
import type { ListedSubscription } from "#shared/billing/plan-of.ts";
import { findByLookupKey } from "#shared/billing/prices.ts";
import { PaidPlan, SubscriptionStatus } from "#shared/billing/schema.ts";
import type { Settings } from "#api/settings.ts";
import { callStripe, isMissingResource } from "./stripe-client.ts";

const MAX_SUBSCRIPTIONS = 100;
const MAX_INVOICES = 100;

/** All subscriptions of a customer, ended ones too; none for a customer that was deleted at the provider. */
export async function listSubscriptions(settings: Settings, customerId: string): Promise<ListedSubscription[]> {
  try {
    const listed = await callStripe(settings, (stripe) =>
      stripe.subscriptions
        .list({ customer: customerId, status: "all", limit: MAX_SUBSCRIPTIONS, expand: ["data.latest_invoice"] })
        .autoPagingToArray({ limit: MAX_SUBSCRIPTIONS }),
    );
    return await Promise.all(listed.flatMap(toListed).map((subscription) => withFirstDebt(settings, subscription)));
  } catch (error) {
    if (isMissingResource(error)) return [];
    throw error;
  }
}

/** Of a subscription with a debt, the time of the oldest open invoice: Stripe lists only the latest with it. */
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

/** Nothing for a status that this version does not know. */
function toListed(subscription: Stripe.Subscription): ListedSubscription[] {
  const status = SubscriptionStatus.safeParse(subscription.status).data;
  return status === undefined ? [] : [{ ...describeListed(subscription), status }];
}

function describeListed(subscription: Stripe.Subscription): Omit<ListedSubscription, "status"> {
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
    items: subscription.items.data.map(({ price, current_period_end }) => ({
      plan: planOfPrice(price),
      recurrence: price.recurring?.interval === "year" ? "yearly" : "monthly",
      current_period_end,
      unitAmount: price.unit_amount,
    })),
  };
}

/** By the price's metadata, or by its lookup key. */
const planOfPrice = ({ metadata, lookup_key }: Stripe.Price): PaidPlan | null =>
  PaidPlan.safeParse(metadata["plan"]?.toUpperCase()).data ?? findByLookupKey(lookup_key)?.plan ?? null;
