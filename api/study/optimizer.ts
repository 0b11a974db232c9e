import { Worker } from "node:worker_threads";
import { default_w } from "ts-fsrs";
import type { Review } from "#shared/study/schema.ts";
import { inReviewOrder } from "#shared/study/rules.ts";
import { groupBy } from "#shared/pages/rules.ts";

/** With fewer reviews the default weights, derived from very many students, predict better. */
export const REVIEWS_TO_FIT = 400;
const MAX_CARDS = 20_000;
const FIT_TIMEOUT_MS = 120_000;
const DAY_MS = 86_400_000;

export interface FitInput {
  /** Reviews of each card, as grade and days since the previous one. */
  histories: [grade: number, days: number][][];
  defaultWeights: readonly number[];
}

/** Reviews are too few if hardly any is on a later day than the one before: others do not test long-term memory. */
export type FitAnswer =
  | { state: "unavailable" }
  | { state: "too_few" }
  | { state: "fitted"; weights: number[]; lossBefore: number; lossAfter: number };

/** Grades of each card with the whole days between them; imported scheduling states are not reviews. */
export function toReviewHistories(reviews: readonly Review[]): FitInput["histories"] {
  const cards = groupBy(
    reviews.filter((review) => !review.seed),
    (review) => `${review.componentId}\n${review.cardId}`,
  );
  return [...cards.values()].slice(0, MAX_CARDS).map((cardReviews) => {
    let previousAt: number | undefined;
    return inReviewOrder(cardReviews).map(({ grade, reviewedAt }): [number, number] => {
      const days = previousAt === undefined ? 0 : Math.max(0, Math.round((reviewedAt - previousAt) / DAY_MS));
      previousAt = reviewedAt;
      return [grade, days];
    });
  });
}

/** Optimises the FSRS weights for one student's reviews, in a worker thread. */
export function fitWeights(reviews: readonly Review[], signal: AbortSignal): Promise<FitAnswer> {
  const input: FitInput = { histories: toReviewHistories(reviews), defaultWeights: default_w };
  const worker = new Worker(new URL("./optimizer-worker.ts", import.meta.url), { workerData: input });
  const terminate = () => void worker.terminate();
  const timeout = setTimeout(terminate, FIT_TIMEOUT_MS);
  signal.addEventListener("abort", terminate, { once: true });
  return new Promise<FitAnswer>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The worker exited without a result")));
  }).finally(() => {
    clearTimeout(timeout);
    signal.removeEventListener("abort", terminate);
    terminate();
  });
}
