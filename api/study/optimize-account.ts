import type { Clock } from "#api/clock.ts";
import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import type { Own } from "#api/store/owned-store.ts";
import { getPreferences } from "#api/user/service.ts";
import { removeFit, saveFit } from "./decks.ts";
import { isStillIdle, listIdle, saveAttempt, claimCandidate, type OptimizerCandidate } from "./optimizer-queue.ts";
import { fitWeights, REVIEWS_TO_FIT } from "./optimizer.ts";
import { saveSchedules } from "./service.ts";
import { countReviews, listReviews } from "./store.ts";

/** Without a review for this long, no session is running. */
const IDLE_MS = 30 * 60_000;
const INTERVAL_MS = 10 * 60_000;
/** A refit needs at least this many, and this share, of new reviews. */
const MIN_NEW_REVIEWS = 200;
const MIN_NEW_SHARE = 0.2;

interface FitContext {
  own: Own;
  clock: Clock;
  signal: AbortSignal;
}

interface Outcome {
  state: "fitted" | "unchanged" | "too_few" | "unavailable";
  reviews: number;
  lossBefore: number | null;
  lossAfter: number | null;
}

/**
 * Fits the scheduler to an account's reviews. Weights that predict them better are saved and all schedules recomputed,
 * if `canContinue` still allows it.
 */
export async function fitAccount(
  { own, clock, signal }: FitContext,
  startedBy: "student" | "schedule",
  canContinue: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<Outcome> {
  const reviews = await listReviews(own, { since: 0 });
  const none = { reviews: reviews.length, lossBefore: null, lossAfter: null };
  if (reviews.length < REVIEWS_TO_FIT) return { state: "too_few", ...none };
  const answer = await fitWeights(reviews, signal);
  if (answer.state === "too_few") return { state: answer.state, ...none };
  if (!(await canContinue())) return { state: "unchanged", ...none };
  await saveAttempt(own, reviews.length, clock.now());
  if (answer.state === "unavailable") return { state: answer.state, ...none };
  const { weights, lossBefore, lossAfter } = answer;
  const losses = { reviews: reviews.length, lossBefore, lossAfter };
  if (!(lossAfter < lossBefore)) return { state: "unchanged", ...losses };
  await saveFit(own, { weights, fittedAt: clock.now(), startedBy, ...losses });
  await rescheduleAll({ own, clock }, reviews);
  return { state: "fitted", ...losses };
}

/** Returns to the default weights; automatic fitting then waits for many more reviews. */
export async function resetFit({ own, clock }: Pick<FitContext, "own" | "clock">): Promise<number> {
  const reviews = await listReviews(own, { since: 0 });
  await saveAttempt(own, reviews.length, clock.now());
  if (await removeFit(own)) await rescheduleAll({ own, clock }, reviews);
  return reviews.length;
}

async function rescheduleAll(ctx: Pick<FitContext, "own" | "clock">, reviews: readonly CardRef[]): Promise<void> {
  const cardRefs = new Map(
    reviews.map(({ componentId, cardId }) => [`${componentId}\n${cardId}`, { componentId, cardId }]),
  );
  await saveSchedules(ctx, [...cardRefs.values()]);
}

interface CardRef {
  componentId: string;
  cardId: string;
}

type SweepDeps = Pick<Deps, "store" | "clock" | "log">;

/**
 * Fits the scheduler for accounts that have been idle for half an hour, have enough new reviews and did not opt out,
 * one after the other. Returns how many fits changed.
 */
export async function optimizeIdleAccounts(deps: SweepDeps, signal = new AbortController().signal): Promise<number> {
  const { store, clock, log } = deps;
  let fitted = 0;
  for (const candidate of await listIdle(store, clock.now() - IDLE_MS)) {
    if (signal.aborted) break;
    if (!(await claimCandidate(candidate))) continue;
    try {
      if (await hasEnoughNewReviews(candidate)) {
        const canContinue = () => isStillIdle(candidate);
        const { state } = await fitAccount({ own: candidate.own, clock, signal }, "schedule", canContinue);
        if (state === "fitted") fitted += 1;
      }
    } catch (error) {
      // A failure for one account is retried after its next reviews.
      log.warn({ err: error }, "could not fit the scheduler");
    }
  }
  return fitted;
}

async function hasEnoughNewReviews({ own, triedReviews }: OptimizerCandidate): Promise<boolean> {
  const reviews = await countReviews(own);
  const requiredReviews = Math.max(MIN_NEW_REVIEWS, triedReviews * MIN_NEW_SHARE);
  if (reviews < REVIEWS_TO_FIT || (triedReviews > 0 && reviews - triedReviews < requiredReviews)) return false;
  return (await getPreferences(own)).flashcards.fit_by_itself;
}

/** Checks for idle accounts at intervals; returns a function that stops it. */
export function startOptimizer(deps: Deps): () => void {
  const stopper = new AbortController();
  const stop = runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not fit schedulers",
    async work() {
      const fitted = await optimizeIdleAccounts(deps, stopper.signal);
      if (fitted > 0) deps.log.info({ fitted }, "fitted schedulers");
    },
  });
  return () => {
    stopper.abort();
    stop();
  };
}
