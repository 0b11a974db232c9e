import { type CalibrationBin, type Calibration, calibrationFromSums } from "#shared/study/statistics.ts";
import {
  durationPercentile,
  type FigureEntry,
  type FigureName,
  type Predictor,
  mergeEntries,
  readForecastSums,
  readRejected,
  type Sums,
  totalOf,
} from "./figures.ts";

interface Week {
  week: string;
  figures: Partial<Record<FigureName, FigureEntry[]>>;
}

/** Which entries count; undefined means all. */
export interface DimsFilter {
  model?: string | undefined;
  version?: string | undefined;
  /** Kind of source that cards were made from. */
  source?: string | undefined;
}

const matches = ({ dims }: FigureEntry, filter: DimsFilter) =>
  (["model", "version", "source"] as const).every((dim) => filter[dim] === undefined || dims[dim] === filter[dim]);

/** The sums of a figure in a week, of the chosen model and version. */
export const sumsOf = (week: Week, figure: FigureName, filter: DimsFilter = {}): Sums =>
  totalOf((week.figures[figure] ?? []).filter((entry) => matches(entry, filter)));

const get = (sums: Sums, name: string) => sums[name] ?? 0;
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The share of generated cards that were neither edited nor removed. */
const shareUnchanged = (sums: Sums): number | null =>
  share(get(sums, "made") - get(sums, "edited") - get(sums, "removed"), get(sums, "made"));

/** A value per week; null in weeks in which nothing was counted. */
export type Metric = (week: Week, filter: DimsFilter, now: number) => number | null;

const DAY_MS = 86_400_000;
/** A card counts as kept if it is as it was made after this long. */
const UNCHANGED_MS = 14 * DAY_MS;
const isOver = ({ week }: Week, now: number) => Date.parse(week) + 7 * DAY_MS + UNCHANGED_MS <= now;

/** What the quality board shows: each is a share, an average, or milliseconds. */
export const metrics = {
  citationsVerified(week, filter) {
    const sums = sumsOf(week, "answers", filter);
    return share(get(sums, "verified"), get(sums, "verified") + get(sums, "dropped"));
  },
  coverage(week, filter) {
    const sums = sumsOf(week, "answers", filter);
    return share(get(sums, "covered"), get(sums, "answers"));
  },
  notInSources(week, filter) {
    const sums = sumsOf(week, "answers", filter);
    return share(get(sums, "notInSources"), get(sums, "answers"));
  },
  /** Null until every card of the week is 14 days old. */
  cardsUnchanged(week, filter, now) {
    return isOver(week, now) ? shareUnchanged(sumsOf(week, "made_cards", filter)) : null;
  },
  editDistance(week, filter) {
    const sums = sumsOf(week, "made_cards", filter);
    return share(get(sums, "editedChars"), get(sums, "edited"));
  },
  cardsSuspended(week, filter) {
    const sums = sumsOf(week, "made_cards", filter);
    return share(get(sums, "suspended"), get(sums, "made"));
  },
  /** Not by model: cards of every origin are studied alike. */
  leeches(week, { version }) {
    const sums = sumsOf(week, "study", { version });
    return share(get(sums, "leeches"), get(sums, "reviews"));
  },
  examReadiness(week, { version }) {
    const sums = sumsOf(week, "exams", { version });
    return share(get(sums, "recalled"), get(sums, "cards"));
  },
  firstCardMs: (week, filter) => durationPercentile(sumsOf(week, "generations", filter), 0.5) ?? null,
  generationsFailed(week, filter) {
    const sums = sumsOf(week, "generations", filter);
    return share(get(sums, "failed"), get(sums, "generations"));
  },
  thumbsUp(week, filter) {
    const sums = sumsOf(week, "ratings", filter);
    return share(get(sums, "up"), get(sums, "up") + get(sums, "down"));
  },
  completionsTaken(week, filter) {
    const sums = sumsOf(week, "completions", filter);
    return share(get(sums, "takenWords"), get(sums, "offeredWords"));
  },
  sitesGoodAtFirst(week, filter) {
    const sums = sumsOf(week, "sites", filter);
    return share(get(sums, "goodAtFirst"), get(sums, "builds"));
  },
  siteRepairs(week, filter) {
    const sums = sumsOf(week, "sites", filter);
    return share(get(sums, "repairs"), get(sums, "builds"));
  },
  sitesRestored(week, filter) {
    const sums = sumsOf(week, "sites", filter);
    return share(get(sums, "restored"), get(sums, "builds"));
  },
  /** Not by model: a plan's counters know none. */
  refunds(week, { version }) {
    const sums = sumsOf(week, "usage", { version });
    const counted = ["assistantMessages", "researchMessages", "podcastCreations", "fileUploads"];
    const add = (of: (name: string) => number) => counted.reduce((sum, name) => sum + of(name), 0);
    return share(
      add((name) => get(sums, `${name}Refunded`)),
      add((name) => get(sums, name)),
    );
  },
  /** Not by model: a scheduler needs none. */
  logLoss(week, { version }) {
    const { count, logLoss } = calibrationOf([week], "scheduler", version);
    return count === 0 ? null : logLoss;
  },
} as const satisfies Record<string, Metric>;
export type MetricName = keyof typeof metrics;

interface SourceQuality {
  /** Kind of source. */
  source: string;
  generations: number;
  cards: number;
  rejected: number;
  /** Share of the cards that are 14 days old and as they were made; null without any. */
  unchanged: number | null;
}

const sumWeeks = (weeks: readonly Week[], figure: FigureName, filter: DimsFilter) =>
  totalOf(weeks.map((week) => ({ dims: {}, sums: sumsOf(week, figure, filter) })));

