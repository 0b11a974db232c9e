import * as fc from "fast-check";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { advance, mergeReviews, replay, reviewTime, withInterval } from "#shared/study/rules.ts";
import type { Grade, Review, Schedule } from "#shared/study/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage } from "#tests/store/changes.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 8, 1, 12);
const CARDS = 1000;
const REVIEWS_EACH = 5000;

/** A device that was offline for a day: it has only its own answers, and its clock may be wrong. */
function aDevice(name: string, clockOffMs: number, componentId: string) {
  const schedules = new Map<string, Schedule>();
  const draw = fc.sample(fc.record({ card: fc.nat({ max: CARDS - 1 }), grade: fc.constantFrom<Grade>(1, 2, 3, 4) }), {
    numRuns: REVIEWS_EACH,
    seed: clockOffMs + 7,
  });
  const reviews = draw.map(({ card, grade }, at): Review => {
    const cardId = `card-${card}`;
    const before = schedules.get(cardId);
    const reviewedAt = reviewTime(before, NOW + clockOffMs + Math.floor((at * 20 * HOUR_MS) / REVIEWS_EACH));
    const plain = { _id: `${name}-${String(at).padStart(8, "0")}`, cardId, componentId, grade, reviewedAt } as const;
    const review = withInterval({ ...plain, durationMs: 2000, mode: "study" as const }, before, ({ max }) => max);
    schedules.set(cardId, advance(before, review));
    return review;
  });
  return { reviews };
}

test("ten thousand answers of two devices, a day apart with clocks three hours apart, give both the same schedule", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const cards = Array.from({ length: CARDS }, (_, at) => aCard(`card-${at}`));
  const componentId = await aDeck(ada, pageId, cards);
  const phone = aDevice("phone", 0, componentId).reviews;
  const laptop = aDevice("laptop", 3 * HOUR_MS, componentId).reviews;
  const requests = [phone, laptop].flatMap((reviews, device) =>
    reviews.map((review, seq) =>
      aChange("review_add", componentId, review, { id: ulid(), clientId: `device-${device}`, seq }),
    ),
  );
  const batches = [];
  for (let at = 0; at < requests.length; at += 1000) batches.push(requests.slice(at, at + 1000));
  // Both connect again after the last answer, also by the clock that is ahead.
  api.clock.advance(23 * HOUR_MS);
  // The answers of both arrive interleaved, and some arrive twice, as after a lost acknowledgement.
  const order = [0, 5, 1, 6, 6, 2, 7, 3, 8, 0, 4, 9];
  for (const at of order) {
    const answer = await ada.client.sync.sendChanges({ payload: batches[at] ?? [] });
    expect(answer.num_failed).toBe(0);
  }
  const { schedules, studiedToday } = await ada.client.study.getDeckSchedule({ componentId });
  const stored = new Map(schedules.map((schedule) => [schedule.cardId, schedule]));
  const onOneDevice = mergeReviews(phone, laptop);
  const onTheOther = mergeReviews(laptop, phone);
  const cardIds = new Set(onOneDevice.map((review) => review.cardId));
  expect(onOneDevice).toHaveLength(2 * REVIEWS_EACH);
  expect(stored.size).toBe(cardIds.size);
  for (const cardId of cardIds) {
    const ofCard = (reviews: Review[]) => replay(reviews.filter((review) => review.cardId === cardId));
    const mine = ofCard(onOneDevice);
    expect(stored.get(cardId)).toEqual(mine);
    expect(ofCard(onTheOther)).toEqual(mine);
  }
  const today = onOneDevice.filter(({ reviewedAt }) => new Date(reviewedAt).getUTCDate() === 2);
  expect(studiedToday).toBe(new Set(today.map((review) => review.cardId)).size);
});
