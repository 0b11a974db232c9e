import { formatTime } from "./format-date.ts";

const DAY_MS = 86_400_000;

/** Formats the next midnight in UTC, at which daily usage resets, in the student's time zone. */
export const formatResetTime = (now: number): string => formatTime((Math.floor(now / DAY_MS) + 1) * DAY_MS);
