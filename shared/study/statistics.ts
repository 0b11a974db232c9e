import { groupBy } from "#shared/pages/rules.ts";
import { advance, defaultParams, inReviewOrder, retrievability, type StudyParams } from "./rules.ts";
import type { Review, Schedule } from "./schema.ts";

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const BINS = 10;
/** Clamps predictions, because at 0 or 1 a single wrong answer would have infinite loss. */
const MIN_PROBABILITY = 1e-4;
/** If no answer comes within two minutes, the student was away. */
const MAX_ANSWER_MS = 120_000;

export interface CalibrationBin {
  /** Mean of the predictions and of the results, 0 to 1. */
  predicted: number;
  actual: number;
  count: number;
}

export interface Calibration {
  /** The number of reviews at least a day after the card's previous one, because only these test a prediction. */
  count: number;
  predicted: number;
  actual: number;
  /** Mean negative log-likelihood of the results; 0 without tests. */
  logLoss: number;
  bins: CalibrationBin[];
}

/** A prediction and its result. */
export interface Prediction {
  predicted: number;
  isRight: boolean;
}

/** The sums of one bin, a tenth of the probability scale. */
export interface CalibrationSum {
  bin: number;
  count: number;
  predicted: number;
  right: number;
  loss: number;
}

/** The totals of one UTC day, from which longer periods are computed without reading the answers again. */
export interface DaySum {
  /** Answers and milliseconds per quarter of an hour, so that a study day can start at any offset from UTC. */
  quarters: Readonly<Record<string, readonly [answers: number, ms: number]>>;
  /** Number of answers whose duration is known. */
  timed: number;
  timedMs: number;
  tests: readonly CalibrationSum[];
}

/** The predicted recall; undefined if the answer comes too soon after the previous one to test memory. */
export function predictRecall(
  schedule: Schedule | undefined,
  { reviewedAt, seed }: Pick<Review, "reviewedAt" | "seed">,
  params: StudyParams = defaultParams,
): number | undefined {
  const last = schedule?.lastReviewedAt;
  if (!schedule || typeof last !== "number" || seed || reviewedAt - last < DAY_MS) return undefined;
  return retrievability(schedule, reviewedAt, params);
}

export function sumPredictions(predictions: readonly Prediction[]): CalibrationSum[] {
  const sums = new Map<number, CalibrationSum>();
  for (const { predicted, isRight } of predictions) {
    const bin = Math.min(BINS - 1, Math.floor(predicted * BINS));
    const sum = sums.get(bin) ?? { bin, count: 0, predicted: 0, right: 0, loss: 0 };
    const clamped = Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, predicted));
    sums.set(bin, {
      bin,
      count: sum.count + 1,
      predicted: sum.predicted + predicted,
      right: sum.right + (isRight ? 1 : 0),
      loss: sum.loss - Math.log(isRight ? clamped : 1 - clamped),
    });
  }
  return [...sums.values()];
}

/** Calibration from the sums of any number of days. */
export function calibrationFromSums(sums: readonly CalibrationSum[]): Calibration {
  const add = (chosen: readonly CalibrationSum[], valueOf: (sum: CalibrationSum) => number) =>
    chosen.reduce((total, sum) => total + valueOf(sum), 0);
  const meanOf = (chosen: readonly CalibrationSum[]) => {
    const count = add(chosen, (sum) => sum.count);
    const mean = (valueOf: (sum: CalibrationSum) => number) => (count === 0 ? 0 : add(chosen, valueOf) / count);
    return { count, predicted: mean((sum) => sum.predicted), actual: mean((sum) => sum.right) };
  };
  const all = meanOf(sums);
  const bins = Array.from({ length: BINS }, (_, bin) => meanOf(sums.filter((sum) => sum.bin === bin)));
  return {
    ...all,
    logLoss: all.count === 0 ? 0 : add(sums, (sum) => sum.loss) / all.count,
    bins: bins.filter(({ count }) => count > 0),
  };
}

/** Calibration of the scheduler on one student's reviews. */
export function calibrate(reviews: readonly Review[], params: StudyParams = defaultParams): Calibration {
  const cards = groupBy(reviews, ({ componentId, cardId }) => `${componentId}\n${cardId}`);
  const predictions = [...cards.values()].flatMap((cardReviews) => {
    let schedule: Schedule | undefined;
    return inReviewOrder(cardReviews).flatMap((review) => {
      const predicted = predictRecall(schedule, review, params);
      schedule = advance(schedule, review, params);
      return predicted === undefined ? [] : { predicted, isRight: review.grade > 1 };
    });
  });
  return calibrationFromSums(sumPredictions(predictions));
}

type AnswerInput = Pick<Review, "reviewedAt" | "durationMs" | "grade" | "seed"> & { predicted?: number | undefined };

/** The time of an answer, without the time in which the student was probably away. */
const cappedMs = (durationMs: number) => Math.min(durationMs, MAX_ANSWER_MS);

/** Adds up the answers of one UTC day. */
export function sumDay(reviews: readonly AnswerInput[]): DaySum {
  const answers = reviews.filter(({ seed }) => !seed);
  const quarters: Record<string, [number, number]> = {};
  for (const { reviewedAt, durationMs } of answers) {
    const quarter = Math.floor((reviewedAt % DAY_MS) / QUARTER_MS);
    const [count, ms] = quarters[quarter] ?? [0, 0];
    quarters[quarter] = [count + 1, ms + cappedMs(durationMs)];
  }
  const timed = answers.filter(({ durationMs }) => durationMs > 0);
  return {
    quarters,
    timed: timed.length,
    timedMs: timed.reduce((sum, { durationMs }) => sum + cappedMs(durationMs), 0),
    tests: sumPredictions(
      answers.flatMap(({ predicted, grade }) => (predicted === undefined ? [] : { predicted, isRight: grade > 1 })),
    ),
  };
}

export interface StudiedDay {
  /** Study days before today; 0 is today. */
  ago: number;
  reviews: number;
  minutes: number;
}

/** Reviews and minutes of each study day that had any, the newest first. */
export function sumStudyDays(
  sums: readonly (Pick<DaySum, "quarters"> & { period: string })[],
  todayStartsAt: number,
): StudiedDay[] {
  const days = new Map<number, { reviews: number; ms: number }>();
  for (const { period, quarters } of sums)
    for (const [quarter, [reviews, storedMs]] of Object.entries(quarters)) {
      // Sums that were stored before the time of each answer was capped may be higher.
      const ms = Math.min(storedMs, reviews * MAX_ANSWER_MS);
      const at = Date.parse(period) + Number(quarter) * QUARTER_MS;
      const ago = Math.max(0, Math.ceil((todayStartsAt - at) / DAY_MS));
      const day = days.get(ago) ?? { reviews: 0, ms: 0 };
      days.set(ago, { reviews: day.reviews + reviews, ms: day.ms + ms });
    }
  return [...days]
    .map(([ago, { reviews, ms }]) => ({ ago, reviews, minutes: ms / 60_000 }))
    .toSorted((a, b) => a.ago - b.ago);
}
