import type { Recurrence } from "#shared/billing/schema.ts";

/** How long a subscription has lasted, and whether it has ended. */
export interface Lifetime {
  days: number;
  hasEnded: boolean;
}

export interface ChurnPoint {
  /** Months of 30 days since the beginning of a subscription. */
  month: number;
  /** The share that still runs then, from 0 to 1. */
  running: number;
  /** Subscriptions that had lasted long enough to be counted. */
  observed: number;
}

export interface ChurnCurve {
  recurrence: Recurrence;
  points: ChurnPoint[];
}

const MONTH_DAYS = 30;
const MAX_MONTHS = 24;
/** Fewer subscriptions could identify a student, and would show little. */
const MIN_OBSERVED = 5;

/**
 * The share of subscriptions that still run after each month, by the estimator of Kaplan and Meier: those that are younger
 * count for as long as they have been watched. Ends where fewer than five have lasted that long.
 */
export function churnOf(lifetimes: readonly Lifetime[]): ChurnPoint[] {
  const points: ChurnPoint[] = [];
  const sorted = lifetimes.toSorted((a, b) => a.days - b.days);
  let running = 1;
  let at = 0;
  for (let month = 0; month <= MAX_MONTHS; month += 1) {
    const end = month * MONTH_DAYS;
    for (; at < sorted.length && (sorted[at]?.days ?? end) < end; at += 1)
      if (sorted[at]?.hasEnded === true) running *= 1 - 1 / (sorted.length - at);
    const observed = sorted.length - at;
    if (observed < MIN_OBSERVED) break;
    points.push({ month, running, observed });
  }
  return points;
}
