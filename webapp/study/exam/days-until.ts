const DAY_MS = 86_400_000;
const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/**
 * Days of the calendar on this device until a moment; 0 where it is today. A day of study ends hours after midnight, but
 * nobody who is asked at night when the exam is counts like that.
 */
export const daysUntil = (at: number, now: number): number =>
  Math.max(0, Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS));
