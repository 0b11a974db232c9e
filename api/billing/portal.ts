import type Stripe from "stripe";
import type { PaidPlan, Recurrence, Subscription } from "#shared/billing/schema.ts";
import type { UserDoc } from "#api/http/authenticate.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { getPublicUrl } from "#api/settings.ts";
import { ensurePayer, saveCustomer } from "./store.ts";
import { callStripe, isMissingResource, isRefusal } from "./stripe-client.ts";

/**
 * Returns the account's customer at the provider, and creates it if needed. The idempotency key makes a repeated call
 * return the same customer.
 */
export async function ensureCustomer(ctx: UserCtx, user: UserDoc): Promise<string> {
  const { customerId } = await ensurePayer(ctx.own);
  if (customerId !== null && (await isUsable(ctx, customerId))) return customerId;
  const key = `customer:${user._id}${customerId === null ? "" : `:after:${customerId}`}`;
  const created = await callStripe(ctx.settings, (stripe) =>
    stripe.customers.create(
      { email: user.email, name: user.name, metadata: { userId: user._id } },
      { idempotencyKey: key },
    ),
  );
  return saveCustomer(ctx.own, created.id, customerId);
}

/** False if the customer was deleted at the provider. */
async function isUsable({ settings }: UserCtx, customerId: string): Promise<boolean> {
  try {
    return (await callStripe(settings, (stripe) => stripe.customers.retrieve(customerId))).deleted !== true;
  } catch (error) {
    if (isMissingResource(error)) return false;
    throw error;
  }
}

export interface Purchase {
  plan: PaidPlan;
  rec: Recurrence;
  coupon_code: string | undefined;
}

interface PlanChange {
  current: Subscription | null;
  purchase: Pick<Purchase, "plan" | "rec">;
  priceId: string;
  promotion: string | undefined;
}

/**
 * Returns the URL of the portal. With `change` it is the page on which the student confirms a new plan; only that page
 * returns to the app as a purchase.
 */
export async function openPortal(ctx: UserCtx, { customerId, change }: { customerId: string; change?: PlanChange }) {
  const base = { customer: customerId, return_url: `${getPublicUrl(ctx.settings)}/billing?checkout=back` };
  const create = (params: Stripe.BillingPortal.SessionCreateParams) =>
    callStripe(ctx.settings, async (stripe) => (await stripe.billingPortal.sessions.create(params)).url);
  const flow = change && (await describeChange(ctx, change));
  if (!flow) return create(base);
  try {
    return await create({ ...base, flow_data: flow });
  } catch (error) {
    // The operator's portal does not allow changes of plan, or not to this price.
    if (isRefusal(error)) return create(base);
    throw error;
  }
}

/** Undefined if there is nothing to confirm, because the plan is the same or a debt must be paid first. */
async function describeChange({ settings }: UserCtx, { current, purchase, priceId, promotion }: PlanChange) {
  if (current?.status !== "active" && current?.status !== "trialing") return undefined;
  if (current.plan.type === purchase.plan && current.recurrence === purchase.rec) return undefined;
  const { items } = await callStripe(settings, (stripe) => stripe.subscriptions.retrieve(current.id));
  const [item] = items.data;
  if (!item) return undefined;
  const flow: Stripe.BillingPortal.SessionCreateParams.FlowData = {
    type: "subscription_update_confirm",
    after_completion: {
      type: "redirect",
      redirect: { return_url: `${getPublicUrl(settings)}/billing?checkout=done` },
    },
    subscription_update_confirm: {
      subscription: current.id,
      items: [{ id: item.id, price: priceId, quantity: 1 }],
      ...(promotion === undefined ? {} : { discounts: [{ promotion_code: promotion }] }),
    },
  };
  return flow;
}
