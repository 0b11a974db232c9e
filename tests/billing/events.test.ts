import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sweepPayers } from "#api/billing/sweep.ts";
import { startRefresh } from "#api/billing/store.ts";
import { users } from "#api/http/authenticate.ts";
import { choosePlan, decidingSubscription } from "#shared/billing/subscription-plan.ts";
import { listSubscriptions } from "#api/billing/listed-subscriptions.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { type BillingWorld, buy, DAY_MS, planNow, startBilling } from "./stripe.ts";

/** This many take seconds. Set `HISTORIES` higher after a change of the rules. */
const HISTORIES = Number(process.env["HISTORIES"] ?? 25);

const FREE = { type: "FREE", endAt: null, paused: false, pausedUntil: null } as const;

const step = fc.constantFrom("subscribe", "upgrade", "pause", "resume", "fail", "pay", "end", "cancel", "wait");
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One thing that happens at Stripe to the customer's newest subscription. */
function applyStep({ api, stripe }: BillingWorld, customer: string, what: Step): void {
  const newest = [...stripe.subscriptions.values()].filter((subscription) => subscription.customer === customer).at(-1);
  const isRunning = newest !== undefined && newest.status !== "canceled";
  if (what === "wait") return api.clock.advance(3 * DAY_MS);
  if (what === "subscribe") return void stripe.subscribe(customer, stripe.findPrice("price_plus_month"));
  if (!isRunning) return undefined;
  const [item] = newest.items.data;
  const changes: Record<string, object> = {
    upgrade: { items: { data: [{ ...item, price: stripe.findPrice("price_ultimate_year") }] } },
    pause: { pause_collection: { behavior: "void", resumes_at: stripe.now() + 5 * 86_400 } },
    resume: { pause_collection: null, cancel_at_period_end: false },
    pay: { status: "active" },
    end: { cancel_at_period_end: true },
    cancel: { status: "canceled", ended_at: stripe.now() },
  };
  if (what === "fail") stripe.failRenewal(newest.id);
  else stripe.change(newest.id, changes[what] ?? {});
  return undefined;
}

async function newCustomer({ api, stripe }: BillingWorld): Promise<{ user: TestUser; customer: string }> {
  const user = await api.newUser();
  await user.client.billing.startCheckout({ plan: "PLUS", rec: "monthly" });
  return { user, customer: [...stripe.customers.keys()].at(-1) ?? "" };
}

/** How the events of a history arrive. */
const arrival = fc.record({
  /** Events are delivered after these numbers of steps. */
  batches: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }),
  isReversed: fc.boolean(),
  isTwice: fc.boolean(),
  areParallel: fc.boolean(),
  isLastLost: fc.boolean(),
});

test("however Stripe's events arrive (reordered, doubled, late, at once or lost), the plan follows the last state", async () => {
  const world = await startBilling();
  const { api, stripe } = world;
  const seen = { histories: 0, steps: 0, delivered: 0, lost: 0 };
  const send = async (how: { isReversed: boolean; isTwice: boolean; areParallel: boolean }) => {
    const pending = how.isReversed ? stripe.events.toReversed() : stripe.events;
    stripe.events = [];
    const events = how.isTwice ? [...pending, ...pending] : pending;
    seen.delivered += events.length;
    const deliver = async (event: unknown) => expect(await stripe.send(api.origin, event)).toBe(200);
    if (how.areParallel) await Promise.all(events.map(deliver));
    else for (const event of events) await deliver(event);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), arrival, async (steps, how) => {
      const { user, customer } = await newCustomer(world);
      stripe.events = [];
      seen.histories += 1;
      seen.steps += steps.length;
      const stops = new Set(how.batches.map((_, at) => how.batches.slice(0, at + 1).reduce((sum, n) => sum + n, 0)));
      for (const [at, what] of steps.entries()) {
        applyStep(world, customer, what);
        if (stops.has(at)) await send(how);
      }
      if (how.isLastLost) seen.lost += stripe.events.splice(0).length;
      else await send(how);
      // The daily sweep finds changes that no event reported.
      if (how.isLastLost) {
        api.clock.advance(DAY_MS + 1000);
        await sweepPayers(api.deps);
      }
      const found = decidingSubscription(await listSubscriptions(api.deps, customer));
      const stored = await api.deps.store.collection(users).get(user.userId);
      expect(stored?.billing?.subscription ?? null).toEqual(found);
      expect(stored?.plan).toEqual(choosePlan(FREE, found?.plan ?? null, api.clock.now()));
    }),
    { numRuns: HISTORIES },
  );
  const { histories, steps, delivered, lost } = seen;
  process.stdout.write(
    `payments: ${histories} histories of ${steps} steps, ${delivered} events delivered, ${lost} lost\n`,
  );
}, 600_000);

test("of two concurrent refreshes from Stripe, the one that began last is stored, even if it ends first", async () => {
  const world = await startBilling();
  const { stripe } = world;
  const user = await world.api.newUser();
  const subscription = await buy(world, user);
  const paid = await planNow(user);
  const delayed = stripe.delayNextList();
  const first = user.client.billing.refreshBilling({});
  await delayed.isMade;
  stripe.change(subscription, { status: "canceled", ended_at: stripe.now() });
  const { plan } = await user.client.billing.refreshBilling({});
  expect(plan).not.toEqual(paid);
  delayed.release();
  await first;
  expect(await planNow(user)).toEqual(plan);
});

test("a plan that a refresh did not store, because a later one began and failed, is stored by the next sweep", async () => {
  const { api, stripe } = await startBilling();
  const ada = await api.newUser();
  const { url } = await ada.client.billing.startCheckout({ plan: "PLUS", rec: "monthly" });
  await fetch(url, { method: "POST", redirect: "manual" });
  let isLaterBegun = false;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "subscription_times.insert" || isLaterBegun) return;
    isLaterBegun = true;
    await startRefresh(ownedBy(api.deps.store, ada.userId));
  });
  expect((await ada.client.billing.refreshBilling({})).plan.type).toBe("FREE");
  expect([isLaterBegun, stripe.subscriptions.size]).toEqual([true, 1]);
  api.clock.advance(60_000);
  await sweepPayers(api.deps);
  expect((await planNow(ada)).type).toBe("PLUS");
});
