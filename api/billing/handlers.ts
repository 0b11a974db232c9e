import type { billing } from "#shared/billing/contract.ts";
import type { Billing } from "#shared/billing/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import { authenticate, type UserDoc } from "#api/http/authenticate.ts";
import type { Ctx, Handlers, UserCtx } from "#api/http/handler.ts";
import { storageLimit } from "#api/blobs/storage-quota.ts";
import { arePaymentsConfigured, getDefaultPlan } from "#api/settings.ts";
import { formatPosition, parsePosition } from "#api/store/paging/newest-first.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startCheckout } from "./checkout.ts";
import { listInvoices } from "./invoices.ts";
import { refreshPlan } from "./refresh-plan.ts";
import { openPortal } from "./portal.ts";
import { countryOfRequest, regionalPrice } from "./prices.ts";
import { findBilledUser, findBilledUsers, findPayer, listNotes } from "./store.ts";
import { cancelAtPeriodEnd, checkCoupon, noSubscription, pause, redeemCoupon, resume } from "./subscription-changes.ts";
import { notConfigured } from "./stripe-client.ts";
import { applyEvent } from "./webhook.ts";

const NOTES_PER_PAGE = 20;

async function presentBilling({ own, settings }: UserCtx, user: UserDoc | undefined): Promise<Billing> {
  if (!user) throw new Failure("signed_out", "sign_in");
  const isConfigured = arePaymentsConfigured(settings);
  const payer = await findPayer(own);
  return {
    isConfigured,
    plan: user.plan,
    subscription: user.billing?.subscription ?? null,
    hasPortal: isConfigured && Boolean(payer?.customerId),
  };
}

/** The caller's account, if a call that needs no token was sent with one. */
async function findCaller(ctx: Ctx): Promise<UserDoc | undefined> {
  const authorization = ctx.header("authorization");
  if (authorization === undefined) return undefined;
  const caller = await authenticate(ctx, authorization).catch(() => undefined);
  return caller && findBilledUser(ownedBy(ctx.store, caller.userId));
}

export const handlers: Handlers<typeof billing> = {
  async startCheckout(ctx, { plan, rec, coupon_code }) {
    if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
    return { url: await startCheckout(ctx, { plan, rec, coupon_code }) };
  },

  async openPortal(ctx) {
    if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
    const payer = await findPayer(ctx.own);
    if (!payer?.customerId) throw noSubscription();
    return { url: await openPortal(ctx, { customerId: payer.customerId }) };
  },

  async listInvoices(ctx) {
    if (!arePaymentsConfigured(ctx.settings)) throw notConfigured();
    return { invoices: await listInvoices(ctx) };
  },

  async getRegionalPrice(ctx, { timezone }) {
    const user = await findCaller(ctx);
    return regionalPrice(ctx, {
      country: countryOfRequest(ctx, user?.timezone ?? timezone),
      currency: user?.billing?.subscription?.currency.toLowerCase(),
      language: ctx.language(),
    });
  },

  async getPaymentSettings(ctx) {
    const bytesOf = (type: "FREE" | "PLUS" | "ULTIMATE") =>
      storageLimit({ ...ctx, caller: { plan: { type, endAt: null, paused: false, pausedUntil: null } } });
    return {
      isConfigured: arePaymentsConfigured(ctx.settings),
      storageBytes: { FREE: bytesOf("FREE"), PLUS: bytesOf("PLUS"), ULTIMATE: bytesOf("ULTIMATE") },
      newAccountPlan: getDefaultPlan(ctx.settings),
      operator: { name: ctx.settings.OPERATOR_NAME ?? null, email: ctx.settings.OPERATOR_EMAIL ?? null },
    };
  },

  async receiveStripeEvent(ctx, { payload }) {
    await applyEvent(ctx, payload);
    return { received: true };
  },

  async getBilling(ctx) {
    return presentBilling(ctx, await findBilledUser(ctx.own));
  },

  async refreshBilling(ctx) {
    const isConfigured = arePaymentsConfigured(ctx.settings);
    return presentBilling(ctx, isConfigured ? await refreshPlan(ctx, ctx.own) : await findBilledUser(ctx.own));
  },

  async pauseSubscription(ctx, { days }) {
    return presentBilling(ctx, await pause(ctx, days));
  },

  async resumeSubscription(ctx) {
    return presentBilling(ctx, await resume(ctx));
  },

  async checkCoupon(ctx, { coupon_code }) {
    return checkCoupon(ctx, coupon_code);
  },

  async redeemCoupon(ctx, { coupon_code, replaces }) {
    return presentBilling(ctx, await redeemCoupon(ctx, coupon_code, replaces));
  },

  async cancelSubscription(ctx, { reason, comment }) {
    return presentBilling(ctx, await cancelAtPeriodEnd(ctx, reason, comment));
  },

  async listBillingNotes({ store }, { after, userId }) {
    const position = after === undefined ? undefined : parsePosition(after);
    const found = await listNotes(store, { after: position, limit: NOTES_PER_PAGE + 1, userId });
    const notes = found.slice(0, NOTES_PER_PAGE);
    const last = notes.at(-1);
    const owners = await findBilledUsers(
      store,
      notes.map(({ ownerId }) => ownerId),
    );
    const emails = new Map(owners.map(({ _id, email }) => [_id, email]));
    return {
      notes: notes.map(({ ownerId, ...note }) => ({ ...note, userId: ownerId, email: emails.get(ownerId) ?? null })),
      next: found.length > NOTES_PER_PAGE && last ? formatPosition(last) : null,
    };
  },
};
