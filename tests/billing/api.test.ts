import { expect, test } from "vitest";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { sweepPayers } from "#api/billing/sweep.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { billingNow, type BillingWorld, buy, DAY_MS, planNow, startBilling } from "./stripe.ts";

/** The plan whose limits apply now. */
const limitsNow = async ({ api }: BillingWorld, user: TestUser) => effectivePlan(await planNow(user), api.clock.now());
const customerOf = ({ stripe }: BillingWorld) => [...stripe.customers.keys()][0] ?? "";

test("a first purchase activates the plan through Stripe's event, the return from checkout, or the daily sweep", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const byEvent = await api.newUser();
  expect(await limitsNow(world, byEvent)).toBe("FREE");
  await buy(world, byEvent);
  expect(await planNow(byEvent)).toEqual({ type: "PLUS", endAt: null, paused: false, pausedUntil: null });

  const byReturn = await api.newUser();
  const { url } = await byReturn.client.billing.startCheckout({ plan: "ULTIMATE", rec: "yearly" });
  const paid = await fetch(url, { method: "POST", redirect: "manual" });
  expect(paid.headers.get("location")).toMatch(/\/billing\?checkout=done$/);
  stripe.events = [];
  expect((await byReturn.client.billing.refreshBilling({})).plan.type).toBe("ULTIMATE");

  const bySweep = await api.newUser();
  const session = await bySweep.client.billing.startCheckout({ plan: "PLUS", rec: "yearly" });
  await fetch(session.url, { method: "POST", redirect: "manual" });
  stripe.events = [];
  api.clock.advance(DAY_MS + 1);
  expect(await sweepPayers(api.deps)).toBe(3);
  expect((await billingNow(bySweep)).subscription).toMatchObject({ recurrence: "yearly", currency: "USD", amount: 76 });
});

test("a subscriber changes the plan by confirming it in the portal, and cannot buy a second subscription", async () => {
  const world = await startBilling();
  const user = await world.api.newUser();
  const id = await buy(world, user);
  const { url } = await user.client.billing.startCheckout({ plan: "ULTIMATE", rec: "monthly" });
  expect(url).toContain(`subscription=${id}&price=price_ultimate_month`);
  const confirmed = await fetch(url, { method: "POST", redirect: "manual" });
  expect(confirmed.headers.get("location")).toMatch(/\/billing\?checkout=done$/);
  await world.stripe.deliver(world.api.origin);
  expect((await planNow(user)).type).toBe("ULTIMATE");
  expect(world.stripe.subscriptions.size).toBe(1);
  // Choosing the current plan again needs no confirmation.
  const same = await user.client.billing.startCheckout({ plan: "ULTIMATE", rec: "monthly" });
  expect(same.url).not.toContain("price=");
  const portal = new URL((await user.client.billing.openPortal({})).url);
  expect(portal.pathname).toContain("/portal/");
  // Opening the portal without a change is not a purchase.
  expect(portal.searchParams.get("return")).toMatch(/\/billing\?checkout=back$/);
});

const listInvoicesOf = async ({ client }: TestUser) => (await client.billing.listInvoices({})).invoices;

test("invoices are listed only for the account that paid them, newest first, with their status", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const [user, other] = [await api.newUser(), await api.newUser()];
  expect(await listInvoicesOf(user)).toEqual([]);
  const id = await buy(world, user);
  const first = { amount: 8, currency: "USD", status: "paid", url: expect.stringContaining("/invoice/in_") as string };
  expect(await listInvoicesOf(user)).toEqual([expect.objectContaining(first)]);
  api.clock.advance(31 * DAY_MS);
  stripe.failRenewal(id);
  expect((await listInvoicesOf(user)).map(({ status, createdAt }) => [status, createdAt])).toEqual([
    ["open", Math.floor(api.clock.now() / 1000) * 1000],
  ]);
  await buy(world, other, { plan: "ULTIMATE", rec: "monthly" });
  expect((await listInvoicesOf(other)).map(({ amount }) => amount)).toEqual([20]);
  stripe.customers.delete(customerOf(world));
  expect(await listInvoicesOf(user)).toEqual([]);
});

