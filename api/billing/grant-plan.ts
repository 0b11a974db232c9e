import { choosePlan } from "#shared/billing/subscription-plan.ts";
import type { Plan, PlanType } from "#shared/user/schema.ts";
import type { Ctx } from "#api/http/handler.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { findBilledUserByEmail, saveGrant } from "./store.ts";

interface Grant {
  email: string;
  type: PlanType;
  /** Epoch ms; null means without an end. */
  endAt: number | null;
}

/**
 * Gives an account a plan without a payment; undefined if no account has the address. A subscription to a better plan
 * takes precedence.
 */
export async function grantPlan({ store, clock }: Pick<Ctx, "store" | "clock">, { email, type, endAt }: Grant) {
  const user = await findBilledUserByEmail(store, email);
  if (!user) return undefined;
  const granted: Plan = { type, endAt, paused: false, pausedUntil: null };
  const plan = choosePlan(granted, user.billing?.subscription?.plan ?? null, clock.now());
  const own = ownedBy(store, user._id);
  await saveGrant(own, { granted, plan, isFirst: user.billing === undefined });
  await publishChanges(own, [{ kind: "account", ids: [] }]);
  return plan;
}
