import * as fc from "fast-check";
import { createEmptyCard, fsrs, get_fuzz_range } from "ts-fsrs";
import { expect, test } from "vitest";
import {
  advance,
  intervalRange,
  isDue,
  isHard,
  mergeReviews,
  previewGrades,
  replay,
  retrievability,
  reviewTime,
  withInterval,
} from "#shared/study/rules.ts";
import { Schedule, type Grade, type Review } from "#shared/study/schema.ts";

const START = Date.UTC(2026, 0, 1, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const grade = fc.constantFrom<Grade>(1, 2, 3, 4);
const reviewsOfOneCard = fc
  .array(
    fc.record({
      grade,
      afterMs: fc.oneof(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: 0, max: 90 * DAY_MS })),
    }),
    {
      maxLength: 25,
    },
  )
  .map((steps) => {
    let at = START;
    return steps.map(({ grade: given, afterMs }, index): Review => {
      at += afterMs;
      return aReview({ _id: `review-${String(index).padStart(6, "0")}`, grade: given, reviewedAt: at });
    });
  });

function aReview(parts: Partial<Review>): Review {
  const filled = { _id: "review-000000", cardId: "card", componentId: "deck", grade: 3 as const, reviewedAt: START };
  return { ...filled, durationMs: 0, mode: "study", ...parts };
}

test("a schedule equals ts-fsrs's own result for the same reviews, bit for bit", () => {
  const scheduler = fsrs({ request_retention: 0.9, enable_fuzz: false });
  fc.assert(
    fc.property(reviewsOfOneCard, (reviews) => {
      let card = createEmptyCard(new Date(START));
      for (const review of reviews) card = scheduler.next(card, new Date(review.reviewedAt), review.grade).card;
      const schedule = replay(reviews);
      if (reviews.length === 0) expect(schedule).toBeUndefined();
      else
        expect(schedule).toMatchObject({
          stability: card.stability,
          difficulty: card.difficulty,
          reps: card.reps,
          lapses: card.lapses,
          scheduledDays: card.scheduled_days,
          learningStep: card.learning_steps,
        });
    }),
  );
});

const elapsed = (from: number, to: number) => Math.max(0, Math.floor((to - from) / DAY_MS));

test("a due date is the scheduler's own, or within its fuzz range", () => {
  const scheduler = fsrs({ request_retention: 0.9, enable_fuzz: false });
  fc.assert(
    fc.property(reviewsOfOneCard, (reviews) => {
      let card = createEmptyCard(new Date(START));
      let before = START;
      for (const [at, review] of reviews.entries()) {
        const from = before;
        before = review.reviewedAt;
        card = scheduler.next(card, new Date(review.reviewedAt), review.grade).card;
        const dueAt = replay(reviews.slice(0, at + 1))?.dueAt ?? 0;
        if (card.scheduled_days < 2.5) {
          expect(dueAt).toBe(card.due.getTime());
          continue;
        }
        const range = get_fuzz_range(card.scheduled_days, at === 0 ? 0 : elapsed(from, before), 36_500);
        const days = (dueAt - before) / DAY_MS;
        expect(days).toBeGreaterThanOrEqual(Math.min(range.min_ivl, range.max_ivl));
        expect(days).toBeLessThanOrEqual(range.max_ivl);
      }
    }),
  );
});

test("a device may choose a due day only within the fuzz range", () => {
  const first = aReview({ grade: 4 });
  const before = replay([first]);
  if (!before) throw new Error("it was reviewed");
  const second = aReview({ _id: "review-000001", grade: 3, reviewedAt: START + 8 * DAY_MS });
  const { min, max } = intervalRange(advance(before, second).scheduledDays, before, second.reviewedAt);
  expect(max).toBeGreaterThan(min + 1);
  for (const choose of [() => min, () => max]) {
    const chosen = withInterval(second, before, choose);
    expect(advance(before, chosen).dueAt).toBe(second.reviewedAt + choose() * DAY_MS);
  }
  const plain = advance(before, second).dueAt;
  expect(advance(before, { ...second, intervalDays: max + 1 }).dueAt).toBe(plain);
  expect(advance(before, { ...second, intervalDays: 1 }).dueAt).toBe(plain);
});

test("cards learnt together come back on different days", () => {
  const days = new Set<number>();
  for (let card = 0; card < 40; card += 1) {
    const reviews = [0, 8, 40].map((day, at) =>
      aReview({
        _id: `review-00000${at}`,
        cardId: `card-${card}`,
        grade: at === 0 ? 4 : 3,
        reviewedAt: START + day * DAY_MS,
      }),
    );
    days.add(replay(reviews)?.dueAt ?? 0);
  }
  expect(days.size).toBeGreaterThan(8);
});

test("a stored schedule continues exactly like one in memory", () => {
  fc.assert(
    fc.property(reviewsOfOneCard, (reviews) => {
      let stored: Schedule | undefined;
      for (const review of reviews) stored = Schedule.parse(JSON.parse(JSON.stringify(advance(stored, review))));
      expect(stored).toEqual(replay(reviews));
    }),
  );
});

