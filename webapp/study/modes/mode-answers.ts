import { giveGrade } from "#shared/study/session.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import { advanceStreak } from "#shared/user/rules.ts";
import { store } from "#webapp/app/store.ts";
import type { KeptAnswer, ModeProps } from "../study-mode.ts";
import { studyDoor } from "../door.ts";
import { streakAtom } from "../home/home-state.ts";
import { keeping } from "../offline/keeping.ts";
import { chooserFor, currentAtom, LONGEST_ANSWER_MS, show, type Studying } from "../view.ts";

/** Whether the plan allows the card today; cards already counted today are free. */
export const mayAsk = ({ session }: Pick<Studying, "session">, cardId: string): boolean =>
  session.counted.has(cardId) || session.mayStudy > 0;

type Given = Parameters<ModeProps["answer"]>[0];

async function keep(view: Studying, given: Given, before: Schedule | undefined): Promise<KeptAnswer> {
  const { cardId, grade, mode } = given;
  const now = studyDoor().now();
  const durationMs = Math.min(Math.max(0, Math.round(given.durationMs)), LONGEST_ANSWER_MS);
  const { componentId } = view.deck;
  const reviewId = studyDoor().newId();
  const choose = chooserFor(view, now);
  const asked = { reviewId, componentId, grade, schedule: before, now, durationMs, mode, params: view.params, choose };
  const { review, after } = giveGrade(cardId, asked);
  await studyDoor().enqueue("review_add", componentId, review);
  const { session } = view;
  const isFirst = !session.counted.has(cardId);
  const counted = isFirst
    ? { counted: new Set(session.counted).add(cardId), mayStudy: session.mayStudy - 1 }
    : undefined;
  show({ ...view, isSessionOld: true }, { ...session, ...counted }, { cardId, schedule: after });
  const streak = store.get(streakAtom);
  store.set(streakAtom, streak && advanceStreak(streak, review.reviewedAt));
  return { reviewId, cardId, durationMs, mode, before, after };
}

/** Records a review from a mode without grade buttons in the same review log. */
export function answerInMode(given: Given): Promise<KeptAnswer | undefined> {
  return keeping(async () => {
    const view = store.get(currentAtom);
    return view.state === "ready" ? keep(view, given, view.schedules.get(given.cardId)) : undefined;
  });
}

/** Replaces a review with another grade, as if the first had never been recorded. */
export function replaceAnswer(kept: KeptAnswer, grade: Grade): Promise<KeptAnswer | undefined> {
  return keeping(async () => {
    const view = store.get(currentAtom);
    if (view.state !== "ready") return undefined;
    const { reviewId, cardId, durationMs, mode, before } = kept;
    await studyDoor().enqueue("review_undo", view.deck.componentId, { reviewId });
    return keep(view, { cardId, grade, durationMs, mode }, before);
  });
}