test("a second checkout expires the first, and twenty at once create one session and one customer", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const user = await api.newUser();
  const first = await user.client.billing.startCheckout({ plan: "PLUS", rec: "monthly" });
  const second = await user.client.billing.startCheckout({ plan: "ULTIMATE", rec: "monthly" });
  expect((await fetch(first.url)).status).toBe(404);
  expect((await fetch(second.url)).status).toBe(200);
  api.clock.advance(60_000);
  const urls = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await user.client.billing.startCheckout({ plan: "PLUS", rec: "monthly" })).url,
    ),
  );
  const open = [...stripe.sessions.values()].filter(({ status }) => status === "open");
  expect([open.length, stripe.customers.size]).toEqual([1, 1]);
  expect(urls.filter((url) => url === open[0]?.url).length).toBeGreaterThan(0);
  expect(new Set(urls).size).toBe(1);
});

test("a paused plan is FREE until its end date, and resuming it early activates it at once", async () => {
  const world = await startBilling();
  const user = await world.api.newUser();
  await buy(world, user);
  await user.client.billing.pauseSubscription({ days: 14 });
  expect(await planNow(user)).toMatchObject({ type: "PLUS", paused: true });
  expect(await limitsNow(world, user)).toBe("FREE");
  // The end of the pause is known in advance and needs no event.
  world.api.clock.advance(15 * DAY_MS);
  expect(await limitsNow(world, user)).toBe("PLUS");
  await user.client.billing.pauseSubscription({ days: 90 });
  await user.client.billing.resumeSubscription({});
  expect(await planNow(user)).toMatchObject({ paused: false, pausedUntil: null });
  await expect(user.client.billing.pauseSubscription({ days: 91 })).rejects.toMatchObject({ code: "bad_input" });
});

test("a cancelled subscription continues to the end of the period, can be resumed until then, and becomes FREE", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const admin = await api.newUser();
  const user = await api.newUser();
  await buy(world, user);
  const ending = await user.client.billing.cancelSubscription({ reason: "too_expensive", comment: "After the exam" });
  expect(ending.subscription).toMatchObject({ isEnding: true, status: "active" });
  expect(ending.plan.endAt).toBe(ending.subscription?.periodEndsAt);
  expect((await user.client.billing.resumeSubscription({})).plan.endAt).toBeNull();
  // Notes are listed in order of time.
  api.clock.advance(1);
  await user.client.billing.cancelSubscription({ reason: "unused" });
  const [subscription] = stripe.subscriptions.values();
  expect(subscription?.cancellation_details.feedback).toBe("unused");
  await user.client.billing.resumeSubscription({});
  api.clock.advance(1);
  // The reason is optional.
  expect((await user.client.billing.cancelSubscription({})).subscription?.isEnding).toBe(true);
  api.clock.advance(29 * DAY_MS);
  expect(await limitsNow(world, user)).toBe("PLUS");
  api.clock.advance(2 * DAY_MS);
  stripe.events = [];
  expect(await limitsNow(world, user)).toBe("FREE");
  await sweepPayers(api.deps);
  expect((await billingNow(user)).subscription?.status).toBe("canceled");
  const { notes } = await admin.client.billing.listBillingNotes({});
  expect(notes.map(({ email, reason, comment }) => [email, reason, comment])).toEqual([
    [user.email, null, ""],
    [user.email, "unused", ""],
    [user.email, "too_expensive", "After the exam"],
  ]);
  expect((await admin.client.billing.listBillingNotes({ userId: admin.userId })).notes).toEqual([]);
  await expect(user.client.billing.listBillingNotes({})).rejects.toMatchObject({ code: "forbidden" });
});

