import { advance, inOrder, type StudyParams } from "#shared/study/rules.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { predictionOf } from "#shared/study/statistics.ts";
import { utcDay } from "#shared/user/rules.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { whenDue, type Due } from "./when-due.ts";

/** A review as it happened. It is never removed: one that was taken back says when. */
interface ReviewDoc extends OwnedDoc, Omit<Review, "_id"> {
  reviewId: string;
  /** The UTC day that it counts for. */
  period: string;
  undoneAt: number | null;
  /** How likely a right answer was when it was given, where it tests memory. */
  predicted?: number;
}

/** What the reviews of a card amount to; null where all of them were taken back. */
interface ScheduleDoc extends OwnedDoc, Due {
  cardId: string;
  componentId: string;
  schedule: Schedule | null;
  /** How much was known of the card's reviews when this was derived: it only grows. */
  reviewsKnown: number;
  /** The card is in its deck and is asked. */
  isAsked: "yes" | "no";
  buriedUntil: number | null;
}

const reviews: CollectionSpec<ReviewDoc> = {
  name: "reviews",
  shardKey: "ownerId",
  indexes: [
    { fields: ["ownerId", "componentId", "cardId"] },
    { fields: ["ownerId", "period"] },
    { fields: ["ownerId", "reviewedAt"] },
    { fields: ["ownerId", "undoneAt", "period"] },
  ],
};
const schedules: CollectionSpec<ScheduleDoc> = {
  name: "schedules",
  shardKey: "ownerId",
  indexes: [
    { fields: ["ownerId", "componentId"] },
    { fields: ["ownerId", "componentId", "isAsked", "kind", "dueAt"] },
    { fields: ["ownerId", "isAsked", "kind", "dueAt"] },
  ],
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

const asReview = (doc: ReviewDoc): Review => ({ ...doc, _id: doc.reviewId });

/** Goes through a card's answers; what was predicted of one is written down once, as it was predicted then. */
async function replayed(own: Own, docs: readonly ReviewDoc[], params: StudyParams): Promise<Schedule | null> {
  let schedule: Schedule | undefined;
  const told: Promise<unknown>[] = [];
  for (const doc of inOrder(docs.filter(({ undoneAt }) => undoneAt === null))) {
    const predicted = doc.predicted === undefined ? predictionOf(schedule, doc, params) : undefined;
    if (predicted !== undefined) told.push(own.in(reviews).patch({ _id: doc._id }, { set: { predicted } }));
    schedule = advance(schedule, asReview(doc), params);
  }
  await Promise.all(told);
  return schedule ?? null;
}

/** Derives the card's schedule from all of its reviews and keeps it; says whether the card was not known before. */
export async function saveSchedule(own: Own, card: CardName, params: StudyParams): Promise<"known" | "new"> {
  const { componentId, cardId } = card;
  const docs = await own.in(reviews).find({ componentId, cardId });
  const schedule = await replayed(own, docs, params);
  const _id = scheduleKey(own, card);
  const reviewsKnown = knowledgeOf(docs);
  const write = async () => {
    const held = await own.in(schedules).get(_id);
    const set = { schedule, reviewsKnown, ...whenDue(schedule, held?.buriedUntil ?? null) };
    return own.in(schedules).patch({ _id, reviewsKnown: { lte: reviewsKnown } }, { set });
  };
  if (await write()) return "known";
  const fresh = { _id, componentId, cardId, schedule, reviewsKnown, isAsked: "yes", buriedUntil: null } as const;
  if ((await own.in(schedules).insert({ ...fresh, ...whenDue(schedule, null) })) === "duplicate") {
    await write();
    return "known";
  }
  return "new";
}

/** Takes every answer of some cards of a deck to another deck; answers those that the other deck then has of them. */
export async function moveReviews(
  own: Own,
  { from, to, cardIds }: { from: string; to: string; cardIds: readonly string[] },
): Promise<Pick<ReviewDoc, "cardId" | "period">[]> {
  const docs = await own.in(reviews).find({ componentId: from, cardId: { in: cardIds } }, { fields: ["cardId"] });
  await Promise.all(docs.map(({ _id }) => own.in(reviews).patch({ _id }, { set: { componentId: to } })));
  return own.in(reviews).find({ componentId: to, cardId: { in: cardIds } }, { fields: ["cardId", "period"] });
}

/** The schedules of cards that are in another deck now. */
export async function removeSchedules(own: Own, componentId: string, cardIds: readonly string[]): Promise<void> {
  await own.in(schedules).remove({ componentId, cardId: { in: cardIds } });
}

export interface DayOfStudy {
  cards: number;
  lastStudiedAt: number | null;
  reviewsKnown: number;
}

const dayFields = ["componentId", "cardId", "reviewedAt", "undoneAt", "mode"] as const;
const sumFields = ["componentId", "reviewedAt", "durationMs", "grade", "undoneAt", "seed", "predicted"] as const;

/** Every review of one UTC day, those taken back too. */
export const readPeriod = (own: Own, period: string) => own.in(reviews).find({ period }, { fields: sumFields });

/** The UTC days on which anything was answered. */
export async function listPeriods(own: Own): Promise<string[]> {
  return [...(await own.in(reviews).groupCount("period", {})).keys()].filter((period) => period !== "");
}

/** Answers that were given, none that was taken back. */
export const countReviews = (own: Own): Promise<number> =>
  own.in(reviews).count({ undoneAt: null, period: { gt: "" } });

/** What the reviews of one UTC day amount to: different cards, and the last moment. */
export async function readDay(own: Own, period: string): Promise<DayOfStudy> {
  const docs = await own.in(reviews).find({ period }, { fields: dayFields });
  // What was studied in another program says nothing about what this one's plan allows.
  const given = docs.filter((doc) => (doc.undoneAt ?? null) === null && doc.mode !== "import");
  return {
    cards: new Set(given.map((doc) => scheduleKey(own, doc))).size,
    lastStudiedAt: given.reduce<number | null>((last, doc) => Math.max(last ?? 0, doc.reviewedAt), null),
    reviewsKnown: docs.length + docs.filter((doc) => (doc.undoneAt ?? null) !== null).length,
  };
}

/** The schedules of a deck, or of every deck. */
export async function listSchedules(own: Own, componentId?: string): Promise<Schedule[]> {
  const filter = componentId === undefined ? {} : { componentId };
  const docs = await own.in(schedules).find(filter, { fields: ["schedule"] });
  return docs.flatMap((doc) => doc.schedule ?? []);
}

/** The reviews of a deck, or of every deck since a moment, in no order; none that was taken back. */
export async function listReviews(own: Own, wanted: { componentId: string } | { since: number }): Promise<Review[]> {
  const filter = "since" in wanted ? { reviewedAt: { gte: wanted.since } } : wanted;
  const docs = await own.in(reviews).find(filter);
  return docs.filter((doc) => doc.undoneAt === null && doc.cardId !== "").map(asReview);
}

export interface DueCounts {
  due: number;
  /** Cards that were reviewed at least once and are still asked. */
  seen: number;
}

/** How many cards of a deck are due, counted in the index. */
export async function countDueOf(own: Own, componentId: string, at: { now: number; dayEndsAt: number }) {
  const asked = { componentId, isAsked: "yes" } as const;
  const count = (kind: Due["kind"], dueAt: { lte: number } | { lt: number }) =>
    own.in(schedules).count({ ...asked, kind, dueAt });
  const [steps, days, seen] = await Promise.all([
    count("step", { lte: at.now }),
    count("day", { lt: at.dayEndsAt }),
    own.in(schedules).count({ ...asked, kind: { in: ["step", "day"] } }),
  ]);
  return { due: steps + days, seen } satisfies DueCounts;
}

/** When the cards of a deck, or of every deck, are due, up to a moment; nothing but the times is read. */
export async function listDueTimes(own: Own, until: number, componentId?: string): Promise<number[]> {
  const inDeck = componentId === undefined ? {} : { componentId };
  const filter = { ...inDeck, isAsked: "yes", kind: "day", dueAt: { lt: until } } as const;
  return (await own.in(schedules).find(filter, { fields: ["dueAt"] })).map((doc) => doc.dueAt);
}

export interface CardStanding {
  isAsked: boolean;
  buriedUntil: number | null;
}

/** Brings what stands beside the schedules of a deck in step with its cards; a card that is gone is not asked. */
export async function placeSchedules(own: Own, componentId: string, cards: ReadonlyMap<string, CardStanding>) {
  const docs = await own.in(schedules).find({ componentId });
  const work = docs.flatMap((doc) => {
    const { isAsked, buriedUntil } = cards.get(doc.cardId) ?? { isAsked: false, buriedUntil: null };
    const asked = isAsked ? "yes" : "no";
    const set = { isAsked: asked, buriedUntil, ...whenDue(doc.schedule, buriedUntil) } as const;
    const isSame =
      doc.isAsked === asked && doc.buriedUntil === buriedUntil && doc.kind === set.kind && doc.dueAt === set.dueAt;
    // Another answer may arrive meanwhile; it writes the time itself.
    const filter = { _id: doc._id, reviewsKnown: doc.reviewsKnown };
    return isSame ? [] : [own.in(schedules).patch(filter, { set })];
  });
  await Promise.all(work);
}
