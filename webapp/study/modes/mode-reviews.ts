import type { Grade } from "#shared/study/schema.ts";
import { advanceStreak } from "#shared/user/streak.ts";
import { store } from "#webapp/app/store.ts";
import { streakAtom } from "../home/home-state.ts";
import { runSingleFlight } from "../offline/single-flight.ts";
import { readActiveStudy, storeEvent } from "../session/apply-event.ts";
import type { ModeProps, StoredReview } from "../study-mode.ts";
import { getStudyPort } from "../study-port.ts";

type ReviewInput = Parameters<ModeProps["recordReview"]>[0];
type Replaced = Pick<StoredReview, "reviewId" | "before">;

async function storeReview(input: ReviewInput, replaced?: Replaced): Promise<StoredReview | undefined> {
  const before = replaced ? replaced.before : readActiveStudy()?.schedules.get(input.cardId);
  const reviewId = getStudyPort().newId();
  const step = await storeEvent({
    type: "record_review",
    ...input,
    reviewId,
    ...(replaced && { replaces: { reviewId: replaced.reviewId, before } }),
  });
  const after = step?.cached?.schedule;
  if (!after) return undefined;
  const streak = store.get(streakAtom);
  store.set(streakAtom, streak && advanceStreak(streak, after.lastReviewedAt ?? 0));
  const { cardId, durationMs, mode } = input;
  return { reviewId, cardId, durationMs, mode, before, after };
}

/** Records a review from a mode without grade buttons in the same review log. */
export const recordModeReview = (input: ReviewInput): Promise<StoredReview | undefined> =>
  runSingleFlight(() => storeReview(input));

/** Replaces a review with another grade, as if the first had never been recorded. */
export function replaceModeReview(previous: StoredReview, grade: Grade): Promise<StoredReview | undefined> {
  const { cardId, durationMs, mode } = previous;
  return runSingleFlight(() => storeReview({ cardId, grade, durationMs, mode }, previous));
}
