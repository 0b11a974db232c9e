import { defaultParams, retrievability, type StudyParams } from "../rules.ts";
import type { Schedule } from "../schema.ts";
import type { StudyDay } from "../session.ts";

export interface RecallSummary {
  /** How many of ten cards that were answered before would be remembered now. */
  ofTen: number;
  /** The card that was forgotten most often; undefined if none was. */
  hardestId: string | undefined;
}

/** Fewer cards from earlier days say nothing about a deck: nearly every card is remembered on its first day. */
const MIN_CARDS = 3;

/** The expected recall of a deck's answered cards; undefined before enough cards were answered on earlier days. */
export function summariseRecall(
  schedules: readonly Schedule[],
  { now, startsAt }: Pick<StudyDay, "now" | "startsAt">,
  params: StudyParams = defaultParams,
): RecallSummary | undefined {
  // The first answer of an imported card is unknown.
  const earlier = schedules.filter(({ firstReviewedAt }) => (firstReviewedAt ?? 0) < startsAt);
  if (earlier.length < MIN_CARDS) return undefined;
  const recalls = schedules.map((schedule) => retrievability(schedule, now, params));
  const mean = recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
  const [hardest] = schedules
    .filter(({ lapses }) => lapses > 0)
    .toSorted((a, b) => b.lapses - a.lapses || b.difficulty - a.difficulty);
  return { ofTen: Math.round(mean * 10), hardestId: hardest?.cardId };
}
