import { wallClock } from "./day.ts";

const HOUR_MS = 3_600_000;
/** A notice that comes much later than it was asked for is only a disturbance: it waits for the next day. */
const LATE_MS = 4 * HOUR_MS;

interface Wish {
  /** HH:MM on the student's wall. */
  at: string;
  /** IANA name. */
  timezone: string;
}

/**
 * The day on whose notice it is time at `now` (epoch ms), as YYYY-MM-DD in the student's time zone; undefined outside
 * the hours that follow the time they set. Whether that day's notice was shown already is the caller's to know.
 */
export function reminderDay({ at, timezone }: Wish, now: number): string | undefined {
  const wall = wallClock(now, timezone);
  const day = new Date(wall).toISOString().slice(0, 10);
  const late = wall - Date.parse(`${day}T${at}Z`);
  return late >= 0 && late < LATE_MS ? day : undefined;
}

interface DueDeck {
  componentId: string;
  pageId: string;
  title: string;
  due: number;
}

/** What a notice says and where it leads: all that is due, and the deck with the most of it; undefined for none. */
export function reminderOf(decks: readonly DueDeck[]): { count: number; deck: DueDeck } | undefined {
  const waiting = decks.filter(({ due }) => due > 0).toSorted((a, b) => b.due - a.due);
  const [deck] = waiting;
  return deck && { count: waiting.reduce((sum, { due }) => sum + due, 0), deck };
}
