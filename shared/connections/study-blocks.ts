import { fromWallClock, STUDY_DAY_STARTS_AT_HOUR, studyDayStartsAt, wallClock } from "#shared/study/day.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Blocks are planned this far ahead. */
export const BLOCK_DAYS = 14;
const STEP_MINUTES = 5;
const MIN_MINUTES = 10;
/** The limit for due cards alone; an exam plan may ask for more. */
const MAX_MINUTES = 60;
const MAX_EXAM_MINUTES = 180;

export interface StudyBlock {
  /** The student's local day at its start, as YYYY-MM-DD. */
  day: string;
  startAt: number;
  endAt: number;
  /** Cards due that day. */
  cards: number;
  /** Minutes that exam plans set aside; 0 without one. */
  examMinutes: number;
}

interface Forecast {
  timezone: string;
  /** Due cards of each study day, today first. */
  load: readonly number[];
  secondsPerCard: number;
  exams: readonly { examAt: number; minutesPerDay: number }[];
}

/** The student's time of day, HH:MM, in minutes. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/**
 * One block a day at the student's preferred hour, as long as the due cards and exam plans need. There is none on a day
 * with nothing to do, nor today once that hour has started: what is still due then is added to the next block.
 */
export function planStudyBlocks(forecast: Forecast, studyAt: string, now: number): StudyBlock[] {
  const { timezone, load } = forecast;
  const today = wallClock(studyDayStartsAt(now, timezone), timezone) - STUDY_DAY_STARTS_AT_HOUR * HOUR_MS;
  const afterMidnight = minutesOf(studyAt) * MINUTE_MS;
  // The small hours belong to the evening before.
  const offset = afterMidnight < STUDY_DAY_STARTS_AT_HOUR * HOUR_MS ? afterMidnight + DAY_MS : afterMidnight;
  const starts = Array.from({ length: BLOCK_DAYS }, (_, at) => today + at * DAY_MS + offset);
  let missed = 0;
  return starts.flatMap((wall, at) => {
    const cards = (load[at] ?? 0) + missed;
    const startAt = fromWallClock(wall, timezone);
    missed = startAt > now ? 0 : cards;
    if (startAt <= now) return [];
    const block = blockOf(forecast, cards, startAt);
    const day = new Date(wall).toISOString().slice(0, 10);
    return block.endAt > startAt ? [{ day, ...block }] : [];
  });
}

function blockOf({ exams, secondsPerCard }: Forecast, cards: number, startAt: number): Omit<StudyBlock, "day"> {
  const examMinutes = Math.min(
    MAX_EXAM_MINUTES,
    exams.filter(({ examAt }) => examAt > startAt).reduce((sum, { minutesPerDay }) => sum + minutesPerDay, 0),
  );
  const minutes = Math.max(minutesForCards(cards, secondsPerCard), roundUp(examMinutes));
  return { startAt, endAt: startAt + minutes * MINUTE_MS, cards, examMinutes };
}

const roundUp = (minutes: number) => Math.ceil(minutes / STEP_MINUTES) * STEP_MINUTES;

function minutesForCards(cards: number, secondsPerCard: number): number {
  if (cards === 0) return 0;
  return Math.min(MAX_MINUTES, Math.max(MIN_MINUTES, roundUp((cards * secondsPerCard) / 60)));
}

const SLOT_MS = 15 * MINUTE_MS;
/** A busy student's block is placed within this time after the preferred hour. */
const WINDOW_MS = 4 * HOUR_MS;

/** Moves each block to the first free time after its preferred hour; if there is none, it stays at that hour. */
export function placeBlocks(
  blocks: readonly StudyBlock[],
  busy: readonly { startAt: number; endAt: number }[],
): StudyBlock[] {
  return blocks.map((block) => {
    const lengthMs = block.endAt - block.startAt;
    for (let startAt = block.startAt; startAt + lengthMs <= block.startAt + WINDOW_MS; startAt += SLOT_MS) {
      const endAt = startAt + lengthMs;
      if (!busy.some((taken) => taken.startAt < endAt && taken.endAt > startAt)) return { ...block, startAt, endAt };
    }
    return block;
  });
}
