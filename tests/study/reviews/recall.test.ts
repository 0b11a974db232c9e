import { expect, test } from "vitest";
import { replay } from "#shared/study/rules.ts";
import { summariseRecall } from "#shared/study/deck/recall.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";

const NOW = Date.UTC(2026, 4, 10, 12);
const DAY_MS = 86_400_000;
const day = { now: NOW, startsAt: NOW - 8 * 3_600_000 };
const answered = (cardId: string, grades: readonly Grade[], daysAgo: number) => {
  const first = NOW - daysAgo * DAY_MS - grades.length * 10 * DAY_MS;
  return (
    replay(
      grades.map((grade, at) => ({
        _id: `${cardId} ${at}`.padEnd(10),
        cardId,
        componentId: "deck",
        grade,
        reviewedAt: first + at * 10 * DAY_MS,
        durationMs: 0,
        mode: "study" as const,
      })),
    ) ?? []
  );
};

/** A card that was answered well at these times. */
function replayed(cardId: string, times: readonly number[]): Schedule {
  const base = { cardId, componentId: "deck", grade: 3 as const, durationMs: 0, mode: "study" as const };
  const schedule = replay(times.map((reviewedAt) => ({ ...base, _id: `${cardId} ${reviewedAt}`, reviewedAt })));
  if (!schedule) throw new Error("no schedule");
  return schedule;
}

test("a deck shows its expected recall now and the cards forgotten most often", () => {
  const fresh = ["a", "b", "c"].flatMap((id) => answered(id, [3, 3, 3], 0));
  const old = ["a", "b"].flatMap((id) => answered(id, [3], 400));
  const forgotten = [answered("hard", [4, 1, 3, 1, 1], 0)].flat();
  expect(summariseRecall(fresh, day)).toEqual({ ofTen: 10, hardestId: undefined });
  expect(summariseRecall([...old, ...forgotten], day)?.ofTen).toBeLessThan(9);
  expect(summariseRecall([...fresh, ...forgotten], day)?.hardestId).toBe("hard");
  expect(summariseRecall(fresh.slice(1), day)).toBeUndefined();
});

test("cards that were first answered today say nothing about the recall of a deck", () => {
  const today = ["a", "b", "c", "d"].map((id) => replayed(id, [NOW - 3_600_000]));
  expect(summariseRecall(today, day)).toBeUndefined();
  const lately = ["e", "f", "g"].map((id) => replayed(id, [NOW - DAY_MS, NOW - 3_600_000]));
  expect(summariseRecall([...today, ...lately], day)).toEqual({ ofTen: 10, hardestId: undefined });
});
