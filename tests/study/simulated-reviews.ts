import * as fc from "fast-check";
import { ulid } from "ulid";
import { advance, retrievability } from "#shared/study/rules.ts";
import type { Grade, Review, Schedule } from "#shared/study/schema.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);

/** The reviews of a student; `recalls` decides from the predicted recall whether the student remembers a card. */
export function simulateReviews(cards: number, recalls: (predicted: number, chance: number) => boolean): Review[] {
  const chances = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: cards * 8, seed: 5 });
  return Array.from({ length: cards }, (_, card) => {
    let schedule: Schedule | undefined;
    const reviews: Review[] = [];
    for (let at = 0; at < 8; at += 1) {
      const reviewedAt = schedule ? schedule.dueAt + DAY_MS : NOW - 60 * DAY_MS;
      if (reviewedAt > NOW) break;
      const chance = chances[card * 8 + at] ?? 0;
      const remembers = !schedule || recalls(retrievability(schedule, reviewedAt), chance);
      const review = aReview(`card-${card}`, remembers ? 3 : 1, reviewedAt);
      reviews.push(review);
      schedule = advance(schedule, review);
    }
    return reviews;
  }).flat();
}

export const aReview = (cardId: string, grade: Grade, reviewedAt: number): Review => ({
  _id: ulid(),
  cardId,
  componentId: "deck",
  grade,
  reviewedAt,
  durationMs: 6000,
  mode: "study",
});
