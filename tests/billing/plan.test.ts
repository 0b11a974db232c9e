import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  choosePlan,
  decidingSubscription,
  GRACE_MS,
  type ListedSubscription,
  planOf,
} from "#shared/billing/subscription-plan.ts";
import { SubscriptionStatus } from "#shared/billing/schema.ts";
import { effectivePlan, isPlanActive } from "#shared/billing/effective-plan.ts";
import type { Plan } from "#shared/user/schema.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 8, 1) / 1000;
const NOW_MS = (START + 10 * DAY) * 1000;
const FREE: Plan = { type: "FREE", endAt: null, paused: false, pausedUntil: null };

/** A monthly PLUS subscription that began on 1 September. */
const listed = (change: Partial<ListedSubscription> = {}): ListedSubscription => ({
  id: "sub_1",
  status: "active",
  created: START,
  currency: "usd",
  ended_at: null,
  cancel_at: null,
  cancel_at_period_end: false,
  pause_collection: null,
  invoicedAt: START,
  discounts: [],
  invoicedPromotionIds: [],
  items: [
    { priceId: "price_1", plan: "PLUS", recurrence: "monthly", current_period_end: START + 30 * DAY, unitAmount: 800 },
  ],
  ...change,
});

interface Row {
  state: string;
  change: Partial<ListedSubscription>;
  /** Day of September, counted from 0, and the plan whose limits apply on it. */
  days: Record<number, "FREE" | "PLUS">;
}

/** The table of states: `docs/billing.md` shows the same. */
const table: Row[] = [
  { state: "active", change: {}, days: { 0: "PLUS", 400: "PLUS" } },
  { state: "trialing", change: { status: "trialing" }, days: { 0: "PLUS", 400: "PLUS" } },
  { state: "ending with the period", change: { cancel_at_period_end: true }, days: { 29: "PLUS", 31: "FREE" } },
  { state: "ending on a date", change: { cancel_at: START + 5 * DAY }, days: { 4: "PLUS", 6: "FREE" } },
  { state: "paused", change: { pause_collection: { resumes_at: null } }, days: { 1: "FREE", 400: "FREE" } },
  {
    state: "paused until a date",
    change: { pause_collection: { resumes_at: START + 14 * DAY } },
    days: { 13: "FREE", 15: "PLUS" },
  },
  { state: "trial ended without a card", change: { status: "paused" }, days: { 1: "FREE" } },
  {
    state: "past due: a renewal failed on day 30, the period has already moved on",
    change: {
      status: "past_due",
      invoicedAt: START + 30 * DAY,
      items: [
        {
          priceId: "price_1",
          plan: "PLUS",
          recurrence: "monthly",
          current_period_end: START + 60 * DAY,
          unitAmount: 800,
        },
      ],
    },
    days: { 36: "PLUS", 38: "FREE" },
  },
  {
    state: "past due: a proration failed in the middle of a period",
    change: { status: "past_due", invoicedAt: START + 12 * DAY },
    days: { 18: "PLUS", 20: "FREE" },
  },
  {
    state: "past due and ending before the grace is over",
    change: { status: "past_due", invoicedAt: START, cancel_at: START + 3 * DAY },
    days: { 2: "PLUS", 4: "FREE" },
  },
  { state: "unpaid", change: { status: "unpaid", invoicedAt: START + 9 * DAY }, days: { 10: "FREE" } },
  { state: "cancelled", change: { status: "canceled", ended_at: START + 5 * DAY }, days: { 4: "PLUS", 6: "FREE" } },
  { state: "first payment not made", change: { status: "incomplete" }, days: { 1: "FREE" } },
  { state: "first payment never made", change: { status: "incomplete_expired" }, days: { 1: "FREE" } },
  {
    state: "a price that is not one of ours",
    change: {
      items: [
        {
          priceId: "price_1",
          plan: null,
          recurrence: "monthly",
          current_period_end: START + 30 * DAY,
          unitAmount: 500,
        },
      ],
    },
    days: { 1: "FREE" },
  },
];

test.each(table)("$state: the plan follows from the subscription only", ({ change, days }) => {
  const plan = planOf([listed(change)]);
  for (const [day, expected] of Object.entries(days))
    expect([day, effectivePlan(plan, (START + Number(day) * DAY) * 1000)]).toEqual([day, expected]);
});

