import {
  choosePlan,
  decidingSubscription,
  isLive,
  type ListedSubscription,
} from "#shared/billing/subscription-plan.ts";
import type { Plan } from "#shared/user/schema.ts";
import type { UserDoc } from "#api/http/authenticate.ts";
import type { Deps } from "#api/http/handler.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import type { Own } from "#api/store/owned-store.ts";
import { noteUnknownPrices } from "./known-prices.ts";
import { listSubscriptions } from "./listed-subscriptions.ts";
import { rememberCodes } from "./promotion-codes.ts";
import { saveSubscriptionTimes } from "./subscription-times.ts";
import { callStripe, isMissingResource, isRefusal } from "./stripe-client.ts";
import { findBilledUser, findPayer, saveNextRefresh, savePlan, startRefresh } from "./store.ts";

export type BillingDeps = Pick<Deps, "store" | "settings" | "clock" | "log">;

const DAY_MS = 86_400_000;
const RETRY_MS = 60_000;

/**
 * Reads the account's subscriptions at the provider and writes its plan. Order and repetition of calls do not matter,
 * because the plan depends only on the list, and only the refresh that started last writes it.
 */
export async function refreshPlan(deps: BillingDeps, own: Own): Promise<UserDoc | undefined> {
  const payer = await findPayer(own);
  const customerId = payer?.customerId ?? null;
  if (customerId === null) return findBilledUser(own);
  const before = await startRefresh(own);
  if (!before) return undefined;
  const listed = await listSubscriptions(deps, customerId);
  // Somebody paid after the account was deleted. Cancel, because they would get nothing for the money.
  if (typeof before.deleteAt === "number" && (await cancelAll(deps, listed)))
    listed.splice(0, listed.length, ...(await listSubscriptions(deps, customerId)));
  await saveSubscriptionTimes(own, listed);
  await rememberCodes(own, listed);
  await noteUnknownPrices(deps, own, listed);
  const subscription = decidingSubscription(listed);
  const now = deps.clock.now();
  const plan = choosePlan(before.billing.granted, subscription?.plan ?? null, now);
  const after = await savePlan(own, before.billing.refreshCount, { plan, subscription });
  if (!after) {
    // The later refresh writes the plan; in case it fails, the sweep does so soon.
    await saveNextRefresh(own, now + RETRY_MS);
    return findBilledUser(own);
  }
  await saveNextRefresh(own, nextRefreshAt(plan, now));
  if (!isSame(before, after)) await publishChanges(own, [{ kind: "account", ids: [] }]);
  return after;
}

const stateOf = ({ plan, billing }: UserDoc) => JSON.stringify([plan, billing?.subscription ?? null]);
const isSame = (before: UserDoc, after: UserDoc) => stateOf(before) === stateOf(after);

/** After a day, in case an event is lost, or right after the plan changes by itself. */
function nextRefreshAt({ endAt, pausedUntil }: Plan, now: number): number {
  const changes = [endAt, pausedUntil].flatMap((at) => (at !== null && at > now ? at + 1000 : []));
  return Math.min(now + DAY_MS, ...changes);
}

/** Cancels every running subscription immediately; returns whether there was one. */
async function cancelAll({ settings }: BillingDeps, listed: readonly ListedSubscription[]): Promise<boolean> {
  const running = listed.filter((subscription) => isLive(subscription) && subscription.status !== "incomplete_expired");
  for (const { id } of running)
    await callStripe(settings, (stripe) => stripe.subscriptions.cancel(id)).catch((error: unknown) => {
      // Another call has cancelled it already.
      if (!isMissingResource(error)) throw error;
    });
  return running.length > 0;
}

/**
 * Cancels an account's subscriptions immediately, such as before it is deleted. Rejects while the provider cannot be
 * reached.
 */
export async function endSubscriptions(deps: BillingDeps, own: Own): Promise<void> {
  const payer = await findPayer(own);
  if (!payer?.customerId) return;
  const { checkoutId } = payer;
  if (checkoutId !== null)
    await callStripe(deps.settings, (stripe) => stripe.checkout.sessions.expire(checkoutId)).catch((error: unknown) => {
      // The session has been paid or has expired.
      if (!isRefusal(error)) throw error;
    });
  if (await cancelAll(deps, await listSubscriptions(deps, payer.customerId))) await refreshPlan(deps, own);
}
