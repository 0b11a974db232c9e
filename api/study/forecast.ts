import { studyDayStartsAt, USUAL_SECONDS } from "#shared/study/day.ts";
import type { DaySum } from "#shared/study/statistics.ts";
import { utcDay } from "#shared/user/days.ts";
import type { Own } from "#api/store/owned-store.ts";
import { listDeckHeads } from "#api/pages/overview.ts";
import { getTimezone } from "#api/user/service.ts";
import { listDaySums } from "./day-sums.ts";
import { readDeckSettings } from "./decks.ts";
import { listDueDates } from "./store.ts";

const DAY_MS = 86_400_000;
/** How far ahead the load per day is balanced. */
const LOAD_DAYS = 120;
/** The pace is averaged over the last four weeks. */
export const PACE_MS = 28 * DAY_MS;

export function averageSeconds(sums: readonly Pick<DaySum, "timed" | "timedMs">[]): number {
  const timed = sums.reduce((sum, day) => sum + day.timed, 0);
  return timed === 0 ? USUAL_SECONDS : sums.reduce((sum, day) => sum + day.timedMs, 0) / timed / 1000;
}

/** Cards of these decks due on each study day, today first; overdue cards count for today. */
export async function readLoad(own: Own, startsAt: number, decks: readonly { _id: string }[]): Promise<number[]> {
  const studied = new Set(decks.map(({ _id }) => _id));
  const only = decks.length === 1 ? decks[0]?._id : undefined;
  const due = await listDueDates(own, startsAt + LOAD_DAYS * DAY_MS, only);
  const load = Array.from({ length: LOAD_DAYS }, () => 0);
  for (const { componentId: deck, dueAt } of due) {
    if (!studied.has(deck)) continue;
    const day = Math.max(0, Math.floor((dueAt - startsAt) / DAY_MS));
    load[day] = (load[day] ?? 0) + 1;
  }
  return load;
}

/** The study load of the coming days: due cards, and the minutes that exam plans reserve. */
export async function forecastStudy(own: Own, now: number) {
  const timezone = await getTimezone(own);
  const heads = await listDeckHeads(own);
  const [load, sums] = await Promise.all([
    readLoad(own, studyDayStartsAt(now, timezone), heads),
    listDaySums(own, utcDay(now - PACE_MS)),
  ]);
  const settings = await Promise.all(heads.map(async ({ _id }) => ({ _id, ...(await readDeckSettings(own, _id)) })));
  // Decks of one exam share its minutes.
  const exams = new Map(
    settings.flatMap(({ _id, examAt, minutesPerDay, examId }) =>
      examAt !== null && minutesPerDay !== null && examAt > now
        ? [[examId ?? _id, { examAt, minutesPerDay }] as const]
        : [],
    ),
  );
  return { timezone, load, secondsPerCard: averageSeconds(sums), exams: [...exams.values()] };
}