test("a running subscription takes precedence over a failed one, a failed over an ended one, and a newer over an older", () => {
  const ended = listed({ id: "sub_0", status: "canceled", ended_at: START });
  const failed = listed({ id: "sub_2", status: "past_due" });
  const newer = listed({
    id: "sub_3",
    created: START + DAY,
    items: [
      {
        priceId: "price_1",
        plan: "ULTIMATE",
        recurrence: "yearly",
        current_period_end: START + 365 * DAY,
        unitAmount: 14_400,
      },
    ],
  });
  expect(decidingSubscription([ended, failed])?.id).toBe("sub_2");
  expect(decidingSubscription([failed, listed(), ended])?.id).toBe("sub_1");
  expect(decidingSubscription([listed(), newer])).toMatchObject({ id: "sub_3", amount: 144, recurrence: "yearly" });
  const paused = listed({ id: "sub_4", created: START + 2 * DAY, pause_collection: { resumes_at: null } });
  expect(decidingSubscription([paused, listed()])?.id).toBe("sub_1");
});

test("a currency without decimals is shown without them, and the grace period only after a failed payment", () => {
  const yen = listed({
    currency: "jpy",
    items: [
      {
        priceId: "price_1",
        plan: "PLUS",
        recurrence: "monthly",
        current_period_end: START + 30 * DAY,
        unitAmount: 1200,
      },
    ],
  });
  expect(decidingSubscription([yen])).toMatchObject({ amount: 1200, currency: "JPY", graceEndsAt: null });
  expect(decidingSubscription([listed({ status: "past_due" })])?.graceEndsAt).toBe(START * 1000 + GRACE_MS);
});

test("a granted plan counts while it is higher than the subscribed plan", () => {
  const ultimate: Plan = { ...FREE, type: "ULTIMATE" };
  const until: Plan = { ...ultimate, endAt: NOW_MS - 1 };
  const plus = planOf([listed()]);
  expect(choosePlan(FREE, null, NOW_MS)).toEqual(FREE);
  expect(choosePlan(ultimate, plus, NOW_MS)).toEqual(ultimate);
  expect(choosePlan(until, plus, NOW_MS)).toEqual(plus);
  const ended = planOf([listed({ status: "canceled", ended_at: START })]);
  expect(choosePlan(FREE, ended, NOW_MS)).toEqual(ended);
});

const seconds = fc.integer({ min: START - 400 * DAY, max: START + 400 * DAY });
const anyListed: fc.Arbitrary<ListedSubscription> = fc.record({
  id: fc.string({ minLength: 1, maxLength: 6 }),
  status: fc.constantFrom(...SubscriptionStatus.options),
  created: seconds,
  currency: fc.constantFrom("usd", "eur", "jpy"),
  ended_at: fc.option(seconds),
  cancel_at: fc.option(seconds),
  cancel_at_period_end: fc.boolean(),
  pause_collection: fc.option(fc.record({ resumes_at: fc.option(seconds) })),
  invoicedAt: fc.option(seconds),
  discounts: fc.constant([]),
  invoicedPromotionIds: fc.constant([]),
  items: fc.array(
    fc.record({
      priceId: fc.constant("price_1"),
      plan: fc.option(fc.constantFrom("PLUS" as const, "ULTIMATE" as const)),
      recurrence: fc.constantFrom("monthly" as const, "yearly" as const),
      current_period_end: seconds,
      unitAmount: fc.option(fc.nat(100_000)),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});
const anyList = fc.uniqueArray(anyListed, { maxLength: 4, selector: ({ id }) => id });

test("the order of the listed subscriptions does not change the plan", () => {
  fc.assert(
    fc.property(anyList, fc.infiniteStream(fc.nat()), (subscriptions, numbers) => {
      const keyed = subscriptions.map((subscription) => ({ subscription, key: numbers.next().value }));
      const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ subscription }) => subscription);
      expect(decidingSubscription(shuffled)).toEqual(decidingSubscription(subscriptions));
    }),
    { numRuns: 500 },
  );
});

test("only an account with a running or failed subscription has a paid plan", () => {
  fc.assert(
    fc.property(anyList, (subscriptions) => {
      const rest = subscriptions.filter(({ status }) => !["active", "trialing", "past_due"].includes(status));
      const plan = planOf(rest);
      const ends = rest.map(({ ended_at, cancel_at, created }) => Math.max(ended_at ?? 0, cancel_at ?? 0, created));
      const later = (Math.max(START, ...ends) + DAY) * 1000;
      expect(plan === null || plan.paused || !isPlanActive(plan, later)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
