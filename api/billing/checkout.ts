import type Stripe from "stripe";
import { isLive } from "#shared/billing/subscription-plan.ts";
import { lookupKeys } from "#shared/billing/prices.ts";
import { currencyOf } from "#shared/billing/regions.ts";
import type { Subscription } from "#shared/billing/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { UserDoc } from "#api/http/authenticate.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { getPublicUrl } from "#api/settings.ts";
import { isUnknownPurchase, noteFailedPurchase } from "./known-prices.ts";
import { listSubscriptions } from "./listed-subscriptions.ts";
import { refreshPlan } from "./refresh-plan.ts";
import { ensureCustomer, openPortal, type Purchase } from "./portal.ts";
import { codeNotValid, findPromotion, requireUnused } from "./promotion-codes.ts";
import { chooseCurrency, countryOfRequest, forgetPrices, readPriceTable } from "./prices.ts";
import { ensurePayer, findBilledUser, type PayerDoc, replaceCheckout } from "./store.ts";
import { callStripe, isRefusal, refusedParameter } from "./stripe-client.ts";

const MINUTE_MS = 60_000;
/** A checkout session lasts at least 30 minutes by Stripe's clock, which may be some minutes ahead of ours. */
const SESSION_MINUTES = 40;
const MAX_TRIES = 5;

/**
 * Returns the URL at which the student pays for a plan. With a running subscription it is the URL of the portal, where
 * the student changes the plan instead of paying twice.
 */
export async function startCheckout(ctx: UserCtx, purchase: Purchase): Promise<string> {
  const user = await findBilledUser(ctx.own);
  if (!user) throw new Failure("signed_out", "sign_in");
  const buyer: Buyer = {
    user,
    promotion: purchase.coupon_code === undefined ? undefined : await findUnusedPromotion(ctx, purchase.coupon_code),
    customerId: await ensureCustomer(ctx, user),
    current: (await refreshPlan(ctx, ctx.own))?.billing?.subscription ?? null,
  };
  if (!isLive(buyer.current)) await requireNoUnknownPurchase(ctx, buyer.customerId);
  let bought = await buyAtPrice(ctx, buyer, purchase);
  if ("refused" in bought) {
    // The operator may have replaced a price since it was read.
    forgetPrices(ctx.settings);
    bought = await buyAtPrice(ctx, buyer, purchase);
  }
  if ("url" in bought) return bought.url;
  await noteFailedPurchase(ctx, ctx.own, { price: lookupKeys[purchase.plan][purchase.rec], refused: bought.refused });
  throw new Failure("not_configured", "plan_not_for_sale");
}

/** Each code counts once for an account, whichever plan it is entered for. */
async function findUnusedPromotion(ctx: UserCtx, code: string): Promise<string> {
  const { id } = await findPromotion(ctx, code);
  await requireUnused(ctx.own, id);
  return id;
}

/**
 * Refuses a customer who already pays for a price that gives no plan, because they would pay twice. The refresh before
 * has noted that price for the operator.
 */
async function requireNoUnknownPurchase(ctx: UserCtx, customerId: string): Promise<void> {
  const listed = await listSubscriptions(ctx, customerId);
  if (listed.some(isUnknownPurchase)) throw new Failure("not_configured", "subscription_unknown");
}

interface Buyer {
  user: UserDoc;
  customerId: string;
  promotion: string | undefined;
  current: Subscription | null;
}

/**
 * Opens a checkout session, or the portal for a running subscription. Refused if the provider has no such price, or
 * none in this currency.
 */
async function buyAtPrice(
  ctx: UserCtx,
  buyer: Buyer,
  purchase: Purchase,
): Promise<{ url: string } | { refused: string }> {
  const { user, customerId, promotion, current } = buyer;
  const table = await readPriceTable(ctx);
  if (!table) return { refused: "one of the four lookup keys has no active price" };
  const { id: priceId } = table[purchase.plan][purchase.rec];
  // The portal would replace a running discount without asking; in billing it is confirmed.
  if (isLive(current) && promotion !== undefined && current?.discount)
    throw new Failure("bad_input", "coupon_in_billing");
  if (isLive(current))
    return { url: await openPortal(ctx, { customerId, change: { current, purchase, priceId, promotion } }) };
  const earlierCurrency = current?.currency.toLowerCase();
  const currency = chooseCurrency(table, [earlierCurrency, currencyOf(countryOfRequest(ctx, user.timezone))]);
  try {
    return { url: await openSession(ctx, { user, customerId, priceId, promotion, currency }) };
  } catch (error) {
    if (isRefusal(error) && error instanceof Error) return { refused: error.message };
    throw error;
  }
}

