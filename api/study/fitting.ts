import { Worker } from "node:worker_threads";
import { default_w } from "ts-fsrs";
import type { Review } from "#shared/study/schema.ts";
import { inOrder } from "#shared/study/rules.ts";
import { groupBy } from "#shared/pages/rules.ts";

/** With fewer reviews the default weights, derived from very many students, predict better. */
export const REVIEWS_TO_FIT = 400;
const MAX_CARDS = 20_000;
const FIT_MS = 120_000;
const DAY_MS = 86_400_000;

export interface FitInput {
  /** Reviews of each card, as grade and days since the previous one. */
  histories: [grade: number, days: number][][];
  standard: readonly number[];
}

export type FitAnswer =
  | { state: "unavailable" }
  | { state: "fitted"; weights: number[]; lossBefore: number; lossAfter: number };

/** Grades of each card with the whole days between them; imported scheduling states are not reviews. */
export function historiesOf(reviews: readonly Review[]): FitInput["histories"] {
  const cards = groupBy(
    reviews.filter((review) => !review.seed),
    (review) => `${review.componentId}\n${review.cardId}`,
  );
  return [...cards.values()].slice(0, MAX_CARDS).map((own) => {
    let before: number | undefined;
    return inOrder(own).map(({ grade, reviewedAt }): [number, number] => {
      const days = before === undefined ? 0 : Math.max(0, Math.round((reviewedAt - before) / DAY_MS));
      before = reviewedAt;
      return [grade, days];
    });
  });
}

/** Optimises the FSRS weights for one student's reviews, in a worker thread. */
export function fitWeights(reviews: readonly Review[], signal: AbortSignal): Promise<FitAnswer> {
  const input: FitInput = { histories: historiesOf(reviews), standard: default_w };
  const worker = new Worker(new URL("./fit-worker.ts", import.meta.url), { workerData: input });
  const end = () => void worker.terminate();
  const late = setTimeout(end, FIT_MS);
  signal.addEventListener("abort", end, { once: true });
  return new Promise<FitAnswer>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The worker exited without a result")));
  }).finally(() => {
    clearTimeout(late);
    signal.removeEventListener("abort", end);
    end();
  });
}
