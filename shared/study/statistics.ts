import { advance, defaultParams, inOrder, retrievability, type StudyParams } from "./rules.ts";
import type { Review, Schedule } from "./schema.ts";

const DAY_MS = 86_400_000;
const BINS = 10;
/** A prediction of nothing or of certainty would make one answer's loss endless. */
const SUREST = 1e-4;

export interface CalibrationBin {
  /** Mean of what was predicted and of what came true, 0 to 1. */
  predicted: number;
  actual: number;
  count: number;
}

export interface Calibration {
  /** Reviews that came at least a day after the card's last: only these test a prediction. */
  count: number;
  predicted: number;
  actual: number;
  /** Mean of -ln of the probability given to what happened; 0 where nothing was tested. */
  logLoss: number;
  bins: CalibrationBin[];
}

interface Tested {
  predicted: number;
  isRight: boolean;
}

/** What was predicted for each review that tests memory, from the card's reviews before it. */
function testsOf(reviews: readonly Review[], params: StudyParams, since: number): Tested[] {
  const tested: Tested[] = [];
  let schedule: Schedule | undefined;
  for (const review of inOrder(reviews)) {
    const last = schedule?.lastReviewedAt;
    const isTest = schedule && typeof last === "number" && !review.seed && review.reviewedAt - last >= DAY_MS;
    if (isTest && schedule && review.reviewedAt >= since)
      tested.push({ predicted: retrievability(schedule, review.reviewedAt, params), isRight: review.grade > 1 });
    schedule = advance(schedule, review, params);
  }
  return tested;
}

const mean = (sum: number, count: number) => (count === 0 ? 0 : sum / count);
const share = (tested: readonly Tested[]) => mean(tested.filter((one) => one.isRight).length, tested.length);
const meanPredicted = (tested: readonly Tested[]) =>
  mean(
    tested.reduce((sum, one) => sum + one.predicted, 0),
    tested.length,
  );

/** How true the scheduler's predictions came: what was answered against what was expected, since a moment. */
export function calibrate(
  reviews: readonly Review[],
  { params = defaultParams, since = 0 }: { params?: StudyParams; since?: number } = {},
): Calibration {
  const ofCard = new Map<string, Review[]>();
  for (const review of reviews) {
    const key = `${review.componentId}\n${review.cardId}`;
    const known = ofCard.get(key);
    if (known) known.push(review);
    else ofCard.set(key, [review]);
  }
  const tested = [...ofCard.values()].flatMap((own) => testsOf(own, params, since));
  const loss = tested.reduce((sum, { predicted, isRight }) => {
    const sure = Math.min(1 - SUREST, Math.max(SUREST, predicted));
    return sum - Math.log(isRight ? sure : 1 - sure);
  }, 0);
  const bins = Array.from({ length: BINS }, (_, at) =>
    tested.filter(({ predicted }) => Math.min(BINS - 1, Math.floor(predicted * BINS)) === at),
  );
  return {
    count: tested.length,
    predicted: meanPredicted(tested),
    actual: share(tested),
    logLoss: mean(loss, tested.length),
    bins: bins
      .filter((bin) => bin.length > 0)
      .map((bin) => ({ predicted: meanPredicted(bin), actual: share(bin), count: bin.length })),
  };
}

export interface StudiedDay {
  /** Study days before today; 0 is today. */
  ago: number;
  reviews: number;
  minutes: number;
}

/** Reviews and minutes of each study day that had any, the newest first. */
export function studiedDays(
  reviews: readonly Pick<Review, "reviewedAt" | "durationMs" | "seed">[],
  todayStartsAt: number,
): StudiedDay[] {
  const days = new Map<number, { reviews: number; ms: number }>();
  for (const { reviewedAt, durationMs, seed } of reviews) {
    if (seed) continue;
    const ago = Math.max(0, Math.ceil((todayStartsAt - reviewedAt) / DAY_MS));
    const day = days.get(ago) ?? { reviews: 0, ms: 0 };
    days.set(ago, { reviews: day.reviews + 1, ms: day.ms + durationMs });
  }
  return [...days]
    .map(([ago, { reviews: count, ms }]) => ({ ago, reviews: count, minutes: ms / 60_000 }))
    .toSorted((a, b) => a.ago - b.ago);
}
