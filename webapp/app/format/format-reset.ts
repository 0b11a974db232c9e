import { formatTime } from "./format-date.ts";

const DAY_MS = 86_400_000;

/** The student's own time of the next midnight in UTC, at which the usage of a day ends. */
export const formatResetTime = (now: number): string => formatTime((Math.floor(now / DAY_MS) + 1) * DAY_MS);
