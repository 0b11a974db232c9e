import { replay } from "#shared/study/rules.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { utcDay } from "#shared/user/rules.ts";
import type { Own } from "#api/kit/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/kit/store/port.ts";

/** A review as it happened. It is never removed: one that was taken back says when. */
interface ReviewDoc extends OwnedDoc, Omit<Review, "_id"> {
  reviewId: string;
  /** The UTC day that it counts for. */
  period: string;
  undoneAt: number | null;
}

/** What the reviews of a card amount to; null where all of them were taken back. */
interface ScheduleDoc extends OwnedDoc {
  cardId: string;
  componentId: string;
  schedule: Schedule | null;
  /** How much was known of the card's reviews when this was derived: it only grows. */
  reviewsKnown: number;
}

const reviews: CollectionSpec<ReviewDoc> = {
  name: "reviews",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId", "cardId"] }, { fields: ["ownerId", "period"] }],
};
const schedules: CollectionSpec<ScheduleDoc> = {
  name: "schedules",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId"] }],
};

// The owner stands in the key: an id that another account chose first takes nobody's place.
const reviewKey = (own: Own, reviewId: string) => `${own.ownerId}:${reviewId}`;
const scheduleKey = (own: Own, { componentId, cardId }: CardName) =>
  `${own.ownerId}:${encodeURIComponent(componentId)}:${encodeURIComponent(cardId)}`;

export interface CardName {
  componentId: string;
  cardId: string;
}

/** Of several writes at once the one that knows most stays: taking back counts as knowing one thing more. */
const knowledgeOf = (docs: readonly Pick<ReviewDoc, "undoneAt">[]) =>
  docs.length + docs.filter((doc) => doc.undoneAt !== null).length;

/** The same review twice is one; one that was taken back before it came stays taken back. */
export async function saveReview(own: Own, { _id: reviewId, ...review }: Review): Promise<void> {
  const period = utcDay(review.reviewedAt);
  await own.in(reviews).insert({ ...review, _id: reviewKey(own, reviewId), reviewId, period, undoneAt: null });
}

/** Takes a review back and says which card and day it was of; undefined where it has not come yet. */
export async function saveUndo(own: Own, reviewId: string, now: number): Promise<ReviewDoc | undefined> {
  const _id = reviewKey(own, reviewId);
  const mark = () => own.in(reviews).patch({ _id, undoneAt: null }, { set: { undoneAt: now } });
  if (!(await mark())) {
    const nothing = { cardId: "", componentId: "", grade: 1, reviewedAt: 0, durationMs: 0, mode: "study" } as const;
    await own.in(reviews).insert({ ...nothing, _id, reviewId, period: "", undoneAt: now });
    await mark();
  }
  const doc = await own.in(reviews).get(_id);
  return doc?.cardId === "" ? undefined : doc;
}

/** Derives the card's schedule from all of its reviews and keeps it. */
export async function saveSchedule(own: Own, card: CardName): Promise<void> {
  const { componentId, cardId } = card;
  const docs = await own.in(reviews).find({ componentId, cardId });
  const given = docs.filter((doc) => doc.undoneAt === null).map((doc) => ({ ...doc, _id: doc.reviewId }));
  const set = { schedule: replay(given) ?? null, reviewsKnown: knowledgeOf(docs) };
  const _id = scheduleKey(own, card);
  const write = () => own.in(schedules).patch({ _id, reviewsKnown: { lte: set.reviewsKnown } }, { set });
  if (await write()) return;
  if ((await own.in(schedules).insert({ _id, componentId, cardId, ...set })) === "duplicate") await write();
}

export interface DayOfStudy {
  cards: number;
  lastStudiedAt: number | null;
  reviewsKnown: number;
}

const dayFields = ["componentId", "cardId", "reviewedAt", "undoneAt"] as const;

/** What the reviews of one UTC day amount to: different cards, and the last moment. */
export async function readDay(own: Own, period: string): Promise<DayOfStudy> {
  const docs = await own.in(reviews).find({ period }, { fields: dayFields });
  const given = docs.filter((doc) => doc.undoneAt === null);
  return {
    cards: new Set(given.map((doc) => scheduleKey(own, doc))).size,
    lastStudiedAt: given.reduce<number | null>((last, doc) => Math.max(last ?? 0, doc.reviewedAt), null),
    reviewsKnown: knowledgeOf(docs),
  };
}

/** The schedules of a deck, or of every deck. */
export async function listSchedules(own: Own, componentId?: string): Promise<Schedule[]> {
  const docs = await own.in(schedules).find(componentId === undefined ? {} : { componentId });
  return docs.flatMap((doc) => doc.schedule ?? []);
}
