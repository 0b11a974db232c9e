import { clampToServerTime, MAX_CLOCK_AHEAD_MS } from "#shared/study/rules.ts";
import type { Review } from "#shared/study/schema.ts";
import { utcDay } from "#shared/user/days.ts";
import { recordStudyDay, resetStudyDay } from "#api/user/service.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { countReadiness, isExamNear } from "./count-cards.ts";
import { queueForOptimizer } from "./optimizer-queue.ts";
import { removeDaySum, hasDaySums, recomputeDaySums } from "./day-sums.ts";
import { createParamsReader, forceRecount, readDeckSettings } from "./decks.ts";
import type { Own } from "#api/store/owned-store.ts";
import { rememberForgottenCards } from "./forgotten-cards.ts";
import { withCurrentDeck, type CardsMoved, moveCards } from "./move-cards.ts";
import {
  type CardKey,
  countedDay,
  listPeriods,
  listReviews,
  listReviewsAfter,
  listSchedules,
  readDay,
  redateReview,
  saveReview,
  saveSchedule,
  saveUndo,
} from "./store.ts";

type StudyContext = Pick<UserCtx, "own" | "clock">;

/** Study events, in the order in which they were received. */
export type StudyEvent = { type: "review_add"; review: Review } | { type: "review_undo"; reviewId: string };

const CHUNK_SIZE = 500;

/**
 * Changes the date of reviews in the future to now, and resets the days for which they counted. An earlier version
 * accepted such reviews from clocks that were far ahead. Returns their cards and days.
 */
async function redateFutureReviews({ own, clock }: StudyContext): Promise<{ cards: CardKey[]; periods: string[] }> {
  const now = clock.now();
  const ahead = await listReviewsAfter(own, now + MAX_CLOCK_AHEAD_MS);
  await Promise.all(ahead.map((doc) => redateReview(own, doc, now)));
  const days = new Set(ahead.map(({ period }) => period));
  for (const period of days) {
    await resetStudyDay(own, period);
    for (const deck of new Set(ahead.map(({ componentId }) => componentId))) await removeDaySum(own, period, deck);
  }
  return { cards: ahead, periods: ahead.length === 0 ? [] : [...days, utcDay(now)] };
}

/**
 * Stores reviews and undos regardless of the plan's limit, then recomputes what depends on them: schedules, cards of
 * the day and streak, each once for the whole batch. Idempotent, so a repeated request changes nothing.
 */
export async function applyStudy(ctx: StudyContext, events: readonly StudyEvent[]): Promise<void> {
  const cards = new Map<string, CardKey>();
  const periods = new Set<string>();
  const addAffected = ({ componentId, cardId }: CardKey, period: string) => {
    cards.set(JSON.stringify([componentId, cardId]), { componentId, cardId });
    periods.add(period);
  };
  const now = ctx.clock.now();
  const redated = await redateFutureReviews(ctx);
  for (const card of redated.cards) for (const period of redated.periods) addAffected(card, period);
  const addedReviews = await withCurrentDeck(
    ctx.own,
    events.flatMap((event) => (event.type === "review_add" ? clampToServerTime(event.review, now) : [])),
  );
  const reviews = new Map(addedReviews.map((review) => [review._id, review]));
  for (let offset = 0; offset < events.length; offset += CHUNK_SIZE)
    await Promise.all(
      events.slice(offset, offset + CHUNK_SIZE).map(async (event) => {
        if (event.type === "review_add") {
          const review = reviews.get(event.review._id) ?? event.review;
          const period = countedDay(review, now);
          await saveReview(ctx.own, review, period);
          return addAffected(review, period);
        }
        const undone = await saveUndo(ctx.own, event.reviewId, now);
        return undone && addAffected(undone, undone.period);
      }),
    );
  await saveSchedules(ctx, [...cards.values()]);
  await rememberForgottenCards(ctx, [...cards.values()]);
  await countExams(ctx, new Set([...cards.values()].map(({ componentId }) => componentId)));
  await Promise.all([...periods].map((period) => recomputeDay(ctx, period)));
  if (reviews.size > 0) await queueForOptimizer(ctx.own, ctx.clock.now());
}

/** Counts how ready decks with a near exam are. */
async function countExams({ own, clock }: StudyContext, componentIds: ReadonlySet<string>): Promise<void> {
  const now = clock.now();
  const paramsOf = await createParamsReader(own);
  for (const componentId of componentIds) {
    const { examAt } = await readDeckSettings(own, componentId);
    if (!isExamNear(examAt, now)) continue;
    const [schedules, params] = await Promise.all([
      listSchedules(own, { componentId, isActive: "yes" }),
      paramsOf(componentId),
    ]);
    await countReadiness(own, { componentId, examAt, schedules, params, now });
  }
}