interface NewSession {
  user: UserDoc;
  customerId: string;
  priceId: string;
  promotion: string | undefined;
  currency: string;
}

/** Opens a checkout session. An earlier one is expired first, so that a student with two tabs cannot pay twice. */
async function openSession(ctx: UserCtx, session: NewSession): Promise<string> {
  const minute = Math.floor(ctx.clock.now() / MINUTE_MS);
  const { user, priceId, promotion = "", currency } = session;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    // The key contains the minute because the parameters do (`expires_at`): Stripe refuses a known key with other
    // parameters.
    const key = ["checkout", user._id, priceId, currency, promotion, minute, attempt].join(":");
    const payer = await ensurePayer(ctx.own);
    const open = await reuseOrExpire(ctx, payer, key);
    if (open === "expired") continue;
    if (open !== undefined) return open;
    const created = await createSession(ctx, session, { minute, key });
    const isStored = await replaceCheckout(ctx.own, payer, { checkoutId: created.id, checkoutKey: key });
    const isOurs = isStored || (await ensurePayer(ctx.own)).checkoutId === created.id;
    if (isOurs && created.url !== null) return created.url;
    // Another purchase of this account was stored first. The next attempt expires it.
    await expireSession(ctx, created.id);
  }
  throw new Failure("unreachable", "payments_unreachable");
}

/**
 * Returns the URL of the session that was opened for the same purchase, or "expired" if it is no longer open. Expires a
 * session that was opened for another purchase.
 */
async function reuseOrExpire(ctx: UserCtx, { checkoutId, checkoutKey }: PayerDoc, key: string) {
  if (checkoutId === null) return undefined;
  if (checkoutKey !== key) {
    await expireSession(ctx, checkoutId);
    return undefined;
  }
  const { status, url } = await callStripe(ctx.settings, (stripe) => stripe.checkout.sessions.retrieve(checkoutId));
  return status === "open" && url !== null ? url : "expired";
}

async function expireSession({ settings }: UserCtx, id: string): Promise<void> {
  try {
    await callStripe(settings, (stripe) => stripe.checkout.sessions.expire(id));
  } catch (error) {
    // The session has been paid or has expired.
    if (!isRefusal(error)) throw error;
  }
}

async function createSession(ctx: UserCtx, session: NewSession, { minute, key }: { minute: number; key: string }) {
  const { user, customerId, priceId, promotion, currency } = session;
  const publicUrl = getPublicUrl(ctx.settings);
  const metadata = { userId: user._id, ...(user.referralCode === null ? {} : { referral: user.referralCode }) };
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: "subscription",
    customer: customerId,
    client_reference_id: user._id,
    line_items: [{ price: priceId, quantity: 1 }],
    // Charge in the currency in which the price was shown.
    currency,
    success_url: `${publicUrl}/billing?checkout=done`,
    cancel_url: `${publicUrl}/pricing`,
    expires_at: (minute + SESSION_MINUTES) * 60,
    subscription_data: { metadata },
    ...(promotion === undefined ? {} : { discounts: [{ promotion_code: promotion }] }),
  };
  try {
    return await callStripe(ctx.settings, (stripe) => stripe.checkout.sessions.create(params, { idempotencyKey: key }));
  } catch (error) {
    // The code exists but is not for this purchase: for first orders only, for a higher amount, or used up since.
    const isOfPrice = /^(?:line_items|currency)/.test(refusedParameter(error) ?? "");
    if (promotion !== undefined && isRefusal(error) && !isOfPrice) throw codeNotValid();
    throw error;
  }
}
