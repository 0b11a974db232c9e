import { afterAll, expect, test } from "vitest";
import { listSubscriptions } from "#api/billing/listed-subscriptions.ts";
import { sweepPayers } from "#api/billing/sweep.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { startStripeMock } from "#tests/kit/servers/stripe/stripe-mock.ts";
import { findFault } from "#tests/kit/servers/stripe/stripe-parameters.ts";
import { type BillingWorld, buy, DAY_MS, startBilling } from "./stripe.ts";

const mock = await startStripeMock();
const origin = "missing" in mock ? "" : mock.origin;
const title = (text: string) => ("missing" in mock ? `${text} (skipped: ${mock.missing})` : text);
process.stdout.write("missing" in mock ? `stripe-mock: skipped (${mock.missing})\n` : "stripe-mock: running\n");
afterAll(async () => {
  if ("stop" in mock) await mock.stop();
});

type Params = Record<string, unknown>;

/** `a[b][0]=c`, as the client of Stripe writes it. */
function toForm(params: unknown, path = ""): [string, string][] {
  if (typeof params !== "object" || params === null) return [[path, String(params)]];
  return Object.entries(params).flatMap(([key, value]) => toForm(value, path === "" ? key : `${path}[${key}]`));
}

/** Sends a call to Stripe's mock; resolves to the reason if the mock refuses it. */
async function askMock(name: string, params: Params): Promise<string | undefined> {
  const [method = "", path = ""] = name.split(" ");
  const form = new URLSearchParams(toForm(params)).toString();
  const answer = await fetch(`${origin}${path}${method === "GET" && form !== "" ? `?${form}` : ""}`, {
    method,
    headers: { authorization: "Bearer sk_test_lamplight", "content-type": "application/x-www-form-urlencoded" },
    ...(method === "POST" ? { body: form } : {}),
  });
  const body = (await answer.json()) as { error?: { message: string } };
  return body.error?.message;
}

function requireCode(stripe: BillingWorld["stripe"], code: string) {
  const found = stripe.promotionCodes.get(code);
  if (!found) throw new Error(`No code ${code}`);
  return found;
}

/** Makes every kind of call that the product makes to Stripe. */
async function makeEveryCall(world: BillingWorld): Promise<void> {
  const { api, stripe } = world;
  const user = await api.newUser();
  await user.client.user.saveSettings({ timezone: "Europe/Berlin" });
  const { billing } = user.client;
  const purchase = { plan: "PLUS", rec: "monthly", coupon_code: "STUDY20" } as const;
  await billing.startCheckout({ ...purchase, plan: "ULTIMATE" });
  // Repeating the purchase within a minute reads the session again, and another purchase expires it.
  await billing.startCheckout(purchase);
  await billing.startCheckout(purchase);
  const id = await buy(world, user, purchase);
  await billing.openPortal({});
  await billing.listInvoices({});
  const { replaced } = await billing.checkCoupon({ coupon_code: "ONE_EURO" });
  await billing.redeemCoupon({ coupon_code: "ONE_EURO", replaces: replaced.map((discount) => discount.id) });
  stripe.change(id, { discounts: [] });
  stripe.promotionCodes.set("TWO_EUROS", { ...requireCode(stripe, "ONE_EURO"), id: "promo_5" });
  await billing.startCheckout({ plan: "ULTIMATE", rec: "yearly", coupon_code: "TWO_EUROS" });
  await billing.pauseSubscription({ days: 14 });
  await billing.resumeSubscription({});
  await billing.cancelSubscription({ reason: "too_expensive", comment: "After the exam" });
  await billing.resumeSubscription({});
  stripe.change(id, { cancel_at: stripe.now() + 9 * 86_400 });
  await billing.resumeSubscription({});
  stripe.failRenewal(id);
  const [charge] = stripe.charges.values();
  stripe.emit("charge.refunded", charge);
  stripe.disputes.set("dp_1", { id: "dp_1", object: "dispute", charge: charge?.id ?? "", status: "needs_response" });
  stripe.emit("charge.dispute.closed", stripe.disputes.get("dp_1"));
  await stripe.deliver(api.origin);
  api.clock.advance(DAY_MS + 1000);
  await sweepPayers(api.deps);
  const other = await api.newUser();
  await buy(world, other);
  await other.client.user.deleteAccount({ password: PASSWORD });
}

test.skipIf("missing" in mock)(
  title("Stripe's own mock accepts every kind of call that the product makes"),
  async () => {
    const world = await startBilling();
    await makeEveryCall(world);
    const { calls } = world.stripe;
    const refused: string[] = [];
    for (const { name, params } of calls) {
      const problem = await askMock(name, params);
      if (problem !== undefined) refused.push(`${name}: ${problem}`);
    }
    expect(refused).toEqual([]);
    const kinds = new Set(calls.map(({ name }) => name.replaceAll(/\/(?:cus|cs|sub|ch|dp)_\w+/g, "/{id}")));
    expect([...kinds].toSorted()).toEqual([
      "DELETE /v1/subscriptions/{id}",
      "GET /v1/charges/{id}",
      "GET /v1/checkout/sessions/{id}",
      "GET /v1/customers/{id}",
      "GET /v1/disputes/{id}",
      "GET /v1/invoices",
      "GET /v1/prices",
      "GET /v1/promotion_codes",
      "GET /v1/subscriptions",
      "GET /v1/subscriptions/{id}",
      "POST /v1/billing_portal/sessions",
      "POST /v1/checkout/sessions",
      "POST /v1/checkout/sessions/{id}/expire",
      "POST /v1/customers",
      "POST /v1/subscriptions/{id}",
    ]);
    process.stdout.write(`stripe-mock: accepted ${calls.length} calls of ${kinds.size} kinds\n`);
  },
  60_000,
);

const wrong: [string, Params][] = [
  ["POST /v1/subscriptions/sub_1", { cancel_att: "1" }],
  ["POST /v1/subscriptions/sub_1", { pause_collection: { behavior: "hold" } }],
  ["POST /v1/subscriptions/sub_1", { cancellation_details: { feedback: "bored" } }],
  ["POST /v1/checkout/sessions", { mode: "subscribe", success_url: "https://x.example" }],
  ["POST /v1/billing_portal/sessions", { customer: "cus_1", flow_data: { type: "buy" } }],
  ["POST /v1/customers", { mail: "ada@example.org" }],
  ["GET /v1/subscriptions", { state: "all" }],
];

test.skipIf("missing" in mock).each(wrong)(
  title("%s with %j is refused by the mock and by our checker"),
  async (...call) => {
    expect(findFault(...call)).toBeDefined();
    expect(await askMock(...call)).toBeDefined();
  },
);

test.skipIf("missing" in mock)(
  title("the fields of a subscription that the product reads are where Stripe has them"),
  async () => {
    const api = await startApi({
      env: { STRIPE_SECRET_KEY: "sk_test_lamplight", STRIPE_WEBHOOK_SECRET: "whsec_x", STRIPE_API_BASE: origin },
    });
    const [listed] = await listSubscriptions(api.deps, "cus_1");
    expect(listed).toMatchObject({ id: expect.stringMatching(/^sub_/), currency: "usd", discounts: [] });
    expect(listed).toMatchObject({ created: expect.any(Number), cancel_at_period_end: expect.any(Boolean) });
    expect(listed?.items).toMatchObject([{ priceId: expect.stringMatching(/^price_/), plan: null }]);
    expect(listed?.items[0]?.current_period_end).toEqual(expect.any(Number));
  },
);
