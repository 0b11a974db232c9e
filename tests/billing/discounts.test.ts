import { expect, test } from "vitest";
import { billingNow, buy, DAY_MS, planNow, startBilling } from "./stripe.ts";

const NOT_VALID = { code: "bad_input", message: "This code is not valid." };

/** A student in Berlin, who is charged in euros for a price that is in dollars. */
async function startInBerlin(coupon_code?: string) {
  const world = await startBilling();
  const user = await world.api.newUser();
  await user.client.user.saveSettings({ timezone: "Europe/Berlin" });
  const purchase = { plan: "PLUS", rec: "monthly", ...(coupon_code !== undefined && { coupon_code }) } as const;
  const id = await buy(world, user, purchase);
  return { world, user, id, ...world };
}

test("billing shows what is charged: the amount of the subscription's currency, and what the code takes off", async () => {
  const { user, stripe } = await startInBerlin("STUDY20");
  expect((await billingNow(user)).subscription).toMatchObject({
    currency: "EUR",
    amount: 7.5,
    discount: { percent: 20, amount: null, endsAt: (stripe.now() + 90 * 86_400) * 1000, isOnce: false },
  });
});

test("a code is redeemed in billing for a running subscription, once an account, and a refused one is not used up", async () => {
  const { user, stripe, api } = await startInBerlin();
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
  expect((await billing.redeemCoupon({ coupon_code: "STUDY20" })).subscription?.discount?.percent).toBe(20);

  const other = await api.newUser();
  await expect(other.client.billing.redeemCoupon({ coupon_code: "STUDY20" })).rejects.toMatchObject({
    code: "not_found",
  });
  // A code that was paid with counts as used.
  await buy({ api, stripe }, other, { plan: "PLUS", rec: "yearly", coupon_code: "STUDY20" });
  await expect(other.client.billing.redeemCoupon({ coupon_code: "STUDY20" })).rejects.toMatchObject({
    reason: "coupon_used",
  });
  const again = { plan: "PLUS", rec: "monthly", coupon_code: "STUDY20" } as const;
  await expect(other.client.billing.startCheckout(again)).rejects.toMatchObject({ reason: "coupon_used" });
});

test("a subscription that was set to end on a date, as in the portal, is kept by the same button", async () => {
  const { user, stripe, id, api } = await startInBerlin();
  stripe.change(id, { cancel_at: stripe.now() + 5 * 86_400 });
  await stripe.deliver(api.origin);
  expect((await billingNow(user)).subscription).toMatchObject({ isEnding: true });
  const { subscription, plan } = await user.client.billing.resumeSubscription({});
  expect([subscription?.isEnding, plan.endAt]).toEqual([false, null]);
  api.clock.advance(6 * DAY_MS);
  await user.client.billing.refreshBilling({});
  expect(await planNow(user)).toMatchObject({ type: "PLUS", endAt: null });
});
