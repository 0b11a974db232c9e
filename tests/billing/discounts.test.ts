import { expect, test } from "vitest";
import type { StripeServer } from "#tests/kit/servers/stripe/stripe-server.ts";
import { billingNow, buy, DAY_MS, planNow, startBilling } from "./stripe.ts";

const DAY_S = DAY_MS / 1000;
const NOT_VALID = { code: "bad_input", message: "This code is not valid." };

/** A student in Berlin who is charged in euros although the base price is in dollars. */
async function startInBerlin(coupon_code?: string) {
  const billing = await startBilling();
  const user = await billing.api.newUser();
  await user.client.user.saveSettings({ timezone: "Europe/Berlin" });
  const purchase = { plan: "PLUS", rec: "monthly", ...(coupon_code !== undefined && { coupon_code }) } as const;
  const id = await buy(billing, user, purchase);
  return { user, id, ...billing };
}

test("billing shows the charged amount in the subscription's currency, and the discount of the code", async () => {
  const { user, stripe } = await startInBerlin("STUDY20");
  expect((await billingNow(user)).subscription).toMatchObject({
    currency: "EUR",
    amount: 7.5,
    discount: { percent: 20, amount: null, endsAt: (stripe.now() + 90 * DAY_S) * 1000, isOnce: false },
  });
});

test("a code can be redeemed for a running subscription once per account, and a refused code stays unused", async () => {
  const { user, stripe } = await startInBerlin();
  const { billing } = user.client;
  expect((await billingNow(user)).subscription?.discount).toBeNull();
  for (const coupon_code of ["UNKNOWN", "EXPIRED", "FIRST_TIME"])
    await expect(billing.redeemCoupon({ coupon_code })).rejects.toMatchObject(NOT_VALID);
  const { subscription } = await billing.redeemCoupon({ coupon_code: " ONE_EURO " });
  expect(subscription?.discount).toEqual({ percent: null, amount: 1, endsAt: null, isOnce: true });
  await expect(billing.redeemCoupon({ coupon_code: "ONE_EURO" })).rejects.toMatchObject({ reason: "coupon_used" });
  stripe.mode = "down";
  await expect(billing.redeemCoupon({ coupon_code: "STUDY20" })).rejects.toMatchObject({ code: "unreachable" });
  stripe.mode = "up";
  const { replaced } = await billing.checkCoupon({ coupon_code: "STUDY20" });
  const replaces = replaced.map((discount) => discount.id);
  expect((await billing.redeemCoupon({ coupon_code: "STUDY20", replaces })).subscription?.discount?.percent).toBe(20);
});

test("a code cannot be redeemed without a subscription, and a code used at checkout counts as used", async () => {
  const { api, stripe } = await startBilling();
  const user = await api.newUser();
  const { billing } = user.client;
  await expect(billing.redeemCoupon({ coupon_code: "STUDY20" })).rejects.toMatchObject({ code: "not_found" });
  await buy({ api, stripe }, user, { plan: "PLUS", rec: "yearly", coupon_code: "STUDY20" });
  await expect(billing.redeemCoupon({ coupon_code: "STUDY20" })).rejects.toMatchObject({ reason: "coupon_used" });
  const again = { plan: "PLUS", rec: "monthly", coupon_code: "STUDY20" } as const;
  await expect(billing.startCheckout(again)).rejects.toMatchObject({ reason: "coupon_used" });
});

test("a code that would end a running discount is redeemed only after the student confirms that", async () => {
  const { user, stripe, id } = await startInBerlin("STUDY20");
  const { billing } = user.client;
  const check = await billing.checkCoupon({ coupon_code: "ONE_EURO" });
  expect(check).toMatchObject({
    discount: { percent: null, amount: 1, endsAt: null, isOnce: true },
    replaced: [{ percent: 20, isOnce: false }],
  });
  const replaces = check.replaced.map((discount) => discount.id);
  const refused = { code: "version_conflict", reason: "coupon_replaces" };
  await expect(billing.redeemCoupon({ coupon_code: "ONE_EURO" })).rejects.toMatchObject(refused);
  // The discount changed after the student was asked.
  const [first] = stripe.subscriptions.get(id)?.discounts ?? [];
  if (!first) throw new Error("No discount");
  stripe.change(id, { discounts: [first, { ...first, id: "di_new", promotion_code: "promo_new" }] });
  await expect(billing.redeemCoupon({ coupon_code: "ONE_EURO", replaces })).rejects.toMatchObject(refused);
  expect((await billingNow(user)).subscription?.discount?.percent).toBe(20);
  const after = await billing.redeemCoupon({ coupon_code: "ONE_EURO", replaces: [...replaces, "di_new"] });
  expect(after.subscription?.discount).toMatchObject({ amount: 1, isOnce: true });
  // A plan change in the portal would replace the discount without asking.
  const change = { plan: "ULTIMATE", rec: "monthly" } as const;
  stripe.promotionCodes.set("AUTUMN", { ...requireCode(stripe, "STUDY20"), id: "promo_autumn" });
  await expect(billing.startCheckout({ ...change, coupon_code: "AUTUMN" })).rejects.toMatchObject({
    reason: "coupon_in_billing",
  });
  expect((await billing.startCheckout(change)).url).toContain("/portal/");
});

test("a code for one payment counts as used after that payment, even if it is one of several discounts", async () => {
  const { user, stripe, id, api } = await startInBerlin("ONE_EURO");
  const { billing } = user.client;
  // The first payment used it up, so the subscription no longer has a discount.
  expect((await billingNow(user)).subscription?.discount).toBeNull();
  const used = { reason: "coupon_used" };
  await expect(billing.redeemCoupon({ coupon_code: "ONE_EURO" })).rejects.toMatchObject(used);
  await expect(billing.checkCoupon({ coupon_code: "ONE_EURO" })).rejects.toMatchObject(used);
  const codes = ["WINTER", "SPRING"].map((code) => ({ code, id: `promo_${code}` }));
  for (const { code, id: promotion } of codes)
    stripe.promotionCodes.set(code, { ...requireCode(stripe, "STUDY20"), id: promotion });
  stripe.change(id, { discounts: stripe.discountsOf(codes.map((code) => ({ promotion_code: code.id }))) });
  await stripe.deliver(api.origin);
  stripe.change(id, { discounts: [] });
  for (const { code } of codes) await expect(billing.redeemCoupon({ coupon_code: code })).rejects.toMatchObject(used);
});

function requireCode(stripe: StripeServer, code: string) {
  const found = stripe.promotionCodes.get(code);
  if (!found) throw new Error(`No code ${code}`);
  return found;
}

test("a subscription with an end date, as the portal sets it, can be resumed like a cancelled one", async () => {
  const { user, stripe, id, api } = await startInBerlin();
  stripe.change(id, { cancel_at: stripe.now() + 5 * DAY_S });
  await stripe.deliver(api.origin);
  expect((await billingNow(user)).subscription).toMatchObject({ isEnding: true });
  const { subscription, plan } = await user.client.billing.resumeSubscription({});
  expect([subscription?.isEnding, plan.endAt]).toEqual([false, null]);
  api.clock.advance(6 * DAY_MS);
  await user.client.billing.refreshBilling({});
  expect(await planNow(user)).toMatchObject({ type: "PLUS", endAt: null });
});
