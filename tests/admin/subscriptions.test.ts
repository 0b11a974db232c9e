import { expect, test } from "vitest";
import { churnOf } from "#shared/admin/churn.ts";
import type { ListedSubscription } from "#shared/billing/subscription-plan.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { saveSubscriptionTimes } from "#api/billing/subscription-times.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { countUsage } from "#api/user/service.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { readCsv } from "./read-csv.ts";
import { buy, DAY_MS, startBilling } from "#tests/billing/stripe.ts";

async function aPayingStudent() {
  const world = await startBilling({ REGISTRATION: "open", DEFAULT_PLAN: "FREE" });
  const { api } = world;
  const admin = await api.newUser({ name: "Root" });
  await grantAdmin(api.deps, admin.email, true);
  const ada = await api.newUser({ name: "Ada" });
  api.clock.advance(2 * DAY_MS);
  const own = ownedBy(api.deps.store, ada.userId);
  for (const counter of ["researchMessages", "fileUploads"] as const)
    expect(await countUsage({ own, clock: api.clock }, counter, 1, 0)).toEqual({ outcome: "limit_reached", limit: 0 });
  api.clock.advance(DAY_MS);
  await buy(world, ada, { plan: "PLUS", rec: "yearly" });
  return { ...world, admin, ada, calls: admin.client.admin };
}

test("subscriptions are listed once each, with their start and duration and without the account", async () => {
  const { api, ada, calls } = await aPayingStudent();
  await ada.client.billing.refreshBilling({});
  const { starts } = await calls.listSubscriptionStarts({});
  expect(starts).toMatchObject([
    { daysAfterSignUp: 3, recurrence: "yearly", durationDays: null, firstLimit: "researchMessages" },
  ]);
  expect(JSON.stringify(starts)).not.toContain(ada.userId);
  api.clock.advance(10 * DAY_MS);
  // Deletion by an administrator ends the payments, as deletion by the owner does.
  await calls.removeAccount({ id: ada.userId, password: PASSWORD });
  expect((await calls.listSubscriptionStarts({})).starts).toMatchObject([{ daysAfterSignUp: 3, durationDays: 10 }]);
  expect((await calls.listSubscriptionStarts({ state: "running" })).starts).toEqual([]);
  expect((await calls.listSubscriptionStarts({ recurrence: "monthly" })).starts).toEqual([]);
  expect((await calls.listSubscriptionStarts({ state: "ended", recurrence: "yearly" })).starts).toHaveLength(1);
  expect(await readCsv(calls.exportSubscriptionStarts({ state: "running" }))).toHaveLength(1);
  const [head, ...rows] = await readCsv(calls.exportSubscriptionStarts({}));
  expect(head).toBe("started,recurrence,days_after_sign_up,duration_days,first_limit");
  expect(rows).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d,yearly,3,10,researchMessages$/u)]);
});

test("cancellation reasons are counted and listed with plan and age, without the account", async () => {
  const { api, ada, calls } = await aPayingStudent();
  api.clock.advance(4 * DAY_MS);
  await ada.client.billing.cancelSubscription({ reason: "too_complex", comment: "Too many buttons." });
  const list = await calls.listCancellations({});
  expect(list).toMatchObject({
    reasons: [{ reason: "too_complex", count: 1 }],
    cancellations: [{ reason: "too_complex", comment: "Too many buttons.", plan: "PLUS", accountAgeDays: 7 }],
  });
  expect(JSON.stringify(list)).not.toContain(ada.userId);
  const [head, ...rows] = await readCsv(calls.exportCancellations({}));
  expect(head).toBe("day,reason,plan,account_age_days");
  expect(rows).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d,too_complex,PLUS,7$/u)]);
  expect((await calls.listCancellations({ reason: "too_complex" })).cancellations).toHaveLength(1);
  expect(await calls.listCancellations({ reason: "unused" })).toMatchObject({
    cancellations: [],
    reasons: [{ reason: "too_complex", count: 1 }],
  });
  expect(await readCsv(calls.exportCancellations({ reason: "unused" }))).toHaveLength(1);

  const [noteHead, ...notes] = await readCsv(calls.exportBillingNotes({}));
  expect(noteHead).toBe("time,kind,reason,email");
  expect(notes.map((line) => line.split(",").slice(1).join())).toEqual([`cancelled,too_complex,${ada.email}`]);
});

const ended = (days: number) => ({ days, hasEnded: true });
const runs = (days: number) => ({ days, hasEnded: false });

test("the churn curve counts running subscriptions for as long as they have lasted, and ends where few remain", () => {
  expect(churnOf([ended(3), ended(40), runs(200), runs(200)])).toEqual([]);
  const tenRun = Array.from({ length: 10 }, () => runs(70));
  expect(churnOf(tenRun).map(({ month, running }) => [month, running])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
  ]);
  // One of ten stops in the first month; then two are too young to tell, and one of the seven others stops.
  const mixed = [ended(10), runs(35), runs(35), ended(45), ...Array.from({ length: 6 }, () => runs(65))];
  const points = churnOf(mixed);
  expect(points.map(({ observed }) => observed)).toEqual([10, 9, 6]);
  expect(points.map(({ running }) => running.toFixed(3))).toEqual(["1.000", "0.900", "0.771"]);
});

test("administrators see how long subscriptions last by recurrence, without groups of fewer than five", async () => {
  const { api, calls } = await aPayingStudent();
  expect((await calls.getChurn({})).curves).toEqual([]);
  for (let index = 0; index < 5; index += 1) {
    const own = ownedBy(api.deps.store, `payer-${index}`);
    const startedAt = api.clock.now() - 100 * DAY_MS;
    await saveSubscriptionTimes(own, [aListedSubscription(`sub_${index}`, startedAt, index === 0 ? 40 : null)]);
  }
  api.clock.advance(61_000);
  const { curves } = await calls.getChurn({});
  expect(curves.map(({ recurrence }) => recurrence)).toEqual(["monthly"]);
  expect(curves[0]?.points.map(({ running }) => running)).toEqual([1, 1]);
  expect(JSON.stringify(curves)).not.toContain("payer");
});

/** A subscription as the payment provider lists it; `durationDays` is null while it runs. */
const aListedSubscription = (id: string, startedAt: number, durationDays: number | null): ListedSubscription => {
  const created = startedAt / 1000;
  return {
    id,
    status: durationDays === null ? "active" : "canceled",
    created,
    currency: "usd",
    ended_at: durationDays === null ? null : created + durationDays * 86_400,
    cancel_at: null,
    cancel_at_period_end: false,
    pause_collection: null,
    invoicedAt: null,
    discounts: [],
    invoicedPromotionIds: [],
    items: [{ priceId: "p", plan: "PLUS", recurrence: "monthly", current_period_end: created, unitAmount: 800 }],
  };
};
