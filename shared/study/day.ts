/** The assumed time per answer until the student has timed answers. */
export const USUAL_SECONDS = 8;
/** The average number of answers that a new card takes on its first day. */
export const NEW_CARD_ANSWERS = 2.3;

const HOUR_MS = 3_600_000;
/** The study day begins at 04:00, so that studying past midnight counts for the evening before. */
export const STUDY_DAY_STARTS_AT_HOUR = 4;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timezone, made);
  return made;
}

/** Local time, encoded as if it were UTC. */
export function wallClock(now: number, timezone: string): number {
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of formatFor(timezone).formatToParts(now)) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * The inverse of `wallClock`. Its first guess may be on the other side of a clock change, so it corrects the guess
 * once.
 */
export function fromWallClock(wall: number, timezone: string): number {
  const guess = wall - (wallClock(wall, timezone) - wall);
  return wall - (wallClock(guess, timezone) - guess);
}

/** The start of the next study day: the next 04:00 in the student's time zone. */
export function studyDayEndsAt(now: number, timezone: string): number {
  const wall = new Date(wallClock(now, timezone) - STUDY_DAY_STARTS_AT_HOUR * HOUR_MS);
  const next = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + 1, STUDY_DAY_STARTS_AT_HOUR);
  return fromWallClock(next, timezone);
}

/** The start of the study day that contains `now`. */
export function studyDayStartsAt(now: number, timezone: string): number {
  const wall = new Date(wallClock(now, timezone) - STUDY_DAY_STARTS_AT_HOUR * HOUR_MS);
  const start = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), STUDY_DAY_STARTS_AT_HOUR);
  return fromWallClock(start, timezone);
}
