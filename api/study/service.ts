import type { Review } from "#shared/study/schema.ts";
import { utcDay } from "#shared/user/rules.ts";
import { noteStudyDay } from "#api/user/service.ts";
import type { UserCtx } from "#api/kit/handler.ts";
import { type CardName, readDay, saveReview, saveSchedule, saveUndo } from "./store.ts";

type Reviewing = Pick<UserCtx, "own" | "clock">;

/**
 * Keeps a review that happened, whatever the plan's limit, and derives from all that is known what follows from it:
 * schedule, cards of the day, streak. Each step can be repeated, so that an answer that was lost doubles nothing.
 */
export async function applyReview(ctx: Reviewing, review: Review): Promise<void> {
  await saveReview(ctx.own, review);
  await derive(ctx, review, utcDay(review.reviewedAt));
}

/** Takes a review back; one that has not come yet will be taken back when it does. */
export async function undoReview(ctx: Reviewing, reviewId: string): Promise<void> {
  const undone = await saveUndo(ctx.own, reviewId, ctx.clock.now());
  if (undone) await derive(ctx, undone, undone.period);
}

async function derive(ctx: Reviewing, card: CardName, period: string): Promise<void> {
  await Promise.all([saveSchedule(ctx.own, card), deriveDay(ctx, period)]);
}

async function deriveDay({ own, clock }: Reviewing, period: string): Promise<void> {
  await noteStudyDay(own, { period, now: clock.now(), ...(await readDay(own, period)) });
}
