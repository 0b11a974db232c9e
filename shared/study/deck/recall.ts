import { defaultParams, retrievability, type StudyParams } from "../rules.ts";
import type { Schedule } from "../schema.ts";

export interface RecallSummary {
  /** How many of ten cards that were answered before would be remembered now. */
  ofTen: number;
  /** The card that was forgotten most often; undefined if none was. */
  hardestId: string | undefined;
}

/** Fewer answered cards say nothing about a deck. */
const MIN_CARDS = 3;

/** The expected recall of a deck's answered cards; undefined before enough cards were answered. */
export function summariseRecall(
  schedules: readonly Schedule[],
  now: number,
  params: StudyParams = defaultParams,
): RecallSummary | undefined {
  if (schedules.length < MIN_CARDS) return undefined;
  const recalls = schedules.map((schedule) => retrievability(schedule, now, params));
  const mean = recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
  const [hardest] = schedules
    .filter(({ lapses }) => lapses > 0)
    .toSorted((a, b) => b.lapses - a.lapses || b.difficulty - a.difficulty);
  return { ofTen: Math.round(mean * 10), hardestId: hardest?.cardId };
}
