import type { Clock } from "#api/clock.ts";
import type { Deps } from "#api/http/handler.ts";
import { repeat } from "#api/jobs/repeating.ts";
import type { Own } from "#api/store/owned.ts";
import { preferencesOf } from "#api/user/service.ts";
import { removeFit, saveFit } from "./decks.ts";
import { isResting, listResting, noteTried, takeTurn, type Turn } from "./fit-turns.ts";
import { fitWeights, REVIEWS_TO_FIT } from "./fitting.ts";
import { saveSchedules } from "./service.ts";
import { countReviews, listReviews } from "./store.ts";

/** Without a review for this long, no session is running. */
const REST_MS = 30 * 60_000;
const EVERY_MS = 10 * 60_000;
/** A refit needs at least this many, and this share, of new reviews. */
const MORE_REVIEWS = 200;
const MORE_SHARE = 0.2;

interface Fitting {
  own: Own;
  clock: Clock;
  signal: AbortSignal;
}

interface Outcome {
  state: "fitted" | "kept" | "too_few" | "unavailable";
  reviews: number;
  lossBefore: number | null;
  lossAfter: number | null;
}

/**
 * Fits the scheduler to an account's reviews. Weights that predict them better are saved and all schedules recomputed,
 * if `canContinue` still allows it.
 */
export async function fitAccount(
  { own, clock, signal }: Fitting,
  by: "student" | "itself",
  mayStill: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<Outcome> {
  const reviews = await listReviews(own, { since: 0 });
  const none = { reviews: reviews.length, lossBefore: null, lossAfter: null };
  if (reviews.length < REVIEWS_TO_FIT) return { state: "too_few", ...none };
  const answer = await fitWeights(reviews, signal);
  if (!(await mayStill())) return { state: "kept", ...none };
  await noteTried(own, reviews.length, clock.now());
  if (answer.state === "unavailable") return { state: answer.state, ...none };
  const { weights, lossBefore, lossAfter } = answer;
  const told = { reviews: reviews.length, lossBefore, lossAfter };
  if (!(lossAfter < lossBefore)) return { state: "kept", ...told };
  await saveFit(own, { weights, fittedAt: clock.now(), by, ...told });
  await rescheduleAll({ own, clock }, reviews);
  return { state: "fitted", ...told };
}

/** Returns to the default weights; automatic fitting then waits for many more reviews. */
export async function unfitAccount({ own, clock }: Pick<Fitting, "own" | "clock">): Promise<number> {
  const reviews = await listReviews(own, { since: 0 });
  await noteTried(own, reviews.length, clock.now());
  if (await removeFit(own)) await rescheduleAll({ own, clock }, reviews);
  return reviews.length;
}

async function rescheduleAll(ctx: Pick<Fitting, "own" | "clock">, reviews: readonly CardName[]): Promise<void> {
  const names = new Map(
    reviews.map(({ componentId, cardId }) => [`${componentId}\n${cardId}`, { componentId, cardId }]),
  );
  await saveSchedules(ctx, [...names.values()]);
}

interface CardName {
  componentId: string;
  cardId: string;
}

type SweepDeps = Pick<Deps, "store" | "clock" | "log">;

/**
 * Fits the scheduler for accounts that have been idle for half an hour, have enough new reviews and did not opt out,
 * one after the other. Returns how many fits changed.
 */
export async function fitWhoRests(deps: SweepDeps, signal = new AbortController().signal): Promise<number> {
  const { store, clock, log } = deps;
  let fitted = 0;
  for (const turn of await listResting(store, clock.now() - REST_MS)) {
    if (signal.aborted) break;
    if (!(await takeTurn(turn))) continue;
    try {
      if (await isWorthIt(turn)) {
        const mayStill = () => isResting(turn);
        const { state } = await fitAccount({ own: turn.own, clock, signal }, "itself", mayStill);
        if (state === "fitted") fitted += 1;
      }
    } catch (error) {
      // A failure for one account is retried after its next reviews.
      log.warn({ err: error }, "could not fit the scheduler");
    }
  }
  return fitted;
}

async function isWorthIt({ own, triedReviews }: Turn): Promise<boolean> {
  const reviews = await countReviews(own);
  const more = Math.max(MORE_REVIEWS, triedReviews * MORE_SHARE);
  if (reviews < REVIEWS_TO_FIT || (triedReviews > 0 && reviews - triedReviews < more)) return false;
  return (await preferencesOf(own)).flashcards.fit_by_itself;
}

/** Checks for idle accounts at intervals; returns a function that stops it. */
export function keepFitting(deps: Deps): () => void {
  const stopper = new AbortController();
  const stop = repeat({
    everyMs: EVERY_MS,
    log: deps.log,
    failed: "could not fit schedulers",
    async work() {
      const fitted = await fitWhoRests(deps, stopper.signal);
      if (fitted > 0) deps.log.info({ fitted }, "fitted schedulers");
    },
  });
  return () => {
    stopper.abort();
    stop();
  };
}
