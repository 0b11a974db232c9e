const DAY_MS = 86_400_000;
const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/**
 * Calendar days on this device until a moment; 0 for today. A study day ends hours after midnight, but for an exam date
 * people count calendar days.
 */
export const daysUntil = (at: number, now: number): number =>
  Math.max(0, Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS));
