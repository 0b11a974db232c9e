import { isDue, isHard, isLearning } from "./rules.ts";
import type { Bucket } from "#shared/user/schema.ts";
import type { Schedule } from "./schema.ts";
import type { Schedules, StudyDay } from "./session.ts";

export const BUCKETS = ["all", "due", "new", "hard", "favourites"] as const satisfies readonly Bucket[];

export interface BucketInput {
  cardIds: readonly string[];
  schedules: Schedules;
  day: StudyDay;
  favourites: ReadonlySet<string>;
  /** Today's cards of an exam plan, instead of what is due; omitted without a plan. */
  planned?: ReadonlySet<string> | undefined;
}

/**
 * Whether a card is shown today. Without a plan, due cards are; with a plan, cards planned for today and not answered.
 */
function isForToday(cardId: string, schedule: Schedule | undefined, { day, planned }: BucketInput): boolean {
  const isOnShortStep = schedule !== undefined && isLearning(schedule);
  if (!planned || isOnShortStep) return schedule !== undefined && isDue(schedule, day.now, day.endsAt);
  return planned.has(cardId) && (schedule?.lastReviewedAt ?? 0) < day.startsAt;
}

/** Whether a card is in a bucket; a card may be in several. */
function isInBucket(bucket: Bucket, cardId: string, input: BucketInput): boolean {
  const { schedules, favourites } = input;
  const schedule = schedules.get(cardId);
  switch (bucket) {
    case "all":
      return true;
    case "due":
      return isForToday(cardId, schedule, input);
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
export function cardsInBucket(bucket: Bucket, input: BucketInput): string[] {
  return input.cardIds.filter((cardId) => isInBucket(bucket, cardId, input));
}

/** The number of cards in each bucket, in one pass over the cards. */
export function countBuckets(input: BucketInput): Record<Bucket, number> {
  const { cardIds, schedules, favourites } = input;
  const counts: Record<Bucket, number> = { all: cardIds.length, due: 0, new: 0, hard: 0, favourites: 0 };
  for (const cardId of cardIds) {
    const schedule = schedules.get(cardId);
    if (!schedule) counts.new += 1;
    else if (isHard(schedule)) counts.hard += 1;
    if (isForToday(cardId, schedule, input)) counts.due += 1;
    if (favourites.has(cardId)) counts.favourites += 1;
  }
  return counts;
}

/** How far a card is learned; every card is in exactly one stage. */
export const CARD_STAGES = ["new", "learning", "due", "known"] as const;
export type CardStage = (typeof CARD_STAGES)[number];

/** "new" means never answered, "learning" on a short step that is not due yet, and "known" everything else not due. */
function stageOf(schedule: Schedule | undefined, day: Pick<StudyDay, "now" | "endsAt">): CardStage {
  if (!schedule) return "new";
  if (isDue(schedule, day.now, day.endsAt)) return "due";
  return isLearning(schedule) ? "learning" : "known";
}

/** The cards of each stage. */
export function groupByStage(
  cardIds: readonly string[],
  schedules: Schedules,
  day: Pick<StudyDay, "now" | "endsAt">,
): Record<CardStage, Set<string>> {
  const stages: Record<CardStage, Set<string>> = {
    new: new Set(),
    learning: new Set(),
    due: new Set(),
    known: new Set(),
  };
  for (const cardId of cardIds) stages[stageOf(schedules.get(cardId), day)].add(cardId);
  return stages;
}
