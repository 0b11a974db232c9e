import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_DAYS = 30.44;
const YEAR_DAYS = 365.25;

type Unit = "minutes" | "hours" | "days" | "months" | "years";

function toUnits(ms: number): { unit: Unit; count: number } {
  if (ms < HOUR_MS) return { unit: "minutes", count: Math.max(1, Math.round(ms / MINUTE_MS)) };
  if (ms < DAY_MS) return { unit: "hours", count: Math.round(ms / HOUR_MS) };
  const days = Math.round(ms / DAY_MS);
  if (days < MONTH_DAYS) return { unit: "days", count: days };
  if (days < YEAR_DAYS) return { unit: "months", count: roundCount(days / MONTH_DAYS) };
  return { unit: "years", count: roundCount(days / YEAR_DAYS) };
}

/** One decimal below ten, so that neighbouring grades differ. */
const roundCount = (count: number) => (count < 10 ? Math.round(count * 10) / 10 : Math.round(count));

/** Short form for buttons: "10 min", "9 d", "1.4 y". */
export function formatShortInterval(ms: number): string {
  const { unit, count } = toUnits(ms);
  return t(`study.${unit}`, { count });
}

/** Long form: "10 minutes", "9 days". */
export function formatLongInterval(ms: number): string {
  const { unit, count } = toUnits(ms);
  return t(`study.long_${unit}`, { count });
}

/** A duration, in seconds if below a minute. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE_MS) return t("study.seconds", { count: Math.round(ms / 1000) });
  return formatLongInterval(ms);
}

const relative = new Intl.RelativeTimeFormat(documentLanguage(), { numeric: "auto" });

/** A future time: "in 12 minutes", "tomorrow", "in 6 days". */
export function formatFutureTime(timestamp: number, now: number): string {
  const ms = Math.max(0, timestamp - now);
  if (ms < HOUR_MS) return relative.format(Math.max(1, Math.ceil(ms / MINUTE_MS)), "minute");
  // Near a full day, the day is clearer than the hours.
  if (ms < DAY_MS - 4 * HOUR_MS) return relative.format(Math.round(ms / HOUR_MS), "hour");
  return relative.format(Math.round(ms / DAY_MS), "day");
}
