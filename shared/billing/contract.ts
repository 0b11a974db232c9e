import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import {
  Billing,
  BillingNote,
  CancellationReason,
  CouponCheck,
  Invoice,
  PaidPlan,
  PaymentSettings,
  Recurrence,
  RegionalPrice,
} from "./schema.ts";

/** The longest pause; afterwards the subscription resumes by itself. */
export const MAX_PAUSE_DAYS = 90;

const redirect = z.object({ url: z.string() });
const couponCode = z
  .string()
  .trim()
  .max(100)
  .transform((code) => (code === "" ? undefined : code))
  .optional();

export const billing = {
  startCheckout: json({
    method: "GET",
    path: "/v1/stripe/checkout_session",
    access: "user",
    rate: "sign_in",
    noStore: true,
    summary: "Where to pay for a plan; an account with a subscription is sent to the portal to change it",
    input: z.object({ plan: PaidPlan, rec: Recurrence, coupon_code: couponCode }),
    output: redirect,
    fails: ["bad_input", "not_configured", "unreachable", "too_many_requests"],
  }),
  openPortal: json({
    method: "GET",
    path: "/v1/stripe/customer_portal",
    access: "user",
    rate: "sign_in",
    noStore: true,
    summary: "Where to see invoices and change the payment method or the plan",
    input: z.object({}),
    output: redirect,
    fails: ["not_found", "not_configured", "unreachable", "too_many_requests"],
  }),
  listInvoices: json({
    method: "GET",
    path: "/v1/billing/invoices",
    access: "user",
    rate: "sign_in",
    noStore: true,
    summary: "The caller's latest invoices, the newest first; none for an account that never paid",
    input: z.object({}),
    output: z.object({ invoices: z.array(Invoice) }),
    fails: ["not_configured", "unreachable", "too_many_requests"],
  }),
  getRegionalPrice: json({
    method: "GET",
    path: "/v1/stripe/regional_price",
    access: "public",
    rate: "anonymous",
    summary: "Prices in the currency of the caller's country, or of the caller's earlier subscription",
    input: z.object({ timezone: z.string().max(64).optional() }),
    output: RegionalPrice,
    fails: ["bad_input", "too_many_requests"],
  }),
  getPaymentSettings: json({
    method: "GET",
    path: "/v1/billing/settings",
    access: "public",
    rate: "anonymous",
    summary: "Whether this server takes payments, how much storage each plan has, and whom to ask about plans",
    input: z.object({}),
    output: PaymentSettings,
    fails: ["too_many_requests"],
  }),
  receiveStripeEvent: json({
    method: "POST",
    path: "/v1/stripe/webhook",
    access: "public",
    rate: "ordinary",
    rawBody: true,
    summary: "An event of the payment provider, signed: it says whose subscriptions to look at again, and nothing else",
    input: z.object({ payload: z.string() }),
    output: z.object({ received: z.literal(true) }),
    fails: ["bad_input", "not_found", "unreachable"],
  }),
  getBilling: json({
    method: "GET",
    path: "/v1/billing",
    access: "user",
    summary: "The caller's plan and subscription, as last seen",
    input: z.object({}),
    output: Billing,
    fails: [],
  }),
  refreshBilling: json({
    method: "POST",
    path: "/v1/billing/refresh",
    access: "user",
    rate: "generation",
    summary: "Look at the caller's subscriptions again, such as after a payment",
    input: z.object({}),
    output: Billing,
    fails: ["unreachable", "too_many_requests"],
  }),
  pauseSubscription: json({
    method: "POST",
    path: "/v1/billing/pause",
    access: "user",
    rate: "sign_in",
    summary: "Pause the caller's subscription for some days: nothing is charged, and the free limits apply",
    input: z.object({ days: z.int().min(1).max(MAX_PAUSE_DAYS) }),
    output: Billing,
    fails: ["bad_input", "not_found", "not_configured", "unreachable", "too_many_requests"],
  }),
  resumeSubscription: json({
    method: "POST",
    path: "/v1/billing/resume",
    access: "user",
    rate: "sign_in",
    summary: "End a pause, or keep a subscription that was going to end",
    input: z.object({}),
    output: Billing,
    fails: ["not_found", "not_configured", "unreachable", "too_many_requests"],
  }),
  checkCoupon: json({
    method: "POST",
    path: "/v1/billing/coupon_check",
    access: "user",
    rate: "sign_in",
    summary: "What a discount code takes off the running subscription, and which discounts it would replace",
    input: z.object({ coupon_code: z.string().trim().min(1).max(100) }),
    output: CouponCheck,
    fails: ["bad_input", "not_found", "not_configured", "unreachable", "too_many_requests"],
  }),
  redeemCoupon: json({
    method: "POST",
    path: "/v1/billing/coupon",
    access: "user",
    rate: "sign_in",
    summary: "Take a discount code off the running subscription; each code counts once an account",
    input: z.object({
      coupon_code: z.string().trim().min(1).max(100),
      /** The running discounts that end with the redemption, as the student confirmed. */
      replaces: z.array(z.string().max(100)).max(100).default([]),
    }),
    output: Billing,
    fails: ["bad_input", "version_conflict", "not_found", "not_configured", "unreachable", "too_many_requests"],
  }),
  cancelSubscription: json({
    method: "POST",
    path: "/v1/billing/cancel",
    access: "user",
    rate: "sign_in",
    summary: "End the caller's subscription with the paid period",
    input: z.object({
      reason: CancellationReason.nullable().default(null),
      comment: z.string().trim().max(1000).default(""),
    }),
    output: Billing,
    fails: ["bad_input", "not_found", "not_configured", "unreachable", "too_many_requests"],
  }),
  listBillingNotes: json({
    method: "GET",
    path: "/v1/admin/billing_notes",
    access: "admin",
    summary: "Cancellations with their reason, refunds and disputes, of all accounts or of one, newest first",
    input: z.object({ after: z.string().max(200).optional(), userId: z.string().max(100).optional() }),
    output: z.object({
      notes: z.array(BillingNote),
      /** The `after` of the next page; null if there is none. */
      next: z.string().nullable(),
    }),
    fails: ["forbidden", "bad_input"],
  }),
};
