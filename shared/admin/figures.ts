import type { CalibrationSum } from "#shared/study/statistics.ts";

/**
 * What is counted, when it happens. `sums` of a figure add up over accounts, days and groups, so any two documents of the
 * same figure merge by addition.
 */
export const FIGURES = [
  /** An account was created. */
  "signup",
  /** An account was used on a day, in a week (by the week in which it was created), in a month. */
  "active_day",
  "active_week",
  "active_month",
  /** The first time an account does something: a source, a card, a review, an answer. */
  "step",
  /** Uses and refunds of the counters of a plan. */
  "usage",
  /** Answers of spaced repetition, with the forecasts that they test. */
  "study",
  /** How many of a deck's studied cards are expected to be recalled at its exam. */
  "exams",
  "answers",
  "generations",
  /** Generated cards, and those that were edited, removed or suspended within 14 days, on the day of their generation. */
  "made_cards",
  "calls",
  "ratings",
  "completions",
  "sites",
] as const;
export type FigureName = (typeof FIGURES)[number];

export type Sums = Readonly<Record<string, number>>;
/** What the sums of a figure are grouped by, such as the model. */
export type Dims = Readonly<Record<string, string>>;

export interface FigureEntry {
  dims: Dims;
  sums: Sums;
}

/** In place: copying the sum for every entry would take most of the time of merging a year. */
function addTo(sum: Record<string, number>, other: Sums): void {
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value;
}

export const addSums = (one: Sums, other: Sums): Sums => {
  const sum = { ...one };
  addTo(sum, other);
  return sum;
};

const keyOf = (dims: Dims) => JSON.stringify(Object.entries(dims).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Merges entries with the same groups. */
export function mergeEntries(entries: Iterable<FigureEntry>): FigureEntry[] {
  const merged = new Map<string, { dims: Dims; sums: Record<string, number> }>();
  for (const { dims, sums } of entries) {
    const key = keyOf(dims);
    const entry = merged.get(key);
    if (entry) addTo(entry.sums, sums);
    else merged.set(key, { dims, sums: { ...sums } });
  }
  return [...merged.values()];
}

export const totalOf = (entries: readonly FigureEntry[]): Sums =>
  entries.reduce<Sums>((sum, entry) => addSums(sum, entry.sums), {});

const FIRST_BUCKET_MS = 50;
const BUCKETS = 40;
/** Each bucket of a histogram of durations ends at √2 times the one before. */
const bucketEndMs = (bucket: number) => FIRST_BUCKET_MS * 2 ** (bucket / 2);

/** The sum that counts a duration, one of a histogram that merges by addition. */
export function durationBucketKey(ms: number): string {
  const bucket = Math.ceil(2 * Math.log2(Math.max(ms, 1) / FIRST_BUCKET_MS));
  return `ms${Math.min(BUCKETS, Math.max(0, bucket))}`;
}

/** A percentile of the durations that were counted, to within a bucket; undefined without any. */
export function durationPercentile(sums: Sums, share: number): number | undefined {
  const counts = Array.from({ length: BUCKETS + 1 }, (_, bucket) => sums[`ms${bucket}`] ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let passed = 0;
  const found = counts.findIndex((count) => (passed += count) >= share * total);
  return bucketEndMs(found);
}

const REJECTED = "rejected_";

/** The sum that counts the cards that a gate rejected. */
export const rejectedSumKey = (gate: string): string => `${REJECTED}${gate}`;

/** The gates and counts of such sums. */
export const readRejected = (sums: Sums): { gate: string; count: number }[] =>
  Object.entries(sums)
    .filter(([name, count]) => name.startsWith(REJECTED) && count > 0)
    .map(([name, count]) => ({ gate: name.slice(REJECTED.length), count }));

/** The two forecasts of each review: the one that scheduled the student, and that of the default weights. */
export const PREDICTORS = ["scheduler", "defaults"] as const;
export type Predictor = (typeof PREDICTORS)[number];

const FORECAST_BINS = 10;
const forecastPrefix: Readonly<Record<Predictor, string>> = { scheduler: "", defaults: "default_" };

/** The sums that count forecasts and their results, by tenths of the forecast. */
export function forecastSums(predictor: Predictor, tests: readonly CalibrationSum[]): Sums {
  const prefix = forecastPrefix[predictor];
  return Object.fromEntries(
    tests.flatMap(({ bin, count, predicted, right, loss }) => [
      [`${prefix}tests${bin}`, count],
      [`${prefix}predicted${bin}`, predicted],
      [`${prefix}right${bin}`, right],
      [`${prefix}loss${bin}`, loss],
    ]),
  );
}

/** The calibration sums that `forecastSums` wrote. */
export function readForecastSums(predictor: Predictor, sums: Sums): CalibrationSum[] {
  const get = (name: string, bin: number) => sums[`${forecastPrefix[predictor]}${name}${bin}`] ?? 0;
  return Array.from({ length: FORECAST_BINS }, (_, bin) => ({
    bin,
    count: get("tests", bin),
    predicted: get("predicted", bin),
    right: get("right", bin),
    loss: get("loss", bin),
  }));
}

const DAY_MS = 86_400_000;

/** The Monday of a UTC day's week. */
export function weekOf(day: string): string {
  const at = Date.parse(day);
  return new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}
