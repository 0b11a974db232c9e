import { expect, test } from "vitest";
import { billingNow, buy, DAY_MS, planNow, startBilling } from "./stripe.ts";

const purchase = { plan: "PLUS", rec: "monthly" } as const;

test.each([-240, 240])("with our clock %i seconds behind Stripe's, purchase, events and pause work", async (ahead) => {
  const world = await startBilling();
  const { api, stripe } = world;
  stripe.aheadSeconds = ahead;
  const user = await api.newUser();
  await buy(world, user);
  expect(await planNow(user)).toMatchObject({ type: "PLUS", endAt: null });
  await user.client.billing.pauseSubscription({ days: 1 });
  await stripe.deliver(api.origin);
  expect(await planNow(user)).toMatchObject({ paused: true });
  api.clock.advance(DAY_MS + 600_000);
  expect((await user.client.billing.refreshBilling({})).plan).toMatchObject({ type: "PLUS", paused: false });
});

test("without metadata an account is found by its customer, and events without a customer change nothing", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const user = await api.newUser();
  await user.client.billing.startCheckout(purchase);
  const [customer] = stripe.customers.values();
  if (!customer) throw new Error("No customer");
  customer.params = {};
  // A subscription as an operator creates it by hand in Stripe.
  stripe.subscribe(customer.id, { ...stripe.findPrice("price_ultimate_year"), metadata: {} }, { metadata: {} });
  await stripe.deliver(api.origin);
  const before = await billingNow(user);
  expect(before.subscription).toMatchObject({ plan: { type: "ULTIMATE" }, recurrence: "yearly" });
  for (const object of [{}, { object: "subscription" }, { customer: null }, { object: "dispute", charge: 7 }])
    expect(
      await stripe.send(api.origin, {
        id: stripe.makeId("evt"),
        type: "customer.subscription.deleted",
        data: { object },
      }),
    ).toBe(200);
  expect(await billingNow(user)).toEqual(before);
});

test.each(["down", "busy", "slow"] as const)(
  "with Stripe %s every change is refused without effect, and works later",
  async (mode) => {
    const world = await startBilling({ STRIPE_TIMEOUT_MS: "200" });
    const { api, stripe } = world;
    const [paying, free] = [await api.newUser(), await api.newUser()];
    await buy(world, paying);
    const before = await billingNow(paying);
    stripe.mode = mode;
    const { billing } = paying.client;
    const calls = [
      () => billing.openPortal({}),
      () => billing.listInvoices({}),
      () => billing.refreshBilling({}),
      () => billing.pauseSubscription({ days: 7 }),
      () => billing.resumeSubscription({}),
      () => billing.cancelSubscription({ reason: "unused" }),
      () => free.client.billing.startCheckout({ ...purchase, coupon_code: "STUDY20" }),
    ];
    const refused = await Promise.all(calls.map((call) => call().then(String, (error: unknown) => error)));
    for (const error of refused)
      expect(error).toMatchObject({
        code: "unreachable",
        message: "The payment service could not be reached. Please try again in a moment.",
      });
    expect(await billingNow(paying)).toEqual(before);
    stripe.mode = "up";
    expect((await billing.pauseSubscription({ days: 7 })).plan.paused).toBe(true);
    expect((await free.client.billing.startCheckout({ ...purchase, coupon_code: "STUDY20" })).url).toContain("/pay/");
  },
  30_000,
);
