import { groupBy } from "#shared/pages/rules.ts";
import { type DaySum, sumDay } from "#shared/study/statistics.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { readPeriod } from "./store.ts";

/** What one deck's answers of one UTC day come to. */
interface DaySumDoc extends OwnedDoc, DaySum {
  period: string;
  componentId: string;
  /** How much was known of the day's reviews when this was derived: it only grows. */
  reviewsKnown: number;
}

const sums: CollectionSpec<DaySumDoc> = {
  name: "study_days",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId", "period"] }, { fields: ["ownerId", "period"] }],
};

const keyOf = (own: Own, period: string, componentId: string) =>
  `${own.ownerId}:${period}:${encodeURIComponent(componentId)}`;

/** What a deck's day came to is derived anew: some of its answers are another deck's now. */
export async function forgetSum(own: Own, period: string, componentId: string): Promise<void> {
  await own.in(sums).remove({ _id: keyOf(own, period, componentId) });
}

/** Derives the sums of a day from its reviews; of several writes at once the one that knows most stays. */
export async function sumPeriod(own: Own, period: string): Promise<void> {
  const docs = await readPeriod(own, period);
  const decks = groupBy(docs, ({ componentId }) => componentId);
  await Promise.all(
    [...decks].map(async ([componentId, all]) => {
      const undone = all.filter(({ undoneAt }) => (undoneAt ?? null) !== null).length;
      const set = {
        ...sumDay(all.filter(({ undoneAt }) => (undoneAt ?? null) === null)),
        reviewsKnown: all.length + undone,
      };
      const _id = keyOf(own, period, componentId);
      if ((await own.in(sums).insert({ _id, period, componentId, ...set })) === "inserted") return;
      await own.in(sums).patch({ _id, reviewsKnown: { lte: set.reviewsKnown } }, { set });
    }),
  );
}

/** The sums of every day since a UTC day, of one deck or of all. */
export function listDaySums(own: Own, since: string, componentId?: string): Promise<DaySumDoc[]> {
  return own.in(sums).find({ period: { gte: since }, ...(componentId === undefined ? {} : { componentId }) });
}

export const hasDaySums = async (own: Own): Promise<boolean> => (await own.in(sums).find({}, { limit: 1 })).length > 0;
