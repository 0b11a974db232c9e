import { giveGrade } from "#shared/study/session.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import { advanceStreak } from "#shared/user/rules.ts";
import { store } from "#webapp/app/store.ts";
import type { StoredReview, ModeProps } from "../study-mode.ts";
import { getStudyPort } from "../study-port.ts";
import { streakAtom } from "../home/home-state.ts";
import { runSingleFlight } from "../offline/single-flight.ts";
import {
  createChooserFor,
  studyStateAtom,
  MAX_REVIEW_DURATION_MS,
  applyReview,
  type ActiveStudy,
} from "../session/view.ts";

/** Whether the plan allows the card today; cards already counted today are free. */
export const canStudyCard = ({ session }: Pick<ActiveStudy, "session">, cardId: string): boolean =>
  session.counted.has(cardId) || session.mayStudy > 0;

type ReviewInput = Parameters<ModeProps["recordReview"]>[0];

async function storeReview(view: ActiveStudy, input: ReviewInput, before: Schedule | undefined): Promise<StoredReview> {
  const { cardId, grade, mode } = input;
  const now = getStudyPort().now();
  const durationMs = Math.min(Math.max(0, Math.round(input.durationMs)), MAX_REVIEW_DURATION_MS);
  const { componentId } = view.deck;
  const reviewId = getStudyPort().newId();
  const choose = createChooserFor(view, now);
  const gradeInput = {
    reviewId,
    componentId,
    grade,
    schedule: before,
    now,
    durationMs,
    mode,
    params: view.params,
    choose,
  };
  const { review, after } = giveGrade(cardId, gradeInput);
  await getStudyPort().enqueue("review_add", componentId, review);
  const { session } = view;
  const isFirst = !session.counted.has(cardId);
  const counted = isFirst
    ? { counted: new Set(session.counted).add(cardId), mayStudy: session.mayStudy - 1 }
    : undefined;
  applyReview({ ...view, isSessionOld: true }, { ...session, ...counted }, { cardId, schedule: after });
  const streak = store.get(streakAtom);
  store.set(streakAtom, streak && advanceStreak(streak, review.reviewedAt));
  return { reviewId, cardId, durationMs, mode, before, after };
}

/** Records a review from a mode without grade buttons in the same review log. */
export function recordModeReview(input: ReviewInput): Promise<StoredReview | undefined> {
  return runSingleFlight(async () => {
    const view = store.get(studyStateAtom);
    return view.state === "ready" ? storeReview(view, input, view.schedules.get(input.cardId)) : undefined;
  });
}

/** Replaces a review with another grade, as if the first had never been recorded. */
export function replaceModeReview(previous: StoredReview, grade: Grade): Promise<StoredReview | undefined> {
  return runSingleFlight(async () => {
    const view = store.get(studyStateAtom);
    if (view.state !== "ready") return undefined;
    const { reviewId, cardId, durationMs, mode, before } = previous;
    await getStudyPort().enqueue("review_undo", view.deck.componentId, { reviewId });
    return storeReview(view, { cardId, grade, durationMs, mode }, before);
  });
}
