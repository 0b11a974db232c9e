import { effectivePlan } from "#shared/billing/effective-plan.ts";
import type { Plan } from "#shared/user/schema.ts";
import { fromMinorUnits } from "./currency.ts";
import type { Discount, PaidPlan, Recurrence, Subscription, SubscriptionStatus } from "./schema.ts";

const DAY_MS = 86_400_000;
/** The plan continues for this long after a failed payment. */
export const GRACE_MS = 7 * DAY_MS;

/** The fields of Stripe's subscription that the plan depends on. Times are epoch seconds, as at Stripe. */
export interface ListedSubscription {
  id: string;
  status: SubscriptionStatus;
  created: number;
  currency: string;
  ended_at: number | null;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  pause_collection: { resumes_at: number | null } | null;
  /** When the oldest invoice that is still open was made, else the latest one; null without any. */
  invoicedAt: number | null;
  /** In the order in which Stripe applies them. */
  discounts: readonly ListedDiscount[];
  /** Discounts of the latest invoice: a discount for one payment appears only there once it was used. */
  invoicedPromotionIds: readonly string[];
  items: readonly ListedItem[];
}

export interface ListedDiscount extends CouponTerms {
  id: string;
  promotionId: string | null;
  /** Epoch seconds; null if it has no end, or counts once. */
  end: number | null;
}

/** The reduction of a coupon. */
export interface CouponTerms {
  percentOff: number | null;
  /** In the currency of the subscription and its minor unit. */
  amountOff: number | null;
  isOnce: boolean;
}

interface ListedItem {
  priceId: string;
  /** From the price's metadata or lookup key; null if the price is not ours. */
  plan: PaidPlan | null;
  recurrence: Recurrence;
  current_period_end: number;
  /** In the currency of the subscription. */
  unitAmount: number | null;
}

/**
 * The subscription with the better rank determines the plan. A status without a rank grants nothing: the first payment
 * was not made, or Stripe no longer tries to collect a debt.
 */
const RANKS: Partial<Record<SubscriptionStatus, number>> = {
  active: 0,
  trialing: 0,
  past_due: 1,
  paused: 2,
  unpaid: 3,
  canceled: 4,
};

/** The subscription that decides the plan: the best status, unpaused first, then the newest. */
export function decidingSubscription(listed: readonly ListedSubscription[]): Subscription | null {
  const ranked = listed
    .flatMap((subscription) => {
      const rank = RANKS[subscription.status];
      const item = subscription.items.find(({ plan }) => plan !== null);
      return rank === undefined || !item?.plan ? [] : [{ subscription, item, plan: item.plan, rank }];
    })
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        Number(isPaused(a.subscription)) - Number(isPaused(b.subscription)) ||
        b.subscription.created - a.subscription.created ||
        (a.subscription.id < b.subscription.id ? 1 : -1),
    );
  const [best] = ranked;
  return best ? describe(best.subscription, best.item, best.plan) : null;
}

/** The plan that an account's subscriptions give it; null if there is none. It depends on nothing else. */
export const planOf = (listed: readonly ListedSubscription[]): Plan | null =>
  decidingSubscription(listed)?.plan ?? null;

const isPaused = ({ status, pause_collection }: ListedSubscription) => status === "paused" || pause_collection !== null;

const toMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

function describe(listed: ListedSubscription, item: ListedItem, type: PaidPlan): Subscription {
  const { id, status, currency, pause_collection } = listed;
  const [discount] = listed.discounts;
  const endAt = endOf(listed);
  const plan: Plan = { type, endAt, paused: isPaused(listed), pausedUntil: toMs(pause_collection?.resumes_at ?? null) };
  const hasEnded = status === "canceled" || status === "unpaid";
  return {
    id,
    status,
    plan,
    recurrence: item.recurrence,
    currency: currency.toUpperCase(),
    amount: item.unitAmount === null ? null : fromMinorUnits(item.unitAmount, currency),
    periodEndsAt: hasEnded ? null : toMs(item.current_period_end),
    isEnding: !hasEnded && plannedEnd(listed) !== null,
    graceEndsAt: status === "past_due" ? graceEnd(listed) : null,
    discount: hasEnded || discount === undefined ? null : describeDiscount(discount, currency),
  };
}

export const describeDiscount = (
  { percentOff, amountOff, end, isOnce }: CouponTerms & Pick<ListedDiscount, "end">,
  currency: string,
): Discount => ({
  percent: percentOff,
  amount: amountOff === null ? null : fromMinorUnits(amountOff, currency),
  endsAt: toMs(end),
  isOnce,
});

/** When the subscription is set to end; null if it renews. */
function plannedEnd({ cancel_at, cancel_at_period_end, items }: ListedSubscription): number | null {
  if (cancel_at !== null) return cancel_at * 1000;
  return cancel_at_period_end ? Math.max(...items.map((item) => item.current_period_end)) * 1000 : null;
}

/**
 * The grace period counts from the first failed invoice, so that a further one, such as that of the next month, adds no
 * days. The end of the period would give a free month, because it has already moved by then; the start would be too
 * early, because a proration can fail in the middle of a period.
 */
const graceEnd = ({ invoicedAt, created }: ListedSubscription) => (invoicedAt ?? created) * 1000 + GRACE_MS;

function endOf(listed: ListedSubscription): number | null {
  const planned = plannedEnd(listed);
  if (listed.status === "canceled") return (listed.ended_at ?? listed.cancel_at ?? listed.created) * 1000;
  // Stripe continues to make invoices for it, so the latest one does not show the debt.
  if (listed.status === "unpaid") return listed.created * 1000;
  if (listed.status !== "past_due") return planned;
  return planned === null ? graceEnd(listed) : Math.min(planned, graceEnd(listed));
}

/** ENTERPRISE has the limits of FREE. */
const PLAN_RANK = { FREE: 0, ENTERPRISE: 1, PLUS: 2, ULTIMATE: 3 } as const;

/**
 * The account's plan: the better of the granted and the subscribed plan. If they are equal, the subscription is used,
 * so that the student sees why it is paused or has ended.
 */
export function choosePlan(granted: Plan, subscribed: Plan | null, now: number): Plan {
  if (subscribed === null) return granted;
  return PLAN_RANK[effectivePlan(granted, now)] > PLAN_RANK[effectivePlan(subscribed, now)] ? granted : subscribed;
}

/** Whether a subscription is still running, so that a change of plan must change it instead of adding a second one. */
export const isLive = (subscription: Pick<Subscription, "status"> | null): boolean =>
  subscription !== null && subscription.status !== "canceled";
