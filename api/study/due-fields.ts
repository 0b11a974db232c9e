import { isOnShortStep } from "#shared/study/rules.ts";
import type { Schedule } from "#shared/study/schema.ts";

/** Due fields of a schedule, as indexed. */
export interface Due {
  /** A `step` is due at its minute, a `day` during the whole study day. */
  kind: "none" | "step" | "day";
  dueAt: number;
}

/** Computes when a card is due, considering burying. */
export function computeDue(schedule: Schedule | null, buriedUntil: number | null): Due {
  if (!schedule) return { kind: "none", dueAt: 0 };
  if (buriedUntil !== null && buriedUntil > schedule.dueAt) return { kind: "day", dueAt: buriedUntil };
  return { kind: isOnShortStep(schedule) ? "step" : "day", dueAt: schedule.dueAt };
}
