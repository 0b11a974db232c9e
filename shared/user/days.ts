const DAY_MS = 86_400_000;

/** The UTC day, as YYYY-MM-DD; counters and streaks use it. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The last millisecond of a UTC day written as 2027-06-30; undefined if it is no date. */
export function endOfUtcDay(day: string): number | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  return Number.isNaN(start) || utcDay(start) !== day ? undefined : start + DAY_MS - 1;
}

/** The same time some months later, or on the last day of the month if it is too short. */
export function addUtcMonths(at: number, months: number): number {
  const later = new Date(at);
  later.setUTCMonth(later.getUTCMonth() + months);
  // If the month lacks the day, the date has moved into the next month.
  if (later.getUTCDate() !== new Date(at).getUTCDate()) later.setUTCDate(0);
  return later.getTime();
}

/** The number of UTC days since 1970. */
export const dayNumber = (at: number) => Math.floor(at / DAY_MS);

/** Whether the platform supports the IANA time zone name. */
export function isTimezone(name: string): boolean {
  // Some engines accept offsets such as "+02:00", which have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
