import type Stripe from "stripe";
import type { ListedSubscription } from "#shared/billing/plan-of.ts";
import { SubscriptionStatus } from "#shared/billing/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Settings } from "#api/settings.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { planOfPrice } from "./known-prices.ts";
import { callStripe, isMissingResource } from "./stripe-client.ts";

const MAX_SUBSCRIPTIONS = 100;
const MAX_INVOICES = 100;

/** All subscriptions of a customer, ended ones too; none for a customer that was deleted at the provider. */
export async function listSubscriptions(
  { settings, store }: Pick<Deps, "settings" | "store">,
  customerId: string,
): Promise<ListedSubscription[]> {
  try {
    const listed = await callStripe(settings, (stripe) =>
      stripe.subscriptions
        .list({ customer: customerId, status: "all", limit: MAX_SUBSCRIPTIONS, expand: ["data.latest_invoice"] })
        .autoPagingToArray({ limit: MAX_SUBSCRIPTIONS }),
    );
    const known = (await Promise.all(listed.map((subscription) => toListed(store, subscription)))).flat();
    return await Promise.all(known.map((subscription) => withFirstDebt(settings, subscription)));
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
async function toListed(store: DocumentStore, subscription: Stripe.Subscription): Promise<ListedSubscription[]> {
  const status = SubscriptionStatus.safeParse(subscription.status).data;
  if (status === undefined) return [];
  const items = await Promise.all(subscription.items.data.map((item) => toItem(store, item)));
  return [{ ...describeListed(subscription), status, items }];
}

async function toItem(
  store: DocumentStore,
  { price, current_period_end }: Stripe.SubscriptionItem,
): Promise<ListedSubscription["items"][number]> {
  return {
    priceId: price.id,
    plan: await planOfPrice(store, price),
    recurrence: price.recurring?.interval === "year" ? "yearly" : "monthly",
    current_period_end,
    unitAmount: price.unit_amount,
  };
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
  };
}
