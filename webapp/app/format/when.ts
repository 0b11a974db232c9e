import { languageHere } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const relative = new Intl.RelativeTimeFormat(languageHere(), { numeric: "auto" });
const calendar = new Intl.DateTimeFormat(languageHere(), { day: "numeric", month: "short", year: "numeric" });

/** Formats a time as "5 minutes ago", "yesterday" or "12 Nov 2026". */
export function sayWhen(at: number, now: number): string {
  const ago = now - at;
  if (ago < MINUTE_MS) return t("common.just_now");
  if (ago < HOUR_MS) return relative.format(-Math.floor(ago / MINUTE_MS), "minute");
  if (ago < DAY_MS) return relative.format(-Math.floor(ago / HOUR_MS), "hour");
  if (ago < WEEK_MS) return relative.format(-Math.floor(ago / DAY_MS), "day");
  return calendar.format(at);
}