test("after a failed renewal the plan continues for seven days, the portal stays open, and a payment ends the grace period", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const user = await api.newUser();
  const id = await buy(world, user);
  api.clock.advance(30 * DAY_MS);
  stripe.failRenewal(id);
  await stripe.deliver(api.origin);
  expect((await billingNow(user)).subscription).toMatchObject({
    status: "past_due",
    graceEndsAt: api.clock.now() + 7 * DAY_MS,
  });
  expect(await limitsNow(world, user)).toBe("PLUS");
  api.clock.advance(8 * DAY_MS);
  expect(await limitsNow(world, user)).toBe("FREE");
  expect((await user.client.billing.openPortal({})).url).toContain("/portal/");
  expect((await user.client.billing.startCheckout({ plan: "PLUS", rec: "monthly" })).url).toContain("/portal/");
  // Another failed month does not extend the grace period.
  api.clock.advance(22 * DAY_MS);
  stripe.failRenewal(id);
  await stripe.deliver(api.origin);
  expect((await billingNow(user)).subscription?.graceEndsAt).toBe(api.clock.now() - 23 * DAY_MS);
  expect(await limitsNow(world, user)).toBe("FREE");
  stripe.payInvoices(id);
  await stripe.deliver(api.origin);
  expect(await planNow(user)).toMatchObject({ type: "PLUS", endAt: null });
});

test("a refund and a dispute are noted for the administrator, and a lost dispute ends the plan", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const admin = await api.newUser();
  const user = await api.newUser();
  await buy(world, user);
  const [charge] = stripe.charges.values();
  if (!charge) throw new Error("Nothing was charged");
  // A partial refund is not noted.
  stripe.emit("charge.refunded", charge);
  charge.refunded = true;
  await stripe.deliver(api.origin, (events) => events.filter(() => false));
  stripe.emit("charge.refunded", charge);
  const dispute = { id: "dp_1", object: "dispute" as const, charge: charge.id, status: "needs_response" };
  stripe.disputes.set(dispute.id, dispute);
  stripe.emit("charge.dispute.created", dispute);
  await stripe.deliver(api.origin, (events) => [...events, ...events]);
  expect(await limitsNow(world, user)).toBe("PLUS");
  dispute.status = "lost";
  stripe.emit("charge.dispute.closed", dispute);
  await stripe.deliver(api.origin);
  api.clock.advance(1);
  expect(await limitsNow(world, user)).toBe("FREE");
  const { notes } = await admin.client.billing.listBillingNotes({});
  expect(notes.map(({ kind }) => kind).toSorted()).toEqual(["dispute_lost", "disputed", "refunded"]);
});

test("deleting the account cancels first, and is refused while Stripe cannot be reached", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const user = await api.newUser();
  await buy(world, user);
  stripe.mode = "down";
  const password = "a lamp upon the desk";
  await expect(user.client.user.deleteAccount({ password })).rejects.toMatchObject({ code: "unreachable" });
  stripe.mode = "up";
  expect((await user.client.user.deleteAccount({ password })).deleteAt).toBeGreaterThan(api.clock.now());
  expect([...stripe.subscriptions.values()].map(({ status }) => status)).toEqual(["canceled"]);
  // A purchase afterwards, from a checkout page that was still open, is cancelled as well.
  stripe.subscribe(customerOf(world), stripe.findPrice("price_plus_month"));
  await stripe.deliver(api.origin);
  expect([...stripe.subscriptions.values()].map(({ status }) => status)).toEqual(["canceled", "canceled"]);
}, 30_000);