/** How well cards are made from each kind of source. */
export function qualityBySource(weeks: readonly Week[], now: number): SourceQuality[] {
  const over = weeks.filter((week) => isOver(week, now));
  return dimensionValues(weeks, "source").map((source) => {
    const sums = sumWeeks(weeks, "generations", { source });
    const made = sumWeeks(over, "made_cards", { source });
    return {
      source,
      generations: get(sums, "generations"),
      cards: get(sums, "cards"),
      rejected: readRejected(sums).reduce((sum, { count }) => sum + count, 0),
      unchanged: shareUnchanged(made),
    };
  });
}

/** How often each gate rejected a card. */
export const rejectedByGate = (week: Week, filter: DimsFilter): ReadonlyMap<string, number> =>
  new Map(readRejected(sumsOf(week, "generations", filter)).map(({ gate, count }) => [gate, count]));

interface RatingGroup {
  kind: string;
  model: string;
  version: string;
  up: number;
  down: number;
}

/** Thumbs by what was rated, model and version; the most frequent first. */
export function ratingsByGroup(weeks: readonly Week[]): RatingGroup[] {
  return mergeEntries(weeks.flatMap(({ figures }) => figures.ratings ?? []))
    .map(({ dims, sums }) => ({
      kind: dims["kind"] ?? "",
      model: dims["model"] ?? "",
      version: dims["version"] ?? "",
      up: get(sums, "up"),
      down: get(sums, "down"),
    }))
    .filter(({ up, down }) => up + down > 0)
    .toSorted((a, b) => b.up + b.down - a.up - a.down);
}

/** Calibration of a scheduler over all accounts, from the forecasts that reviews tested. */
function calibrationOf(weeks: readonly Week[], predictor: Predictor, version?: string): Calibration {
  const sums = totalOf(weeks.map((week) => ({ dims: {}, sums: sumsOf(week, "study", { version }) })));
  return calibrationFromSums(readForecastSums(predictor, sums));
}

/** The scheduler and its default weights on the same reviews; without the latter where they were not counted. */
interface ComparedForecasts {
  scheduler: Calibration;
  defaults: Calibration | null;
}

export function compareForecasts(weeks: readonly Week[], version?: string): ComparedForecasts {
  const countOf = (week: Week, predictor: Predictor) => calibrationOf([week], predictor, version).count;
  const compared = weeks.filter((week) => {
    const count = countOf(week, "defaults");
    return count > 0 && count === countOf(week, "scheduler");
  });
  if (compared.length === 0) return { scheduler: calibrationOf(weeks, "scheduler", version), defaults: null };
  return {
    scheduler: calibrationOf(compared, "scheduler", version),
    defaults: calibrationOf(compared, "defaults", version),
  };
}

const lossPart = (probability: number) => (probability === 0 ? 0 : -probability * Math.log(probability));

/** Log loss of a forecast that always names the average. */
export const averageLogLoss = (actual: number): number => lossPart(actual) + lossPart(1 - actual);

/** Root mean square of the distances between forecast and result, each bin by its reviews. */
export function binError(bins: readonly CalibrationBin[]): number {
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  const squares = bins.reduce((sum, bin) => sum + bin.count * (bin.predicted - bin.actual) ** 2, 0);
  return count === 0 ? 0 : Math.sqrt(squares / count);
}

/** The values of a group that occur in any week, sorted. */
export function dimensionValues(weeks: readonly Week[], dim: string): string[] {
  const found = weeks.flatMap(({ figures }) =>
    Object.values(figures).flatMap((entries) => entries.map(({ dims }) => dims[dim] ?? "")),
  );
  return [...new Set(found.filter((value) => value !== ""))].toSorted();
}

export interface Cohort {
  /** The Monday of the week in which its accounts were created. */
  cohort: string;
  /** Active accounts by weeks since then. */
  active: readonly number[];
}

const WEEK_MS = 7 * 86_400_000;

/** Which share of the accounts of each week still comes, week by week. */
export function toCohorts(weeks: readonly Week[]): Cohort[] {
  const counts = new Map<string, Map<number, number>>();
  const shown = new Set(weeks.map(({ week }) => week));
  for (const { week, figures } of weeks)
    for (const { dims, sums } of figures.active_week ?? []) {
      const { cohort = "" } = dims;
      if (!shown.has(cohort)) continue;
      const age = Math.round((Date.parse(week) - Date.parse(cohort)) / WEEK_MS);
      const row = counts.get(cohort) ?? new Map<number, number>();
      row.set(age, (row.get(age) ?? 0) + get(sums, "accounts"));
      counts.set(cohort, row);
    }
  const last = weeks.at(-1)?.week ?? "";
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([cohort, row]) => {
      const ages = Math.round((Date.parse(last) - Date.parse(cohort)) / WEEK_MS) + 1;
      return { cohort, active: Array.from({ length: ages }, (_, age) => row.get(age) ?? 0) };
    });
}

const STEPS = ["source", "card", "review", "answer"] as const;

interface FunnelCount {
  step: "signup" | (typeof STEPS)[number];
  accounts: number;
}

/** Accounts created in these weeks, and how many of them took each step. */
export function toFunnel(weeks: readonly Week[]): FunnelCount[] {
  const entries = (figure: FigureName) => weeks.flatMap(({ figures }) => figures[figure] ?? []);
  const countOf = (step: string) =>
    get(totalOf(entries("step").filter(({ dims }) => dims["step"] === step)), "accounts");
  return [
    { step: "signup", accounts: get(totalOf(entries("signup")), "accounts") },
    ...STEPS.map((step) => ({ step, accounts: countOf(step) })),
  ];
}
