import { onTestFinished } from "vitest";
import type { Billing } from "#shared/billing/schema.ts";
import type { Plan } from "#shared/user/schema.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import { aStripe, type StripeServer } from "#tests/kit/servers/stripe/stripe-server.ts";

export const DAY_MS = 86_400_000;

export interface BillingWorld {
  api: TestApi;
  stripe: StripeServer;
}

/** A server with payments, and its stub of Stripe. */
export async function startBilling(env: Record<string, string> = {}): Promise<BillingWorld> {
  const clock = fakeClock();
  const stripe = await aStripe(clock);
  const api = await startApi({ clock, env: { ...stripe.env, RATE_LIMIT_FACTOR: "1000", ...env } });
  onTestFinished(() => api.stop());
  return { api, stripe };
}

type Purchase = Parameters<TestUser["client"]["billing"]["startCheckout"]>[0];

/** Buys a plan: checkout, payment and its events. Resolves to the id of the subscription. */
export async function buy(
  { api, stripe }: BillingWorld,
  user: TestUser,
  purchase: Purchase = { plan: "PLUS", rec: "monthly" },
): Promise<string> {
  const { url } = await user.client.billing.startCheckout(purchase);
  await fetch(url, { method: "POST", redirect: "manual" });
  await stripe.deliver(api.origin);
  const { subscription } = await user.client.billing.getBilling({});
  if (!subscription) throw new Error("Nothing was bought");
  return subscription.id;
}

export const planNow = async (user: TestUser): Promise<Plan> => (await user.client.auth.getUser({})).user.plan;
export const billingNow = (user: TestUser): Promise<Billing> => user.client.billing.getBilling({});
