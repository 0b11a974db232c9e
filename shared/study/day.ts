/** For one answer, before anything was timed. */
export const USUAL_SECONDS = 8;

const HOUR_MS = 3_600_000;
/** Studying past midnight still belongs to the evening. */
const STUDY_DAY_STARTS_AT_HOUR = 4;

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

/** What the clock on the wall shows, read as if it were UTC. */
export function wallClock(now: number, timezone: string): number {
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of formatFor(timezone).formatToParts(now)) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Twice, since the first guess may stand on the other side of a change of the clocks. */
function fromWallClock(wall: number, timezone: string): number {
  const guess = wall - (wallClock(wall, timezone) - wall);
  return wall - (wallClock(guess, timezone) - guess);
}

/** The first moment of the study day after the one that `now` falls into: the next 04:00 of the student's clock. */
export function studyDayEndsAt(now: number, timezone: string): number {
  const wall = new Date(wallClock(now, timezone) - STUDY_DAY_STARTS_AT_HOUR * HOUR_MS);
  const next = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + 1, STUDY_DAY_STARTS_AT_HOUR);
  return fromWallClock(next, timezone);
}

/** The first moment of the study day that `now` falls into. */
export function studyDayStartsAt(now: number, timezone: string): number {
  const wall = new Date(wallClock(now, timezone) - STUDY_DAY_STARTS_AT_HOUR * HOUR_MS);
  const start = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), STUDY_DAY_STARTS_AT_HOUR);
  return fromWallClock(start, timezone);
}
