import { isDue, isHard } from "./rules.ts";
import type { Bucket } from "#shared/user/schema.ts";
import type { Schedules, StudyDay } from "./session.ts";

export const BUCKETS = ["all", "due", "new", "hard", "favourites"] as const satisfies readonly Bucket[];

export interface BucketQuestion {
  cardIds: readonly string[];
  schedules: Schedules;
  day: StudyDay;
  favourites: ReadonlySet<string>;
}

/** Whether a card lies in each of the buckets; a card may lie in several. */
function belongs(bucket: Bucket, cardId: string, { schedules, day, favourites }: BucketQuestion): boolean {
  const schedule = schedules.get(cardId);
  switch (bucket) {
    case "all":
      return true;
    case "due":
      return schedule !== undefined && isDue(schedule, day.now, day.endsAt);
    case "new":
      return schedule === undefined;
    case "hard":
      return schedule !== undefined && isHard(schedule);
    case "favourites":
      return favourites.has(cardId);
    default:
      return bucket satisfies never;
  }
}

/** The cards of a bucket, in the deck's order. */
export function bucketOf(bucket: Bucket, question: BucketQuestion): string[] {
  return question.cardIds.filter((cardId) => belongs(bucket, cardId, question));
}

/** How many cards lie in each bucket, as the chooser says it. */
export function countBuckets(question: BucketQuestion): Record<Bucket, number> {
  const counts: Record<Bucket, number> = { all: 0, due: 0, new: 0, hard: 0, favourites: 0 };
  for (const bucket of BUCKETS) counts[bucket] = bucketOf(bucket, question).length;
  return counts;
}
