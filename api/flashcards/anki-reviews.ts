import { createHash } from "node:crypto";
import type { Review } from "#shared/study/schema.ts";
import { convertSm2Memory } from "#shared/study/sm2.ts";
import type { AnkiCard } from "#api/documents/anki/anki-messages.ts";

/** A deterministic id, so that a repeated import of the same item has the same id. */
export const digest = (...parts: string[]) =>
  createHash("sha256").update(parts.join("\u0000")).digest("hex").slice(0, 26);

const reviewId = (kind: string, card: AnkiCard, at: number | string) => `anki-${kind}-${digest(card.key, String(at))}`;

/** The card's reviews, then its scheduling state as a seed review that later reviews continue from. */
export function toReviews(card: AnkiCard, componentId: string): Review[] {
  const base = { cardId: card.key.slice(0, 64), componentId, mode: "import" as const };
  const answers = card.reviews
    .filter(({ at }) => at > 0 && at < Date.UTC(2100, 0, 1))
    .map(({ at, grade, durationMs }): Review => {
      const duration = Math.min(Math.max(0, durationMs), 86_400_000);
      return { _id: reviewId("review", card, at), ...base, grade, reviewedAt: at, durationMs: duration };
    });
  const { memory } = card;
  if (!memory) return answers;
  const last = answers.reduce((latest, { reviewedAt }) => Math.max(latest, reviewedAt), 0);
  const reviewedAt = last > 0 ? last : Math.max(0, Math.round(memory.dueAt - memory.intervalDays * 86_400_000));
  const knownMemory =
    memory.stability !== null && memory.difficulty !== null
      ? { stability: memory.stability, difficulty: memory.difficulty }
      : convertSm2Memory(memory.intervalDays, memory.factor);
  const { state, dueAt, intervalDays: scheduledDays, reps, lapses } = memory;
  const stability = Math.min(36_500, Math.max(0.001, knownMemory.stability));
  const seed = {
    ...knownMemory,
    stability,
    dueAt,
    scheduledDays: Math.min(36_500, scheduledDays),
    reps,
    lapses,
    state,
  };
  const _id = reviewId("state", card, JSON.stringify(seed));
  return [...answers, { _id, ...base, grade: 3, reviewedAt: reviewedAt + (last > 0 ? 1 : 0), durationMs: 0, seed }];
}
