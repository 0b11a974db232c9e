import { documentLanguage, formatShare } from "#shared/messages/language.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const MICRO = 1_000_000;
const weekFormat = new Intl.DateTimeFormat(documentLanguage(), { day: "numeric", month: "short", timeZone: "UTC" });

const monthFormat = new Intl.DateTimeFormat(documentLanguage(), { month: "short", year: "numeric", timeZone: "UTC" });

/** Formats the month that begins in the week of this Monday as "Dec 2026". */
export const formatMonthIn = (week: string): string => monthFormat.format(Date.parse(week) + 6 * DAY_MS);

/** Formats the Monday of a week as "9 Nov". */
export const formatWeek = (day: string): string => weekFormat.format(Date.parse(day));

export interface MetricFormat {
  show: (value: number) => string;
  /** A shorter format for the scale of a chart. */
  showOnScale?: (value: number) => string;
  /** The highest possible value. */
  ceiling?: number;
}

const formatPercent = (value: number, digits = 1): string =>
  formatShare(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const formatSeconds = (ms: number): string => t("figures.seconds", { value: formatNumber(ms / SECOND_MS, 1) });

export const shareFormat: MetricFormat = { show: (value) => formatPercent(value), ceiling: 1 };
/** For shares as small as one in a thousand. */
export const rareShareFormat: MetricFormat = { show: (value) => formatPercent(value, 2), ceiling: 1 };
export const secondsFormat: MetricFormat = { show: formatSeconds };
export const averageFormat: MetricFormat = { show: (value) => formatNumber(value, 2) };
export const lossFormat: MetricFormat = { show: (value) => formatNumber(value, 3) };

export const charsFormat: MetricFormat = {
  show: (value) => t("figures.chars", { count: Math.round(value) }),
  showOnScale: (value) => formatNumber(value, 1),
};

/** Formats a change with its sign; undefined if it would be shown as zero. */
export function formatDelta(change: number, { show }: MetricFormat): string | undefined {
  const size = show(Math.abs(change));
  return size === show(0) ? undefined : `${change < 0 ? "−" : "+"}${size}`;
}

const TEN_CENTS = MICRO / 10;

/** Formats millionths of a dollar. Amounts below ten cents get four decimals. */
export const formatDollars = (microDollars: number): string =>
  `$${formatNumber(microDollars / MICRO, microDollars > 0 && microDollars < TEN_CENTS ? 4 : 2)}`;