test("reviews of two devices merge to one schedule in any order and with repeats", () => {
  fc.assert(
    fc.property(reviewsOfOneCard, fc.array(fc.nat({ max: 2 })), (reviews, sides) => {
      const phone = reviews.filter((_, index) => sides[index] !== 0);
      const laptop = reviews.filter((_, index) => sides[index] !== 1);
      const all = mergeReviews(reviews, []);
      const oneWay = mergeReviews(phone, laptop.toReversed());
      const otherWay = mergeReviews(laptop, mergeReviews(phone, laptop));
      expect(oneWay).toEqual(all);
      expect(otherWay).toEqual(all);
      expect(replay(oneWay.toReversed())).toEqual(replay(reviews));
    }),
  );
});

test("the interval shown on each grade is the one it gives", () => {
  fc.assert(
    fc.property(
      reviewsOfOneCard,
      fc.integer({ min: 0, max: 60 * DAY_MS }),
      fc.boolean(),
      (reviews, laterMs, isEven) => {
        const schedule = replay(reviews);
        const now = (reviews.at(-1)?.reviewedAt ?? START) + laterMs;
        const choose = isEven
          ? ({ min, max }: { min: number; max: number }) => Math.round((min + 2 * max) / 3)
          : undefined;
        for (const shown of previewGrades({ cardId: "card", componentId: "deck" }, { schedule, now, choose })) {
          const plain = aReview({ _id: "review-999999", grade: shown.grade, reviewedAt: now });
          const given = advance(schedule, withInterval(plain, schedule, choose));
          expect(given.dueAt).toBe(shown.dueAt);
        }
      },
    ),
  );
});

test("a better grade never shortens the interval", () => {
  fc.assert(
    fc.property(reviewsOfOneCard, fc.array(fc.nat({ max: 9 }), { minLength: 5 }), (reviews, load) => {
      const now = (reviews.at(-1)?.reviewedAt ?? START) + DAY_MS;
      const choose = ({ min, max }: { min: number; max: number }) => {
        const days = Array.from({ length: max - min + 1 }, (_, at) => min + at);
        return days.toSorted((a, b) => (load[a % load.length] ?? 0) - (load[b % load.length] ?? 0))[0];
      };
      const shown = previewGrades({ cardId: "card", componentId: "deck" }, { schedule: replay(reviews), now, choose });
      const due = shown.map((schedule) => schedule.dueAt);
      expect(due.toSorted((a, b) => a - b)).toEqual(due);
    }),
  );
});

test("a higher desired retention shortens intervals", () => {
  const reviews = [0, 1, 4].map((days, index) =>
    aReview({ _id: `review-00000${index}`, grade: 4, reviewedAt: START + days * DAY_MS }),
  );
  const at = (desiredRetention: number) => replay(reviews, { desiredRetention })?.dueAt ?? 0;
  expect(at(0.95)).toBeLessThan(at(0.9));
  expect(at(0.9)).toBeLessThan(at(0.8));
});

test("a review is never dated before the card's last, even if another device's clock was ahead", () => {
  const ahead = replay([aReview({ reviewedAt: START + 3 * 3_600_000 })]);
  expect(reviewTime(ahead, START)).toBe(START + 3 * 3_600_000);
  expect(reviewTime(undefined, START)).toBe(START);
});

function isHardAfter(...grades: Grade[]): boolean {
  const reviews = grades.map((given, index) =>
    aReview({ _id: `review-00000${index}`, grade: given, reviewedAt: START + index * DAY_MS }),
  );
  const schedule = replay(reviews);
  return schedule !== undefined && isHard(schedule);
}

test("a card is hard from an Again until three right answers in a row", () => {
  expect(isHardAfter(3)).toBe(false);
  expect(isHardAfter(1)).toBe(true);
  expect(isHardAfter(1, 3, 3)).toBe(true);
  expect(isHardAfter(1, 3, 1, 3, 3)).toBe(true);
  expect(isHardAfter(1, 3, 2, 4)).toBe(false);
  expect(isHardAfter(1, 3, 3, 3, 1)).toBe(true);
});

test("a learning step is due at its minute, a review on its whole day", () => {
  const dayEndsAt = START + 12 * 3_600_000;
  const learning = replay([aReview({ grade: 3 })]);
  const review = replay([aReview({ grade: 4 })]);
  if (!learning || !review) throw new Error("both were reviewed");
  expect(isDue(learning, START + 9 * MINUTE_MS, dayEndsAt)).toBe(false);
  expect(isDue(learning, START + 10 * MINUTE_MS, dayEndsAt)).toBe(true);
  const dayOfReview = review.dueAt - 5 * 3_600_000;
  expect(isDue(review, dayOfReview, review.dueAt + 1)).toBe(true);
  expect(isDue(review, dayOfReview, review.dueAt - 1)).toBe(false);
});

test("retrievability falls with time, and is near the desired retention when the card is due", () => {
  const schedule = replay([
    aReview({ grade: 4 }),
    aReview({ _id: "review-000001", grade: 3, reviewedAt: START + 8 * DAY_MS }),
  ]);
  if (!schedule) throw new Error("it was reviewed");
  expect(retrievability(schedule, schedule.dueAt)).toBeCloseTo(0.9, 1);
  expect(retrievability(schedule, schedule.dueAt + 60 * DAY_MS)).toBeLessThan(0.9);
});
