import { retrievability, type StudyParams } from "#shared/study/rules.ts";
import type { Schedule } from "#shared/study/schema.ts";
import { recordFigure, findFigureRecord } from "#api/store/figures/figure-store.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import type { Own } from "#api/store/owned-store.ts";

const DAY_MS = 86_400_000;
/** The readiness of a deck is counted while its exam is at most this far away. */
const LAST_DAYS_MS = 3 * DAY_MS;

const dims = { version: programVersion };

interface Leech {
  leechAt: number | undefined;
  /** When a review of the card was undone; that review may have made the card a leech. */
  undoneAt: number | undefined;
  sourceVersion: number;
}

/** Counts a card once, on the day on which it became a leech. If an undo changed that, removes the count. */
export async function countLeech(own: Own, cardId: string, { leechAt, undoneAt, sourceVersion }: Leech): Promise<void> {
  const id = `leech:${cardId}`;
  if (leechAt !== undefined) {
    await recordFigure(own, { figure: "study", id, at: leechAt, dims, sums: { leeches: 1 }, sourceVersion });
    return;
  }
  const isCounted = undoneAt !== undefined && (await findFigureRecord(own, "study", id)) !== undefined;
  if (isCounted) await recordFigure(own, { figure: "study", id, at: undoneAt, dims, sums: {}, sourceVersion });
}

interface Exam {
  componentId: string;
  examAt: number;
  schedules: readonly Schedule[];
  params: StudyParams;
  now: number;
}

/** Counts the share of a deck's studied cards that will be recalled at its exam, as of the last study before it. */
export async function countReadiness(own: Own, { componentId, examAt, schedules, params, now }: Exam): Promise<void> {
  const recalled = schedules.reduce((sum, schedule) => sum + retrievability(schedule, examAt, params), 0);
  const sums = { exams: 1, cards: schedules.length, recalled };
  await recordFigure(own, { figure: "exams", id: `${componentId}:${examAt}`, at: now, dims, sums, sourceVersion: now });
}

export const isExamNear = (examAt: number | null, now: number): examAt is number =>
  examAt !== null && examAt > now && examAt - now <= LAST_DAYS_MS;
