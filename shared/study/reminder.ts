import { wallClock } from "./day.ts";
import type { DueDeck } from "./schema.ts";

const HOUR_MS = 3_600_000;
/** A reminder that would be much later than its set time is skipped until the next day. */
const MAX_DELAY_MS = 4 * HOUR_MS;

interface ReminderSetting {
  /** HH:MM in the student's time zone. */
  at: string;
  /** IANA name. */
  timezone: string;
}

/**
 * The day whose reminder is due at `now` (epoch ms), as YYYY-MM-DD in the student's time zone; undefined unless it
 * is 0 to 4 hours after the set time of the same day. The caller knows whether that day's reminder was already shown.
 */
export function dueReminderDay({ at, timezone }: ReminderSetting, now: number): string | undefined {
  const wall = wallClock(now, timezone);
  const day = new Date(wall).toISOString().slice(0, 10);
  const delayMs = wall - Date.parse(`${day}T${at}Z`);
  return delayMs >= 0 && delayMs < MAX_DELAY_MS ? day : undefined;
}

type ReminderDeck = Pick<DueDeck, "componentId" | "pageId" | "title" | "due">;

/** The content of a reminder: the total due, and the deck with the most due cards; undefined if nothing is due. */
export function buildReminder(decks: readonly ReminderDeck[]): { count: number; deck: ReminderDeck } | undefined {
  const dueDecks = decks.filter(({ due }) => due > 0).toSorted((a, b) => b.due - a.due);
  const [deck] = dueDecks;
  return deck && { count: dueDecks.reduce((sum, { due }) => sum + due, 0), deck };
}
