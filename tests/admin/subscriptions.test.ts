import { expect, test } from "vitest";
import { grantAdmin } from "#api/auth/service.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { readCsv } from "./read-csv.ts";
import { buy, DAY_MS, startBilling } from "#tests/billing/stripe.ts";

async function aPayingStudent() {
  const world = await startBilling({ REGISTRATION: "open", DEFAULT_PLAN: "FREE" });
  const { api } = world;
  const admin = await api.newUser({ name: "Root" });
  await grantAdmin(api.deps, admin.email, true);
  const ada = await api.newUser({ name: "Ada" });
  api.clock.advance(3 * DAY_MS);
  await buy(world, ada, { plan: "PLUS", rec: "yearly" });
  return { ...world, admin, ada, calls: admin.client.admin };
}

test("subscriptions are listed by when they began and how long they lasted, once each and without the account", async () => {
  const { api, ada, calls } = await aPayingStudent();
  await ada.client.billing.refreshBilling({});
  const { starts } = await calls.listSubscriptionStarts({});
  expect(starts).toMatchObject([{ daysAfterSignUp: 3, recurrence: "yearly", durationDays: null }]);
  expect(JSON.stringify(starts)).not.toContain(ada.userId);
  api.clock.advance(10 * DAY_MS);
  // Deletion by an administrator ends the payments, as the account's own does.
  await calls.removeAccount({ id: ada.userId, password: PASSWORD });
  expect((await calls.listSubscriptionStarts({})).starts).toMatchObject([{ daysAfterSignUp: 3, durationDays: 10 }]);
  const [head, ...rows] = await readCsv(calls.exportSubscriptionStarts({}));
  expect(head).toBe("started,recurrence,days_after_sign_up,duration_days");
  expect(rows).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d,yearly,3,10$/u)]);
});

test("reasons of cancellations are counted and listed with plan and age, without the account", async () => {
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
});
