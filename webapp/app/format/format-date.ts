import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const relative = new Intl.RelativeTimeFormat(documentLanguage(), { numeric: "auto" });
const calendar = new Intl.DateTimeFormat(documentLanguage(), { day: "numeric", month: "short", year: "numeric" });

const clock = new Intl.DateTimeFormat(documentLanguage(), { timeStyle: "short" });

/** Formats a time of day as "14:05". */
export const formatTime = (timestamp: number): string => clock.format(timestamp);

/** Formats a time as "12 Nov 2026". */
export const formatCalendarDate = (timestamp: number): string => calendar.format(timestamp);

/** Formats a time as "5 minutes ago", "yesterday" or "12 Nov 2026". */
export function formatRelativeDate(timestamp: number, now: number): string {
  const elapsedMs = now - timestamp;
  if (elapsedMs < MINUTE_MS) return t("common.just_now");
  if (elapsedMs < HOUR_MS) return relative.format(-Math.floor(elapsedMs / MINUTE_MS), "minute");
  if (elapsedMs < DAY_MS) return relative.format(-Math.floor(elapsedMs / HOUR_MS), "hour");
  if (elapsedMs < WEEK_MS) return relative.format(-Math.floor(elapsedMs / DAY_MS), "day");
  return formatCalendarDate(timestamp);
}
