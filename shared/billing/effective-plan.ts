import type { Plan, PlanType } from "#shared/user/schema.ts";

/** A plan is active unless it has ended, or is paused without an end or until later. */
export function isPlanActive(plan: Plan, now: number): boolean {
  const hasEnded = plan.endAt !== null && plan.endAt < now;
  return !hasEnded && !isPlanPaused(plan, now);
}

export function isPlanPaused(plan: Plan, now: number): boolean {
  return plan.paused && (plan.pausedUntil === null || plan.pausedUntil > now);
}

/** The plan whose limits apply now: an inactive or missing one counts as FREE. */
export function effectivePlan(plan: Plan | null | undefined, now: number): PlanType {
  return plan && isPlanActive(plan, now) ? plan.type : "FREE";
}
