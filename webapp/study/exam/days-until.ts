const DAY_MS = 86_400_000;
const startOfDay = (timestamp: number) => new Date(timestamp).setHours(0, 0, 0, 0);

/**
 * Calendar days on this device until a moment; 0 for today. A study day ends hours after midnight, but for an exam date
 * people count calendar days.
 */
export const daysUntil = (timestamp: number, now: number): number =>
  Math.max(0, Math.round((startOfDay(timestamp) - startOfDay(now)) / DAY_MS));
