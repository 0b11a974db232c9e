import { type FigureEntry, type FigureName, mergeEntries } from "#shared/admin/figures.ts";
import type { Clock } from "#api/clock.ts";
import type { CollectionSpec, Doc, DocumentStore } from "../port.ts";
import { closedBefore, figureRecords } from "./figure-store.ts";

/** One figure of one UTC day, of all accounts: the sum of its records. Names no account. */
export interface FigureDay extends Doc {
  day: string;
  figure: FigureName;
  rev: number;
  entries: FigureEntry[];
}

export const figureDays: CollectionSpec<FigureDay> = {
  name: "figure_days",
  shardKey: "_id",
  indexes: [{ fields: ["day"] }],
};

/** Changed records read at a time. */
const MAX_ENTRIES = 5000;

/**
 * Sums a day again and stores the sum. If another process stored a sum in between, the day is summed once more. The sum
 * is read after the revision, so a later revision never contains less.
 */
async function rollUpDay(store: DocumentStore, day: string, figure: FigureName): Promise<void> {
  const days = store.collection(figureDays);
  const _id = `${day}:${figure}`;
  for (;;) {
    const current = await days.get(_id);
    const found = await store.collection(figureRecords).find({ day, figure }, { fields: ["dims", "sums"] });
    const entries = mergeEntries(found);
    const isStored = current
      ? await days.patch({ _id, rev: current.rev }, { set: { entries }, increment: { rev: 1 } })
      : (await days.insert({ _id, day, figure, rev: 1, entries })) === "inserted";
    if (isStored) return;
  }
}

/** Updates the sums of days from the records, and erases the records of closed days. */
export async function rollUpFigures({ store, clock }: { store: DocumentStore; clock: Clock }): Promise<void> {
  const records = store.collection(figureRecords);
  const closed = closedBefore(clock.now());
  await records.remove({ day: { lt: closed } });
  for (;;) {
    const written = await records.find({ isDirty: true }, { fields: ["day", "figure", "rev"], limit: MAX_ENTRIES });
    const days = new Map(written.map(({ day, figure }) => [`${day}:${figure}`, { day, figure }]));
    for (const { day, figure } of days.values()) await rollUpDay(store, day, figure);
    // In parallel, because each commit costs a sync of the disk.
    await Promise.all(written.map(({ _id, rev }) => records.patch({ _id, rev }, { set: { isDirty: false } })));
    if (written.length < MAX_ENTRIES) return;
  }
}

/** The days from one to another, both included, as of the last update. */
export const listFigureDays = (store: DocumentStore, from: string, to: string): Promise<FigureDay[]> =>
  store.collection(figureDays).find({ day: { gte: from, lte: to } }, { order: [["day", "asc"]] });
