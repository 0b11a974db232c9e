import { documentLanguage } from "#shared/messages/language.ts";

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat(documentLanguage(), { timeStyle: "short" });

/** The student's own time of the next midnight in UTC, at which the usage of a day ends. */
export const formatResetTime = (now: number): string => clock.format((Math.floor(now / DAY_MS) + 1) * DAY_MS);
