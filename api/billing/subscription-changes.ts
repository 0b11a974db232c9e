import { ulid } from "ulid";
import type Stripe from "stripe";
import { isLive } from "#shared/billing/subscription-plan.ts";
import type { CancellationReason, Subscription } from "#shared/billing/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { UserDoc } from "#api/http/authenticate.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { lookAgain } from "./look.ts";
import { claimCode, codeNotValid, findPromotion, releaseCode } from "./promotion-codes.ts";
import { saveBillingNote } from "./store.ts";
import { callStripe, isRefusal, notConfigured } from "./stripe-client.ts";
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
  change(ctx, async ({ id, plan, isEnding }) => ({
    ...(plan.paused ? { pause_collection: "" as const } : {}),
    ...(isEnding ? await withoutEnd(ctx, id) : {}),
  }));

/** A cancellation in the portal may set a date instead of the end of the period, and each is taken back by itself. */
async function withoutEnd({ settings }: UserCtx, id: string): Promise<Stripe.SubscriptionUpdateParams> {
  const { cancel_at_period_end } = await callStripe(settings, (stripe) => stripe.subscriptions.retrieve(id));
  return cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: "" };
}

/** Takes a code off the running subscription, in place of an earlier one. */
export async function redeemCoupon(ctx: UserCtx, code: string): Promise<UserDoc> {
  if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
  const promotionId = await findPromotion(ctx, code);
  if (!isLive(await lookAtSubscription(ctx))) throw noSubscription();
  if (!(await claimCode(ctx.own, promotionId))) throw new Failure("bad_input", "coupon_used");
  try {
    return await change(ctx, () => ({ discounts: [{ promotion_code: promotionId }] }));
  } catch (error) {
    await releaseCode(ctx.own, promotionId);
    // The code exists but is not for this subscription: for first orders only, or used up.
    throw isRefusal(error) ? codeNotValid() : error;
  }
}

export async function cancelAtPeriodEnd(ctx: UserCtx, reason: CancellationReason, comment: string): Promise<UserDoc> {
  const user = await change(ctx, () => ({
    cancel_at_period_end: true,
    cancellation_details: { feedback: reason, ...(comment === "" ? {} : { comment }) },
  }));
  const createdAt = ctx.clock.now();
  await saveBillingNote(ctx.own, { _id: ulid(createdAt), kind: "cancelled", reason, comment, createdAt });
  return user;
}

type Update = (
  subscription: Subscription,
) => Stripe.SubscriptionUpdateParams | Promise<Stripe.SubscriptionUpdateParams>;

const lookAtSubscription = async (ctx: UserCtx): Promise<Subscription | null> =>
  (await lookAgain(ctx, ctx.own))?.billing?.subscription ?? null;

/** Changes the subscription as the provider lists it now, then looks at it again. */
async function change(ctx: UserCtx, updateOf: Update): Promise<UserDoc> {
  if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
  const subscription = await lookAtSubscription(ctx);
  if (!subscription || !isLive(subscription)) throw noSubscription();
  const update = await updateOf(subscription);
  if (Object.keys(update).length > 0)
    await callStripe(ctx.settings, (stripe) => stripe.subscriptions.update(subscription.id, update));
  const user = await lookAgain(ctx, ctx.own);
  if (!user) throw noSubscription();
  return user;
}

export const noSubscription = () => new Failure("not_found", "no_subscription");
