import type { DocumentStore } from "../port.ts";
import { type FigureDay, listFigureDays } from "./roll-up.ts";
import { closedBefore, dayOf } from "./figure-store.ts";

interface ClosedDays {
  /** The first day that was read, and the first day that was not closed. */
  from: string;
  before: string;
  days: Promise<FigureDay[]>;
}

/** One entry per store, with sums of days and no data of accounts. */
const cache = new WeakMap<DocumentStore, ClosedDays>();

const dayBefore = (day: string) => dayOf(Date.parse(day) - 1);

/** Days that are closed never change, so they are read once a day, or again if earlier ones are needed. */
function readClosedDays(store: DocumentStore, from: string, before: string): Promise<FigureDay[]> {
  const cached = cache.get(store);
  if (cached?.before === before && cached.from <= from) return cached.days;
  const days = listFigureDays(store, from, dayBefore(before));
  const read = { from, before, days };
  cache.set(store, read);
  days.catch(() => {
    if (cache.get(store) === read) cache.delete(store);
  });
  return days;
}

/** The days from `from` to today, as of the last update. */
export async function listDaysUntilNow(store: DocumentStore, from: string, now: number): Promise<FigureDay[]> {
  const closed = closedBefore(now);
  const [closedDays, openDays] = await Promise.all([
    from < closed ? readClosedDays(store, from, closed) : [],
    listFigureDays(store, from < closed ? closed : from, dayOf(now)),
  ]);
  return [...closedDays.filter(({ day }) => day >= from), ...openDays];
}
