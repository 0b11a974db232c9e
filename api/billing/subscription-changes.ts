import { ulid } from "ulid";
import type Stripe from "stripe";
import { isLive } from "#shared/billing/plan-of.ts";
import type { CancellationReason, Subscription } from "#shared/billing/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { UserDoc } from "#api/http/authenticate.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { lookAgain } from "./look.ts";
import { saveBillingNote } from "./store.ts";
import { callStripe, notConfigured } from "./stripe-client.ts";
import { arePaymentsConfigured } from "#api/settings.ts";

const DAY_MS = 86_400_000;

/** Charges are skipped, not collected later. */
export const pause = (ctx: UserCtx, days: number) =>
  change(ctx, () => {
    const resumesAt = Math.floor((ctx.clock.now() + days * DAY_MS) / 1000);
    return { pause_collection: { behavior: "void", resumes_at: resumesAt } };
  });

/** Ends a pause, or takes a cancellation back. */
export const resume = (ctx: UserCtx) =>
  change(ctx, ({ plan, isEnding }) => ({
    ...(plan.paused ? { pause_collection: "" as const } : {}),
    ...(isEnding ? { cancel_at_period_end: false } : {}),
  }));

export async function cancelAtPeriodEnd(ctx: UserCtx, reason: CancellationReason, comment: string): Promise<UserDoc> {
  const user = await change(ctx, () => ({
    cancel_at_period_end: true,
    cancellation_details: { feedback: reason, ...(comment === "" ? {} : { comment }) },
  }));
  const createdAt = ctx.clock.now();
  await saveBillingNote(ctx.own, { _id: ulid(createdAt), kind: "cancelled", reason, comment, createdAt });
  return user;
}

type Update = (subscription: Subscription) => Stripe.SubscriptionUpdateParams;

/** Changes the subscription as the provider lists it now, then looks at it again. */
async function change(ctx: UserCtx, updateOf: Update): Promise<UserDoc> {
  if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
  const subscription = (await lookAgain(ctx, ctx.own))?.billing?.subscription ?? null;
  if (!subscription || !isLive(subscription)) throw noSubscription();
  const update = updateOf(subscription);
  if (Object.keys(update).length > 0)
    await callStripe(ctx.settings, (stripe) => stripe.subscriptions.update(subscription.id, update));
  const user = await lookAgain(ctx, ctx.own);
  if (!user) throw noSubscription();
  return user;
}

export const noSubscription = () => new Failure("not_found", "no_subscription");
