import { isLearning } from "#shared/study/rules.ts";
import type { Schedule } from "#shared/study/schema.ts";

/** A schedule as the index knows it. */
export interface Due {
  /** A `step` is due at its minute, a `day` for the whole study day that its time falls into. */
  kind: "none" | "step" | "day";
  dueAt: number;
}

/** When a card is due, whatever else is known of it. */
export function whenDue(schedule: Schedule | null, buriedUntil: number | null): Due {
  if (!schedule) return { kind: "none", dueAt: 0 };
  const isStep = isLearning(schedule) && schedule.scheduledDays === 0;
  if (buriedUntil !== null && buriedUntil > schedule.dueAt) return { kind: "day", dueAt: buriedUntil };
  return { kind: isStep ? "step" : "day", dueAt: schedule.dueAt };
}