/** Moves reviews, schedules and daily totals along with cards to another deck. */
export async function moveStudy(ctx: StudyContext, moved: CardsMoved): Promise<void> {
  const { from, to } = moved;
  if (from === to) return;
  const { studied, periods } = await moveCards(ctx.own, moved);
  await saveSchedules(
    ctx,
    [...studied].map((cardId) => ({ componentId: to, cardId })),
  );
  for (const period of periods) {
    await removeDaySum(ctx.own, period, from);
    await recomputeDaySums(ctx.own, period);
  }
  await Promise.all([forceRecount(ctx.own, from), forceRecount(ctx.own, to)]);
}

/** Recomputes the schedules of these cards from all their reviews. */
export async function saveSchedules({ own }: StudyContext, cards: readonly CardKey[]): Promise<void> {
  const paramsOf = await createParamsReader(own);
  const decksWithNewCards = new Set<string>();
  for (let offset = 0; offset < cards.length; offset += CHUNK_SIZE)
    await Promise.all(
      cards.slice(offset, offset + CHUNK_SIZE).map(async (card) => {
        const outcome = await saveSchedule(own, card, await paramsOf(card.componentId));
        if (outcome === "new") decksWithNewCards.add(card.componentId);
      }),
    );
  await Promise.all([...decksWithNewCards].map((componentId) => forceRecount(own, componentId)));
}

export const applyReview = (ctx: StudyContext, review: Review): Promise<void> =>
  applyStudy(ctx, [{ type: "review_add", review }]);

/** Undoes a review; if it has not arrived yet, it will be undone when it does. */
export const undoReview = (ctx: StudyContext, reviewId: string): Promise<void> =>
  applyStudy(ctx, [{ type: "review_undo", reviewId }]);

/** Recomputes daily totals and the streak after an account import. */
export async function recomputeDays(ctx: StudyContext): Promise<void> {
  for (const period of await listPeriods(ctx.own)) await recomputeDay(ctx, period);
}

async function recomputeDay({ own, clock }: StudyContext, period: string): Promise<void> {
  await recomputeDaySums(own, period);
  await recordStudyDay(own, { period, now: clock.now(), ...(await readDay(own, period)) });
}

export const listAllSchedules = (own: StudyContext["own"]) => listSchedules(own);

/** Stores reviews from another program: they affect schedules and history but not the daily limit. */
export async function importReviews(ctx: StudyContext, addedReviews: readonly Review[]): Promise<void> {
  const reviews = await withCurrentDeck(ctx.own, addedReviews);
  const cards = new Map<string, CardKey>();
  for (let offset = 0; offset < reviews.length; offset += CHUNK_SIZE)
    await Promise.all(
      reviews.slice(offset, offset + CHUNK_SIZE).map((review) => {
        cards.set(JSON.stringify([review.componentId, review.cardId]), review);
        return saveReview(ctx.own, review, utcDay(review.reviewedAt));
      }),
    );
  await saveSchedules(ctx, [...cards.values()]);
  for (const period of new Set(reviews.map(({ reviewedAt }) => utcDay(reviewedAt))))
    await recomputeDaySums(ctx.own, period);
  if (reviews.length > 0) await queueForOptimizer(ctx.own, ctx.clock.now());
}

/** Computes daily totals once for reviews stored before totals existed. */
export async function ensureDaySums(ctx: StudyContext): Promise<void> {
  if (await hasDaySums(ctx.own)) return;
  const reviews = await listReviews(ctx.own, { since: 0 });
  const cards = new Map(reviews.map((review) => [JSON.stringify([review.componentId, review.cardId]), review]));
  await saveSchedules(ctx, [...cards.values()]);
  for (const period of await listPeriods(ctx.own)) await recomputeDaySums(ctx.own, period);
}

/** Everything known about studying a deck, for export. */
export async function readDeckStudy(own: Own, componentId: string) {
  const [schedules, reviews, paramsOf] = await Promise.all([
    listSchedules(own, { componentId }),
    listReviews(own, { componentId }),
    createParamsReader(own),
  ]);
  return { schedules, reviews, desiredRetention: (await paramsOf(componentId)).desiredRetention };
}