test("events with tampered, old or foreign signatures are refused unread", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const user = await api.newUser();
  await buy(world, user);
  const [subscription] = stripe.subscriptions.values();
  const event = { id: "evt_x", type: "customer.subscription.updated", data: { object: subscription } };
  const before = stripe.calls.length;
  const now = stripe.now();
  expect(await stripe.send(api.origin, event, { tamper: true })).toBe(400);
  expect(await stripe.send(api.origin, event, { secret: "whsec_of_another" })).toBe(400);
  expect(await stripe.send(api.origin, event, { at: now - 301 })).toBe(400);
  expect((await fetch(`${api.origin}/v1/stripe/webhook`, { method: "POST", body: "{}" })).status).toBe(400);
  expect(stripe.calls.length).toBe(before);
  // Our clock is slightly behind Stripe's clock.
  expect(await stripe.send(api.origin, event, { at: now + 120 })).toBe(200);
  const looked = stripe.calls.length;
  expect(await stripe.send(api.origin, event)).toBe(200);
  expect(stripe.calls.length).toBe(looked);
});

test("events of unknown customers, prices and kinds are accepted without effect; after a fault Stripe tries again", async () => {
  const world = await startBilling({ STRIPE_TIMEOUT_MS: "300" });
  const { api, stripe } = world;
  const user = await api.newUser();
  await buy(world, user);
  const before = await billingNow(user);
  const send = (event: object) => stripe.send(api.origin, { id: stripe.makeId("evt"), ...event });
  expect(await send({ type: "customer.subscription.deleted", data: { object: { customer: "cus_nobody" } } })).toBe(200);
  expect(await send({ type: "something.new", data: { object: {} } })).toBe(200);
  expect(await send({ type: "charge.dispute.created", data: { object: { object: "dispute", charge: "ch_no" } } })).toBe(
    200,
  );
  const strange = { ...stripe.findPrice("price_plus_month"), id: "price_x", lookup_key: "something_else" };
  stripe.subscribe(customerOf(world), strange, { created: stripe.now() + 5 });
  await stripe.deliver(api.origin);
  expect(await billingNow(user)).toEqual(before);
  const [subscription] = stripe.subscriptions.values();
  const event = { id: "evt_again", type: "customer.subscription.updated", data: { object: subscription } };
  for (const mode of ["down", "busy", "slow"] as const) {
    stripe.mode = mode;
    expect(await stripe.send(api.origin, event)).toBe(502);
    await expect(user.client.billing.startCheckout({ plan: "PLUS", rec: "monthly" })).rejects.toMatchObject({
      code: "unreachable",
    });
    expect(await billingNow(user)).toEqual(before);
  }
  const admin = await api.newUser();
  await grantAdmin(api.deps, admin.email, true);
  const countFailed = async () => (await admin.client.admin.getInstance({})).failedPaymentEvents;
  expect(await countFailed()).toBe(1);
  stripe.mode = "up";
  expect(await stripe.send(api.origin, event)).toBe(200);
  expect(await countFailed()).toBe(0);
}, 30_000);

test("a coupon is checked before the redirect to Stripe, and the referral code is sent with the purchase", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const { auth } = api.clientFor();
  const { token } = await auth.register({
    name: "Grace",
    email: "grace@example.org",
    password: "a lamp upon the desk",
    referralCode: "FRIEND",
  });
  const { billing } = api.clientFor(token);
  const purchase = { plan: "PLUS", rec: "monthly" } as const;
  for (const coupon_code of ["UNKNOWN", "EXPIRED", "FIRST_TIME"])
    await expect(billing.startCheckout({ ...purchase, coupon_code })).rejects.toMatchObject({
      code: "bad_input",
      message: "This code is not valid.",
    });
  expect(stripe.sessions.size).toBe(0);
  await billing.startCheckout({ ...purchase, coupon_code: " STUDY20 " });
  const [session] = stripe.sessions.values();
  expect(session?.params).toMatchObject({
    discounts: [{ promotion_code: "promo_1" }],
    subscription_data: { metadata: { referral: "FRIEND" } },
  });
  // @ts-expect-error the contract knows only monthly and yearly
  await expect(billing.startCheckout({ plan: "PLUS", rec: "weekly" })).rejects.toMatchObject({ code: "bad_input" });
});

