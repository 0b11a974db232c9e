import { addUtcMonths } from "#shared/user/days.ts";
import { ulid } from "ulid";
import type Stripe from "stripe";
import { describeDiscount, isLive } from "#shared/billing/subscription-plan.ts";
import type { CancellationReason, CouponCheck, Subscription } from "#shared/billing/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { UserDoc } from "#api/http/authenticate.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { listDiscounts, termsOf } from "./listed-subscriptions.ts";
import { refreshPlan } from "./refresh-plan.ts";
import { claimCode, codeNotValid, codeUsed, findPromotion, releaseCode, requireUnused } from "./promotion-codes.ts";
import { saveBillingNote } from "./store.ts";
import { callStripe, isRefusal, notConfigured } from "./stripe-client.ts";
import { arePaymentsConfigured } from "#api/settings.ts";

const DAY_MS = 86_400_000;

/** Pauses the subscription. Charges are skipped, not collected later. */
export const pause = (ctx: UserCtx, days: number) =>
  change(ctx, () => {
    const resumesAt = Math.floor((ctx.clock.now() + days * DAY_MS) / 1000);
    return { pause_collection: { behavior: "void", resumes_at: resumesAt } };
  });

/** Ends a pause and reverts a pending cancellation. */
export const resume = (ctx: UserCtx) =>
  change(ctx, async ({ id, plan, isEnding }) => ({
    ...(plan.paused ? { pause_collection: "" as const } : {}),
    ...(isEnding ? await withoutEnd(ctx, id) : {}),
  }));

/**
 * The portal may cancel at a date instead of at the end of the period. Each kind of cancellation is reverted in its own
 * way.
 */
async function withoutEnd({ settings }: UserCtx, id: string): Promise<Stripe.SubscriptionUpdateParams> {
  const { cancel_at_period_end } = await callStripe(settings, (stripe) => stripe.subscriptions.retrieve(id));
  return cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: "" };
}

/** The discount of a code on the running subscription, and the discounts that it would replace. */
export async function checkCoupon(ctx: UserCtx, code: string): Promise<CouponCheck> {
  const { promotion, subscription } = await findRedeemable(ctx, code);
  await requireUnused(ctx.own, promotion.id);
  const currency = subscription.currency.toLowerCase();
  const running = await listDiscounts(ctx.settings, subscription.id);
  return {
    discount: describeDiscount({ ...termsOf(promotion.coupon, currency), end: endOf(ctx, promotion.coupon) }, currency),
    replaced: running.map((discount) => ({ id: discount.id, ...describeDiscount(discount, currency) })),
  };
}

/** Epoch seconds at which a coupon for some months ends if it begins now. */
function endOf({ clock }: UserCtx, { duration_in_months: months }: Stripe.Coupon): number | null {
  return months === null ? null : Math.floor(addUtcMonths(clock.now(), months) / 1000);
}

async function findRedeemable(ctx: UserCtx, code: string) {
  if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
  const promotion = await findPromotion(ctx, code);
  const subscription = await refreshSubscription(ctx);
  if (subscription === null || !isLive(subscription)) throw noSubscription();
  return { promotion, subscription };
}

/** Applies a code to the running subscription, in place of the discounts that the student agreed to end. */
export async function redeemCoupon(ctx: UserCtx, code: string, replaces: readonly string[]): Promise<UserDoc> {
  const { promotion, subscription } = await findRedeemable(ctx, code);
  const promotionId = promotion.id;
  await requireUnused(ctx.own, promotionId);
  const running = await listDiscounts(ctx.settings, subscription.id);
  if (running.some(({ id }) => !replaces.includes(id))) throw new Failure("version_conflict", "coupon_replaces");
  if (!(await claimCode(ctx.own, promotionId))) throw codeUsed();
  try {
    return await change(ctx, () => ({ discounts: [{ promotion_code: promotionId }] }));
  } catch (error) {
    await releaseCode(ctx.own, promotionId);
    // The code exists but is not for this subscription: for first orders only, or used up.
    throw isRefusal(error) ? codeNotValid() : error;
  }
}

export async function cancelAtPeriodEnd(
  ctx: UserCtx,
  reason: CancellationReason | null,
  comment: string,
): Promise<UserDoc> {
  const user = await change(ctx, () => ({
    cancel_at_period_end: true,
    cancellation_details: { ...(reason && { feedback: reason }), ...(comment !== "" && { comment }) },
  }));
  const createdAt = ctx.clock.now();
  await saveBillingNote(ctx.own, { _id: ulid(createdAt), kind: "cancelled", reason, comment, createdAt });
  return user;
}

type Update = (
  subscription: Subscription,
) => Stripe.SubscriptionUpdateParams | Promise<Stripe.SubscriptionUpdateParams>;

const refreshSubscription = async (ctx: UserCtx): Promise<Subscription | null> =>
  (await refreshPlan(ctx, ctx.own))?.billing?.subscription ?? null;

/** Changes the subscription as the provider lists it now, then refreshes the plan. */
async function change(ctx: UserCtx, updateOf: Update): Promise<UserDoc> {
  if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
  const subscription = await refreshSubscription(ctx);
  if (!subscription || !isLive(subscription)) throw noSubscription();
  const update = await updateOf(subscription);
  if (Object.keys(update).length > 0)
    await callStripe(ctx.settings, (stripe) => stripe.subscriptions.update(subscription.id, update));
  const user = await refreshPlan(ctx, ctx.own);
  if (!user) throw noSubscription();
  return user;
}

export const noSubscription = () => new Failure("not_found", "no_subscription");
