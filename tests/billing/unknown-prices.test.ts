import { expect, test } from "vitest";
import type { TestUser } from "#tests/kit/api.ts";
import { billingNow, type BillingWorld, buy, DAY_MS, planNow, startBilling } from "./stripe.ts";

const FREE = { type: "FREE", endAt: null, paused: false, pausedUntil: null } as const;
const NOT_FOR_SALE = {
  code: "not_configured",
  status: 501,
  message:
    "This plan cannot be bought at the moment. Nothing was charged, your plan stays as it is, and the operator is notified.",
};
const purchase = { plan: "PLUS", rec: "monthly" } as const;
const customerOf = ({ stripe }: BillingWorld) => [...stripe.customers.keys()].at(-1) ?? "";

/** The administrator's notes about unknown prices, newest first. */
async function notesOf(admin: TestUser): Promise<string[]> {
  const { notes } = await admin.client.billing.listBillingNotes({});
  return notes.flatMap(({ kind, comment }) => (kind === "unknown_price" ? [comment] : []));
}

async function startWithAdmin() {
  const world = await startBilling();
  const admin = await world.api.newUser();
  return { ...world, world, admin, user: await world.api.newUser() };
}

test("a lookup key without a price fails at checkout and is noted once for the operator, until the price exists", async () => {
  const { stripe, admin, user } = await startWithAdmin();
  const [yearly] = stripe.prices.splice(1, 1);
  if (!yearly) throw new Error("No price");
  await expect(user.client.billing.startCheckout(purchase)).rejects.toMatchObject(NOT_FOR_SALE);
  await expect(user.client.billing.startCheckout(purchase)).rejects.toMatchObject(NOT_FOR_SALE);
  expect(await notesOf(admin)).toEqual(["plus_month: one of the four lookup keys has no active price"]);
  expect(stripe.sessions.size).toBe(0);
  expect(await planNow(user)).toEqual(FREE);
  stripe.prices.push(yearly);
  expect((await user.client.billing.startCheckout(purchase)).url).toContain("/pay/");
});

test("a replaced price is read again at checkout, and a deleted price fails with a clear message, also with a code", async () => {
  const { api, stripe, admin, user } = await startWithAdmin();
  await user.client.billing.getRegionalPrice({});
  const [plus] = stripe.prices;
  if (!plus) throw new Error("No price");
  stripe.prices[0] = { ...plus, id: "price_plus_month_2", unit_amount: 900 };
  await user.client.billing.startCheckout(purchase);
  expect([...stripe.sessions.values()].at(-1)?.params["line_items"]).toMatchObject([{ price: "price_plus_month_2" }]);
  // The price is listed but refused at checkout.
  stripe.listedPrices = [...stripe.prices];
  stripe.prices.shift();
  api.clock.advance(60_000);
  for (const coupon_code of [undefined, "STUDY20"])
    await expect(
      user.client.billing.startCheckout({ ...purchase, ...(coupon_code !== undefined && { coupon_code }) }),
    ).rejects.toMatchObject(NOT_FOR_SALE);
  expect(await notesOf(admin)).toEqual(["plus_month: No such price"]);
  expect(await planNow(user)).toEqual(FREE);
});

test("a subscriber at an earlier price keeps the plan after the lookup key moved to a new price", async () => {
  const { world, api, stripe, admin, user } = await startWithAdmin();
  const id = await buy(world, user);
  const [plus] = stripe.prices;
  if (!plus) throw new Error("No price");
  stripe.prices[0] = { ...plus, id: "price_plus_month_2", unit_amount: 900 };
  plus.lookup_key = null;
  stripe.change(id, {});
  await stripe.deliver(api.origin);
  expect((await planNow(user)).type).toBe("PLUS");
  expect((await billingNow(user)).subscription).toMatchObject({ id, amount: 8, status: "active" });
  expect(await notesOf(admin)).toEqual([]);
});

test("a subscription to an unknown price changes no plan, and is noted once for the operator", async () => {
  const { world, api, stripe, admin, user } = await startWithAdmin();
  await buy(world, user);
  const before = await billingNow(user);
  const strange = { ...stripe.findPrice("price_plus_month"), id: "price_x", lookup_key: "something_else" };
  const { id } = stripe.subscribe(customerOf(world), strange, { created: stripe.now() + 5, currency: "jpy" });
  await stripe.deliver(api.origin, (events) => [...events, ...events]);
  stripe.change(id, {});
  await stripe.deliver(api.origin);
  expect(await billingNow(user)).toEqual(before);
  expect(await notesOf(admin)).toEqual([`${id}: price_x (JPY)`]);
});

test("a known price in a currency that is not offered gives the plan, and a later purchase uses an offered one", async () => {
  const { world, api, stripe, admin, user } = await startWithAdmin();
  await user.client.billing.startCheckout(purchase);
  const { id } = stripe.subscribe(customerOf(world), stripe.findPrice("price_plus_month"), { currency: "jpy" });
  await stripe.deliver(api.origin);
  expect((await billingNow(user)).subscription).toMatchObject({ currency: "JPY", plan: { type: "PLUS" } });
  stripe.change(id, { status: "canceled", ended_at: stripe.now() });
  await stripe.deliver(api.origin);
  api.clock.advance(DAY_MS);
  await user.client.billing.startCheckout(purchase);
  expect([...stripe.sessions.values()].at(-1)?.params["currency"]).toBe("usd");
  expect(await notesOf(admin)).toEqual([]);
});

test("a subscriber to an unknown price cannot buy another subscription until the price is known or the first ends", async () => {
  const { world, api, stripe, admin, user } = await startWithAdmin();
  await user.client.billing.startCheckout(purchase);
  const strange = { ...stripe.findPrice("price_plus_month"), id: "price_x", lookup_key: null };
  stripe.prices.push(strange);
  const { id } = stripe.subscribe(customerOf(world), strange);
  await stripe.deliver(api.origin);
  api.clock.advance(60_000);
  const before = stripe.sessions.size;
  await expect(user.client.billing.startCheckout(purchase)).rejects.toMatchObject({
    code: "not_configured",
    reason: "subscription_unknown",
  });
  expect([stripe.sessions.size, await planNow(user)]).toEqual([before, FREE]);
  expect(await notesOf(admin)).toEqual([`${id}: price_x (USD)`]);
  // The student can see and cancel the subscription.
  expect((await user.client.billing.openPortal({})).url).toContain("http");
  stripe.change(id, { status: "canceled", ended_at: stripe.now() });
  expect((await user.client.billing.startCheckout(purchase)).url).toContain("/pay/");
});
