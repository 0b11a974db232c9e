import type { Review } from "#shared/study/schema.ts";
import { utcDay } from "#shared/user/rules.ts";
import { noteStudyDay } from "#api/user/service.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { noteAnswers } from "./fit-turns.ts";
import { forgetSum, hasDaySums, sumPeriod } from "./day-sums.ts";
import { paramsReader, recountLater } from "./decks.ts";
import type { Own } from "#api/store/owned.ts";
import { atHome, type CardsMoved, moveCards } from "./moving.ts";
import {
  type CardName,
  listPeriods,
  listReviews,
  listSchedules,
  readDay,
  saveReview,
  saveSchedule,
  saveUndo,
} from "./store.ts";

type Reviewing = Pick<UserCtx, "own" | "clock">;

/** Study events, in the order in which they were received. */
export type StudyEvent = { type: "review_add"; review: Review } | { type: "review_undo"; reviewId: string };

const CHUNK = 500;

/**
 * Stores reviews and undos whatever the plan's limit, then recomputes what depends on them: schedules, cards of the day
 * and streak, each once for the whole batch. Idempotent, so a repeated request doubles nothing.
 */
export async function applyStudy(ctx: Reviewing, events: readonly StudyEvent[]): Promise<void> {
  const cards = new Map<string, CardName>();
  const periods = new Set<string>();
  const touch = ({ componentId, cardId }: CardName, period: string) => {
    cards.set(JSON.stringify([componentId, cardId]), { componentId, cardId });
    periods.add(period);
  };
  const given = await atHome(
    ctx.own,
    events.flatMap((event) => (event.type === "review_add" ? event.review : [])),
  );
  const reviews = new Map(given.map((review) => [review._id, review]));
  for (let at = 0; at < events.length; at += CHUNK)
    await Promise.all(
      events.slice(at, at + CHUNK).map(async (event) => {
        if (event.type === "review_add") {
          const review = reviews.get(event.review._id) ?? event.review;
          await saveReview(ctx.own, review);
          return touch(review, utcDay(review.reviewedAt));
        }
        const undone = await saveUndo(ctx.own, event.reviewId, ctx.clock.now());
        return undone && touch(undone, undone.period);
      }),
    );
  await saveSchedules(ctx, [...cards.values()]);
  await Promise.all([...periods].map((period) => deriveDay(ctx, period)));
  if (reviews.size > 0) await noteAnswers(ctx.own, ctx.clock.now());
}

/** Moves reviews, schedules and daily totals along with cards to another deck. */
export async function moveStudy(ctx: Reviewing, moved: CardsMoved): Promise<void> {
  const { from, to } = moved;
  if (from === to) return;
  const { studied, periods } = await moveCards(ctx.own, moved);
  await saveSchedules(
    ctx,
    [...studied].map((cardId) => ({ componentId: to, cardId })),
  );
  for (const period of periods) {
    await forgetSum(ctx.own, period, from);
    await sumPeriod(ctx.own, period);
  }
  await Promise.all([recountLater(ctx.own, from), recountLater(ctx.own, to)]);
}

/** Recomputes the schedules of these cards from all their reviews. */
export async function saveSchedules({ own }: Reviewing, cards: readonly CardName[]): Promise<void> {
  const paramsOf = await paramsReader(own);
  const grown = new Set<string>();
  for (let at = 0; at < cards.length; at += CHUNK)
    await Promise.all(
      cards.slice(at, at + CHUNK).map(async (card) => {
        const known = await saveSchedule(own, card, await paramsOf(card.componentId));
        if (known === "new") grown.add(card.componentId);
      }),
    );
  await Promise.all([...grown].map((componentId) => recountLater(own, componentId)));
}

export const applyReview = (ctx: Reviewing, review: Review): Promise<void> =>
  applyStudy(ctx, [{ type: "review_add", review }]);

/** Undoes a review; if it has not arrived yet, it will be undone when it does. */
export const undoReview = (ctx: Reviewing, reviewId: string): Promise<void> =>
  applyStudy(ctx, [{ type: "review_undo", reviewId }]);

/** Recomputes daily totals and the streak after an account import. */
export async function deriveDays(ctx: Reviewing): Promise<void> {
  for (const period of await listPeriods(ctx.own)) await deriveDay(ctx, period);
}

async function deriveDay({ own, clock }: Reviewing, period: string): Promise<void> {
  await sumPeriod(own, period);
  await noteStudyDay(own, { period, now: clock.now(), ...(await readDay(own, period)) });
}

export const schedulesOf = (own: Reviewing["own"]) => listSchedules(own);

/** Stores reviews from another program: they affect schedules and history but not the daily limit. */
export async function importReviews(ctx: Reviewing, given: readonly Review[]): Promise<void> {
  const reviews = await atHome(ctx.own, given);
  const cards = new Map<string, CardName>();
  for (let at = 0; at < reviews.length; at += CHUNK)
    await Promise.all(
      reviews.slice(at, at + CHUNK).map((review) => {
        cards.set(JSON.stringify([review.componentId, review.cardId]), review);
        return saveReview(ctx.own, review);
      }),
    );
  await saveSchedules(ctx, [...cards.values()]);
  for (const period of new Set(reviews.map(({ reviewedAt }) => utcDay(reviewedAt)))) await sumPeriod(ctx.own, period);
  if (reviews.length > 0) await noteAnswers(ctx.own, ctx.clock.now());
}

/** Computes daily totals once for reviews stored before totals existed. */
export async function addUpDays(ctx: Reviewing): Promise<void> {
  if (await hasDaySums(ctx.own)) return;
  const reviews = await listReviews(ctx.own, { since: 0 });
  const cards = new Map(reviews.map((review) => [JSON.stringify([review.componentId, review.cardId]), review]));
  await saveSchedules(ctx, [...cards.values()]);
  for (const period of await listPeriods(ctx.own)) await sumPeriod(ctx.own, period);
}

/** Everything known about studying a deck, for export. */
export async function readStudyOf(own: Own, componentId: string) {
  const [schedules, reviews, paramsOf] = await Promise.all([
    listSchedules(own, componentId),
    listReviews(own, { componentId }),
    paramsReader(own),
  ]);
  return { schedules, reviews, desiredRetention: (await paramsOf(componentId)).desiredRetention };
}
