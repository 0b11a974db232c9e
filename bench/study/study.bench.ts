import { performance } from "node:perf_hooks";
import { createEmptyCard, fsrs } from "ts-fsrs";
import { replay } from "#shared/study/rules.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import { answerCard, dueQueue, startStudySession, type Session, type StudyDay } from "#shared/study/session.ts";
import { type Bench, median, type Row } from "../row.ts";

const CARDS = 50_000;
const ROUNDS = 5;
const ANSWERS = 1000;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);
const day: StudyDay = { now: NOW, startsAt: NOW - DAY_MS / 3, endsAt: NOW + DAY_MS / 2 };

export const bench: Bench = {
  name: "study",
  run() {
    const ids = Array.from({ length: CARDS }, (_, at) => `card-${at}`);
    const schedules = new Map(ids.flatMap((id, at) => (at % 10 === 0 ? [] : [[id, buildSchedule(id, at)] as const])));
    return Promise.resolve([measureQueue(ids, schedules), measureAnswers(ids, schedules), measureReplay()]);
  },
};

/** Cards of every age, most of them overdue, like a deck after a holiday. */
function buildSchedule(cardId: string, at: number): Schedule {
  const firstAt = NOW - (20 + (at % 60)) * DAY_MS;
  const grades: readonly Grade[] = at % 7 === 0 ? [3, 3, 1] : [4, 3];
  const reviews = grades.map((grade, index) => ({
    _id: `${cardId}-${index}`,
    cardId,
    componentId: "deck",
    grade,
    reviewedAt: firstAt + index * 4 * DAY_MS,
  }));
  const schedule = replay(reviews);
  if (!schedule) throw new Error("every card must have reviews");
  return schedule;
}

function timeMs(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function measureQueue(ids: readonly string[], schedules: ReadonlyMap<string, Schedule>): Row {
  const times = Array.from({ length: ROUNDS }, () => timeMs(() => dueQueue(ids, schedules, day, { newLimit: 20 })));
  return { what: "due queue over 50,000 cards", value: median(times), unit: "ms", goal: "<= 500" };
}

function measureAnswers(ids: readonly string[], schedules: ReadonlyMap<string, Schedule>): Row {
  const counted = new Set<string>();
  const start = { cardIds: ids, schedules, day, choice: "all" as const, mayStudy: Number.POSITIVE_INFINITY, counted };
  let session: Session = startStudySession(start);
  const times: number[] = [];
  for (let at = 0; at < ANSWERS && session.current !== null; at += 1) {
    const answer = { reviewId: `review-${at}`, componentId: "deck", grade: 3 as const, now: NOW, durationMs: 1000 };
    const schedule = schedules.get(session.current);
    const before = session;
    times.push(
      timeMs(() => {
        session = answerCard(before, { ...answer, schedule })?.session ?? before;
      }),
    );
  }
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return { what: "grade to next card, 99th percentile", value: slowest, unit: "ms", goal: "<= 16" };
}

/** Replays a card's whole history; the baseline is ts-fsrs alone with the same reviews. */
function measureReplay(): Row {
  const scheduler = fsrs({ request_retention: 0.9, enable_fuzz: false });
  const histories = Array.from({ length: 2000 }, (_, card) =>
    Array.from({ length: 20 }, (__, at) => ({
      _id: `${card}-${at}`,
      cardId: `card-${card}`,
      componentId: "deck",
      grade: (((card + at) % 4) + 1) as Grade,
      reviewedAt: NOW + at * 3 * DAY_MS,
    })),
  );
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(timeMs(() => histories.forEach((history) => replay(history))));
    bare.push(
      timeMs(() =>
        histories.forEach((history) => {
          let card = createEmptyCard(new Date(NOW));
          for (const { reviewedAt, grade } of history) card = scheduler.next(card, new Date(reviewedAt), grade).card;
        }),
      ),
    );
  }
  const perSecond = (times: readonly number[]) => (histories.length * 20 * 1000) / median(times);
  const [value, reference] = [perSecond(ours), perSecond(bare)];
  const ratio = value / reference;
  return { what: "reviews replayed, against ts-fsrs alone", value, unit: "/s", reference, ratio, goal: "ratio >= 0.8" };
}