test("prices are shown in the country's currency and charged in it; an earlier subscription keeps its own", async () => {
  const world = await startBilling({ TRUST_PROXY: "1", REGISTRATION: "open" });
  const { api, stripe } = world;
  const read = async (path: string, headers: Record<string, string>) =>
    (await (await fetch(`${api.origin}/v1/stripe/regional_price${path}`, { headers })).json()) as Record<
      string,
      object
    >;
  expect((await read("", { "cf-ipcountry": "DE" }))["PLUS"]).toMatchObject({
    currency: "EUR",
    country_code: "DE",
    monthly: 7.5,
  });
  expect((await read("?timezone=Europe/Paris", {}))["ULTIMATE"]).toMatchObject({ currency: "EUR", yearly: 137 });
  // No price in yen is offered.
  expect((await read("?timezone=Asia/Tokyo", {}))["PLUS"]).toMatchObject({ currency: "USD", country_code: "JP" });
  const user = await api.newUser();
  await user.client.user.saveSettings({ timezone: "Europe/Berlin" });
  await buy(world, user);
  expect([...stripe.sessions.values()][0]?.params["currency"]).toBe("eur");
  await user.client.user.saveSettings({ timezone: "America/New_York" });
  expect((await user.client.billing.getRegionalPrice({})).PLUS).toMatchObject({ currency: "EUR", country_code: "US" });

  const direct = await startBilling();
  const spoofed = await fetch(`${direct.api.origin}/v1/stripe/regional_price`, { headers: { "cf-ipcountry": "DE" } });
  expect(((await spoofed.json()) as { PLUS: object }).PLUS).toMatchObject({ currency: "USD", country_code: "US" });
  direct.stripe.mode = "down";
  direct.api.clock.advance(2 * 60 * 60 * 1000);
  expect((await direct.api.clientFor().billing.getRegionalPrice({})).ULTIMATE).toMatchObject({
    monthly: 20,
    yearly: 144,
  });
}, 30_000);

test("without payments configured, billing calls report that, prices are shown in dollars, and every plan is included", async () => {
  const api = await startApi({ env: { OPERATOR_NAME: "Riverside College" } });
  const user = await api.newUser();
  const { billing } = user.client;
  expect(await billing.getBilling({})).toMatchObject({
    isConfigured: false,
    plan: { type: "ULTIMATE" },
    hasPortal: false,
  });
  expect((await billing.refreshBilling({})).isConfigured).toBe(false);
  expect(await billing.getPaymentSettings({})).toMatchObject({
    newAccountPlan: "ULTIMATE",
    operator: { name: "Riverside College", email: null },
  });
  expect((await billing.getRegionalPrice({})).PLUS).toMatchObject({
    monthly: 8,
    yearly: 76,
    yearly_discount_percent: 20,
  });
  const refused = { code: "not_configured" };
  await expect(billing.startCheckout({ plan: "PLUS", rec: "monthly" })).rejects.toMatchObject(refused);
  await expect(billing.openPortal({})).rejects.toMatchObject(refused);
  await expect(billing.listInvoices({})).rejects.toMatchObject(refused);
  await expect(billing.pauseSubscription({ days: 7 })).rejects.toMatchObject(refused);
  expect((await fetch(`${api.origin}/v1/stripe/webhook`, { method: "POST", body: "{}" })).status).toBe(404);
});

test("an account without a subscription cannot pause, resume or cancel one, or open the portal", async () => {
  const world = await startBilling();
  const { billing } = (await world.api.newUser()).client;
  const refused = { code: "not_found" };
  await expect(billing.pauseSubscription({ days: 7 })).rejects.toMatchObject(refused);
  await expect(billing.resumeSubscription({})).rejects.toMatchObject(refused);
  await expect(billing.cancelSubscription({ reason: "other" })).rejects.toMatchObject(refused);
  await expect(billing.openPortal({})).rejects.toMatchObject(refused);
});
