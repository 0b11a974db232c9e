import { z } from "zod";
import { Plan, PlanType } from "#shared/user/schema.ts";

/** What a student can buy. */
export const PaidPlan = PlanType.extract(["PLUS", "ULTIMATE"]);
export type PaidPlan = z.infer<typeof PaidPlan>;

export const Recurrence = z.enum(["monthly", "yearly"]);
export type Recurrence = z.infer<typeof Recurrence>;

export const PriceInfo = z.object({
  /** ISO 4217, in upper case. */
  currency: z.string(),
  /** How an amount is written; `{price}` stands for the number. */
  currency_format: z.string(),
  /** ISO 3166-1, two letters. */
  country_code: z.string(),
  /** Per month, in the currency's main unit. */
  monthly: z.number(),
  /** Per year, in the currency's main unit. */
  yearly: z.number(),
  /** The saving of a year compared with twelve months, in percent, rounded down. */
  yearly_discount_percent: z.int(),
});
export type PriceInfo = z.infer<typeof PriceInfo>;

export const RegionalPrice = z.object({ PLUS: PriceInfo, ULTIMATE: PriceInfo });
export type RegionalPrice = z.infer<typeof RegionalPrice>;

/** The statuses of a subscription at Stripe (https://docs.stripe.com/api/subscriptions/object). */
export const SubscriptionStatus = z.enum([
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "canceled",
  "paused",
  "incomplete",
  "incomplete_expired",
]);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

/** The reduction of a code. */
export const Discount = z.object({
  /** One of the two is set; both are null for a coupon in another currency. */
  percent: z.number().nullable(),
  /** In the currency's main unit. */
  amount: z.number().nullable(),
  /** Epoch ms; null if it has no end, or counts once. */
  endsAt: z.number().nullable(),
  /** Whether the discount applies to the next payment only. */
  isOnce: z.boolean(),
});
export type Discount = z.infer<typeof Discount>;

/** A code before it is redeemed. */
export const CouponCheck = z.object({
  /** The reduction. */
  discount: Discount,
  /** The running discounts that end when the code is redeemed. */
  replaced: z.array(Discount.extend({ id: z.string() })),
});
export type CouponCheck = z.infer<typeof CouponCheck>;

/** The subscription that decides an account's plan. */
export const Subscription = z.object({
  id: z.string(),
  status: SubscriptionStatus,
  plan: Plan,
  recurrence: Recurrence,
  currency: z.string(),
  /** In the subscription's currency and its main unit, without a discount; null if the price has no fixed amount. */
  amount: z.number().nullable(),
  /** Epoch ms at which the paid period ends; null after the subscription has ended. */
  periodEndsAt: z.number().nullable(),
  /** It ends at the end of the paid period. */
  isEnding: z.boolean(),
  /** Epoch ms until which the plan stays active after a failed payment. */
  graceEndsAt: z.number().nullable(),
  /** Missing or null without one. */
  discount: Discount.nullish(),
});
export type Subscription = z.infer<typeof Subscription>;

/** Why a student cancels: Stripe's own list, except for "other", which comes last here. */
export const CancellationReason = z.enum([
  "too_expensive",
  "unused",
  "missing_features",
  "low_quality",
  "too_complex",
  "switched_service",
  "customer_service",
  "other",
]);
export type CancellationReason = z.infer<typeof CancellationReason>;

/** What happened to a payment, for the administrator. */
export const BillingNote = z.object({
  _id: z.string(),
  userId: z.string(),
  /** The account's address; null if the account is gone. */
  email: z.string().nullable(),
  kind: z.enum(["cancelled", "refunded", "disputed", "dispute_lost", "unknown_price"]),
  /** Why a student cancelled; null if they gave no reason. */
  reason: CancellationReason.nullable(),
  comment: z.string(),
  createdAt: z.number(),
});
export type BillingNote = z.infer<typeof BillingNote>;

/** Who runs the server, from the settings; null for what is not set. */
export const OperatorContact = z.object({ name: z.string().nullable(), email: z.string().nullable() });
export type OperatorContact = z.infer<typeof OperatorContact>;

export const PaymentSettings = z.object({
  isConfigured: z.boolean(),
  storageBytes: z.object({ FREE: z.number(), PLUS: z.number(), ULTIMATE: z.number() }),
  /** The plan of a new account. */
  newAccountPlan: PlanType,
  operator: OperatorContact,
});
export type PaymentSettings = z.infer<typeof PaymentSettings>;

export const Invoice = z.object({
  id: z.string(),
  createdAt: z.number(),
  /** In units of the currency, such as dollars. */
  amount: z.number(),
  currency: z.string(),
  status: z.enum(["paid", "open", "void"]),
  /** The invoice and its receipt at the payment provider; null for one that cannot be seen there. */
  url: z.url({ protocol: /^https?$/ }).nullable(),
});
export type Invoice = z.infer<typeof Invoice>;

export const Billing = z.object({
  /** Whether this server takes payments. */
  isConfigured: z.boolean(),
  plan: Plan,
  subscription: Subscription.nullable(),
  /** Whether invoices and payment methods can be opened. */
  hasPortal: z.boolean(),
});
export type Billing = z.infer<typeof Billing>;
