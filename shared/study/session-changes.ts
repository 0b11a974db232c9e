import { isLearning } from "./rules.ts";
import type { Schedule } from "./schema.ts";
import { byDueTime, pickNext, type Answer, type Session } from "./session.ts";

/** The session before the last answer, and that answer; undefined without answers. */
export function undoAnswer(session: Session): { session: Session; answer: Answer } | undefined {
  const answer = session.answers.at(-1);
  if (!answer) return undefined;
  if (session.previous) return { session: session.previous, answer };
  // An earlier answer was undone or a card was removed, so there is no complete previous session.
  const withoutAnswer = removeAnswer(session, answer.reviewId, { schedule: answer.before });
  return withoutAnswer && { session: showCard(withoutAnswer, answer.cardId), answer };
}

/** The session with this card shown now; the card it displaces comes next. */
function showCard(session: Session, cardId: string): Session {
  const { queue, nextReview, current } = session;
  if (current === cardId) return session;
  const displaced = current === null ? [] : [current];
  const upcoming = queue.review.slice(nextReview).filter((id) => id !== cardId);
  return {
    ...session,
    state: "asking",
    current: cardId,
    queue: { ...queue, review: [...queue.review.slice(0, nextReview), ...displaced, ...upcoming] },
    learning: session.learning.filter((step) => step.cardId !== cardId),
  };
}

/**
 * The session without one of its answers; the card is shown again after the current one. `schedule` is the result of
 * the card's remaining reviews. Undefined if there is no such answer.
 */
export function removeAnswer(
  session: Session,
  reviewId: string,
  { schedule }: { schedule: Schedule | undefined },
): Session | undefined {
  const answer = session.answers.find((candidate) => candidate.reviewId === reviewId);
  if (!answer) return undefined;
  const { cardId, isFirstToday } = answer;
  const { queue, nextReview } = session;
  const others = session.answers.filter((other) => other !== answer);
  const isStillCounted = !isFirstToday || others.some((other) => other.cardId === cardId);
  const counted = new Set(session.counted);
  if (!isStillCounted) counted.delete(cardId);
  const isCurrent = session.current === cardId;
  const learning = session.learning.filter((step) => step.cardId !== cardId);
  const isWaiting = schedule && !isCurrent && isLearning(schedule) && others.some((other) => other.cardId === cardId);
  const review = isCurrent || isWaiting ? queue.review : queue.review.toSpliced(nextReview, 0, cardId);
  return {
    ...session,
    queue: { ...queue, review },
    learning: isWaiting ? byDueTime([...learning, schedule]) : learning,
    counted,
    mayStudy: isStillCounted ? session.mayStudy : session.mayStudy + 1,
    answers: others,
    previous: null,
  };
}

/** Moves to the next card without an answer, e.g. when a card is buried. */
export function skipCard(session: Session, now: number): Session {
  return pickNext({ ...session, current: null }, now);
}

/** The session without these cards, which are not shown again today. */
export function removeCards(session: Session, cardIds: ReadonlySet<string>, now: number): Session {
  const { queue, nextReview, nextFresh } = session;
  const dropRemoved = (ids: readonly string[], from: number) => [
    ...ids.slice(0, from),
    ...ids.slice(from).filter((id) => !cardIds.has(id)),
  ];
  const remaining: Session = {
    ...session,
    queue: { review: dropRemoved(queue.review, nextReview), fresh: dropRemoved(queue.fresh, nextFresh) },
    learning: session.learning.filter((step) => !cardIds.has(step.cardId)),
    previous: null,
  };
  return remaining.current !== null && cardIds.has(remaining.current) ? skipCard(remaining, now) : remaining;
}
