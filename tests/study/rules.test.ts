import * as fc from "fast-check";
import { createEmptyCard, fsrs } from "ts-fsrs";
import { expect, test } from "vitest";
import {
  advance,
  isDue,
  isHard,
  mergeReviews,
  preview,
  replay,
  retrievability,
  reviewTime,
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

test("a schedule equals what ts-fsrs itself says after the same reviews, bit for bit", () => {
  const scheduler = fsrs({ request_retention: 0.9, enable_fuzz: false });
  fc.assert(
    fc.property(reviewsOfOneCard, (reviews) => {
      let card = createEmptyCard(new Date(START));
      for (const review of reviews) card = scheduler.next(card, new Date(review.reviewedAt), review.grade).card;
      const schedule = replay(reviews);
      if (reviews.length === 0) expect(schedule).toBeUndefined();
      else
        expect(schedule).toMatchObject({
          dueAt: card.due.getTime(),
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

test("a schedule that was stored and read again goes on exactly as one that was not", () => {
  fc.assert(
    fc.property(reviewsOfOneCard, (reviews) => {
      let stored: Schedule | undefined;
      for (const review of reviews) stored = Schedule.parse(JSON.parse(JSON.stringify(advance(stored, review))));
      expect(stored).toEqual(replay(reviews));
    }),
  );
});

test("reviews of two devices merge to one schedule, in any order, however often they arrive", () => {
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

test("the interval shown on each grade is the one that the grade gives", () => {
  fc.assert(
    fc.property(reviewsOfOneCard, fc.integer({ min: 0, max: 60 * DAY_MS }), (reviews, laterMs) => {
      const schedule = replay(reviews);
      const now = (reviews.at(-1)?.reviewedAt ?? START) + laterMs;
      for (const shown of preview(schedule, now)) {
        const given = advance(schedule, aReview({ _id: "review-999999", grade: shown.grade, reviewedAt: now }));
        expect(given.dueAt).toBe(shown.dueAt);
      }
    }),
  );
});

test("a better grade never brings a card back sooner", () => {
  fc.assert(
    fc.property(reviewsOfOneCard, (reviews) => {
      const due = preview(replay(reviews), (reviews.at(-1)?.reviewedAt ?? START) + DAY_MS).map((shown) => shown.dueAt);
      expect(due.toSorted((a, b) => a - b)).toEqual(due);
    }),
  );
});

test("a higher desired retention brings cards back sooner", () => {
  const reviews = [0, 1, 4].map((days, index) =>
    aReview({ _id: `review-00000${index}`, grade: 4, reviewedAt: START + days * DAY_MS }),
  );
  const at = (desiredRetention: number) => replay(reviews, { desiredRetention })?.dueAt ?? 0;
  expect(at(0.95)).toBeLessThan(at(0.9));
  expect(at(0.9)).toBeLessThan(at(0.8));
});

test("a review is never dated before the card's last, even where another device's clock ran ahead", () => {
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

test("a short step is due at its minute, a review for the whole day that it falls into", () => {
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

test("what a student remembers fades with time, and is near the desired retention when the card is due", () => {
  const schedule = replay([
    aReview({ grade: 4 }),
    aReview({ _id: "review-000001", grade: 3, reviewedAt: START + 8 * DAY_MS }),
  ]);
  if (!schedule) throw new Error("it was reviewed");
  expect(retrievability(schedule, schedule.dueAt)).toBeCloseTo(0.9, 1);
  expect(retrievability(schedule, schedule.dueAt + 60 * DAY_MS)).toBeLessThan(0.9);
});
