import { forecastSums } from "#shared/admin/figures.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { type DaySum, sumDay } from "#shared/study/statistics.ts";
import { recordStep } from "#api/store/figures/activity.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { readPeriod } from "./store.ts";

/** Totals of one deck's reviews on one UTC day. */
interface DaySumDoc extends OwnedDoc, DaySum {
  period: string;
  componentId: string;
  /** Number of reviews known when this was computed; it only grows, so stale writes lose. */
  reviewsCounted: number;
}

const sums: CollectionSpec<DaySumDoc> = {
  name: "study_days",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId", "period"] }, { fields: ["ownerId", "period"] }],
};

const daySumKey = (own: Own, period: string, componentId: string) =>
  `${own.ownerId}:${period}:${encodeURIComponent(componentId)}`;

/** Removes a deck's totals for a day, to recompute them after reviews moved to another deck. */
export async function removeDaySum(own: Own, period: string, componentId: string): Promise<void> {
  await own.in(sums).remove({ _id: daySumKey(own, period, componentId) });
}

/** Recomputes the totals of a day; of concurrent writes, the write that knows the most reviews wins. */
export async function recomputeDaySums(own: Own, period: string): Promise<void> {
  const docs = await readPeriod(own, period);
  await countStudy(own, period, docs);
  const decks = groupBy(docs, ({ componentId }) => componentId);
  await Promise.all(
    [...decks].map(async ([componentId, reviews]) => {
      const undone = reviews.filter(({ undoneAt }) => (undoneAt ?? null) !== null).length;
      const set = {
        ...sumDay(reviews.filter(({ undoneAt }) => (undoneAt ?? null) === null)),
        reviewsCounted: reviews.length + undone,
      };
      const _id = daySumKey(own, period, componentId);
      if ((await own.in(sums).insert({ _id, period, componentId, ...set })) === "inserted") return;
      await own.in(sums).patch({ _id, reviewsCounted: { lte: set.reviewsCounted } }, { set });
    }),
  );
}

/**
 * Counts an account's answers on a day, without imported answers, and the predictions that they test. For answers from
 * before the prediction of the default weights was stored, that prediction is unknown.
 */
async function countStudy(own: Own, period: string, docs: Awaited<ReturnType<typeof readPeriod>>) {
  const undone = docs.filter(({ undoneAt }) => (undoneAt ?? null) !== null).length;
  const answers = docs.filter(({ undoneAt, mode }) => (undoneAt ?? null) === null && mode !== "import");
  const byDefaults = answers.map(({ predictedByDefaults, ...answer }) => ({
    ...answer,
    predicted: predictedByDefaults,
  }));
  const counts = {
    reviews: answers.length,
    ...forecastSums("scheduler", sumDay(answers).tests),
    ...forecastSums("defaults", sumDay(byDefaults).tests),
  };
  const sourceVersion = docs.length + undone;
  const dims = { version: programVersion };
  await recordFigure(own, { figure: "study", id: period, at: Date.parse(period), dims, sums: counts, sourceVersion });
  if (answers.length > 0) await recordStep(own, "review");
}

/** Daily totals since a UTC day, for one deck or all. */
export function listDaySums(own: Own, since: string, componentId?: string): Promise<DaySumDoc[]> {
  return own.in(sums).find({ period: { gte: since }, ...(componentId === undefined ? {} : { componentId }) });
}

export const hasDaySums = async (own: Own): Promise<boolean> => (await own.in(sums).find({}, { limit: 1 })).length > 0;
