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

/** How many cards lie in each bucket, as the chooser says it: one look at each card, however many there are. */
export function countBuckets({ cardIds, schedules, day, favourites }: BucketQuestion): Record<Bucket, number> {
  const counts: Record<Bucket, number> = { all: cardIds.length, due: 0, new: 0, hard: 0, favourites: 0 };
  for (const cardId of cardIds) {
    const schedule = schedules.get(cardId);
    if (!schedule) counts.new += 1;
    else {
      if (isDue(schedule, day.now, day.endsAt)) counts.due += 1;
      if (isHard(schedule)) counts.hard += 1;
    }
    if (favourites.has(cardId)) counts.favourites += 1;
  }
  return counts;
}
