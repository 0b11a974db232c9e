import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { toIntervalUnits } from "#shared/study/interval.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Short form for buttons: "10 min", "9 d", "1.4 y". */
export function formatShortInterval(ms: number): string {
  const { unit, count } = toIntervalUnits(ms);
  return t(`study.${unit}s`, { count });
}

/** Long form: "10 minutes", "9 days". */
export function formatLongInterval(ms: number): string {
  const { unit, count } = toIntervalUnits(ms);
  return t(`study.long_${unit}s`, { count });
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
