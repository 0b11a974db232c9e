import { fromWallClock, wallClock } from "#shared/study/day.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Blocks are planned this far ahead. */
export const BLOCK_DAYS = 14;
const STEP_MINUTES = 5;
const MIN_MINUTES = 10;
/** Of due cards alone; an exam plan may ask for more. */
const MAX_MINUTES = 60;
const MAX_EXAM_MINUTES = 180;

export interface StudyBlock {
  /** The student's local day, as YYYY-MM-DD. */
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
 * with nothing to do, nor today once that hour has started.
 */
export function planStudyBlocks(forecast: Forecast, studyAt: string, now: number): StudyBlock[] {
  const { timezone, load, secondsPerCard, exams } = forecast;
  const wall = wallClock(now, timezone);
  const firstDay = wall - (wall % DAY_MS);
  return Array.from({ length: BLOCK_DAYS }, (_, at) => {
    const dayStart = firstDay + at * DAY_MS;
    const startAt = fromWallClock(dayStart + minutesOf(studyAt) * MINUTE_MS, timezone);
    const cards = load[at] ?? 0;
    const examMinutes = Math.min(
      MAX_EXAM_MINUTES,
      exams.filter(({ examAt }) => examAt > startAt).reduce((sum, { minutesPerDay }) => sum + minutesPerDay, 0),
    );
    const minutes = Math.max(minutesForCards(cards, secondsPerCard), roundUp(examMinutes));
    return {
      day: new Date(dayStart).toISOString().slice(0, 10),
      startAt,
      endAt: startAt + minutes * MINUTE_MS,
      cards,
      examMinutes,
    };
  }).filter(({ startAt, endAt }) => endAt > startAt && startAt > now);
}

const roundUp = (minutes: number) => Math.ceil(minutes / STEP_MINUTES) * STEP_MINUTES;

function minutesForCards(cards: number, secondsPerCard: number): number {
  if (cards === 0) return 0;
  return Math.min(MAX_MINUTES, Math.max(MIN_MINUTES, roundUp((cards * secondsPerCard) / 60)));
}

const SLOT_MS = 15 * MINUTE_MS;
/** A busy student's block is looked for within this time after the wished hour. */
const WINDOW_MS = 4 * 60 * MINUTE_MS;

/** Moves each block to the first free time after its wished hour; without any it stays there. */
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
