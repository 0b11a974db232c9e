const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_DAYS = 30.44;
const YEAR_DAYS = 365.25;

export type IntervalUnit = "minute" | "hour" | "day" | "month" | "year";

/** An interval in its largest fitting unit; at least one minute. */
export function toIntervalUnits(ms: number): { unit: IntervalUnit; count: number } {
  if (ms < HOUR_MS) return { unit: "minute", count: Math.max(1, Math.round(ms / MINUTE_MS)) };
  if (ms < DAY_MS) return { unit: "hour", count: Math.round(ms / HOUR_MS) };
  const days = Math.round(ms / DAY_MS);
  if (days < MONTH_DAYS) return { unit: "day", count: days };
  if (days < YEAR_DAYS) return { unit: "month", count: roundCount(days / MONTH_DAYS) };
  return { unit: "year", count: roundCount(days / YEAR_DAYS) };
}

/** One decimal below ten, so that neighbouring grades differ. */
const roundCount = (count: number) => (count < 10 ? Math.round(count * 10) / 10 : Math.round(count));
