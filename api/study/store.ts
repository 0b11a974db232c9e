import { advance, inReviewOrder, isLeech, type StudyParams } from "#shared/study/rules.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { predictRecall } from "#shared/study/statistics.ts";
import { utcDay } from "#shared/user/days.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { countLeech } from "./count-cards.ts";
import { computeDue, type Due } from "./due-fields.ts";

/** A review. It is never removed: an undone one has `undoneAt` set. */
interface ReviewDoc extends OwnedDoc, Omit<Review, "_id"> {
  reviewId: string;
  /** The UTC day that it counts for. */
  period: string;
  undoneAt: number | null;
  /** Predicted probability of recall at the time, if the review tests memory. */
  predicted?: number;
  /** What the default weights would have predicted; missing in reviews from before it was stored. */
  predictedByDefaults?: number;
}

/** The state computed from a card's reviews; null if all of them were undone. */
interface ScheduleDoc extends OwnedDoc, Due {
  cardId: string;
  componentId: string;
  schedule: Schedule | null;
  /** Number of reviews and undos known when this was computed; it only grows, so stale writes lose. */
  reviewsCounted: number;
  /** Whether the card is in its deck and not suspended. */
  isActive: "yes" | "no";
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
    { fields: ["ownerId", "componentId", "isActive", "kind", "dueAt"] },
    { fields: ["ownerId", "isActive", "kind", "dueAt"] },
  ],
};

// Ids are chosen by clients, so keys include the owner.
const reviewKey = (own: Own, reviewId: string) => `${own.ownerId}:${reviewId}`;
const scheduleKey = (own: Own, { componentId, cardId }: CardKey) =>
  `${own.ownerId}:${encodeURIComponent(componentId)}:${encodeURIComponent(cardId)}`;

export interface CardKey {
  componentId: string;
  cardId: string;
}

/** The concurrent write that knows the most reviews wins; an undo counts as one more. */
const countKnown = (docs: readonly Pick<ReviewDoc, "undoneAt">[]) =>
  docs.length + docs.filter((doc) => doc.undoneAt !== null).length;

/** The UTC day that a review counts for: never a future day by the server's clock. */
export const countedDay = ({ reviewedAt }: Pick<Review, "reviewedAt">, now: number): string =>
  utcDay(Math.min(reviewedAt, now));

/** Idempotent; a review that was undone before it arrived stays undone. */
export async function saveReview(own: Own, { _id: reviewId, ...review }: Review, period: string): Promise<void> {
  await own.in(reviews).insert({ ...review, _id: reviewKey(own, reviewId), reviewId, period, undoneAt: null });
}

/** Reviews from a clock that was ahead, stored before their time was checked. */
export const listReviewsAfter = (own: Own, at: number): Promise<ReviewDoc[]> =>
  own.in(reviews).find({ reviewedAt: { gt: at }, mode: { in: ["study", "quiz", "learn", "match"] } });

/** Changes the date of a review. The prediction stays as it was at the time of the answer. */
export async function redateReview(own: Own, { _id }: Pick<ReviewDoc, "_id">, at: number): Promise<void> {
  await own.in(reviews).patch({ _id }, { set: { reviewedAt: at, period: utcDay(at) } });
}

/** Undoes a review and returns it; undefined if it has not arrived yet. */
export async function saveUndo(own: Own, reviewId: string, now: number): Promise<ReviewDoc | undefined> {
  const _id = reviewKey(own, reviewId);
  const setUndone = () => own.in(reviews).patch({ _id, undoneAt: null }, { set: { undoneAt: now } });
  if (!(await setUndone())) {
    const placeholder = { cardId: "", componentId: "", grade: 1, reviewedAt: 0, durationMs: 0, mode: "study" } as const;
    await own.in(reviews).insert({ ...placeholder, _id, reviewId, period: "", undoneAt: now });
    await setUndone();
  }
  const doc = await own.in(reviews).get(_id);
  return doc?.cardId === "" ? undefined : doc;
}

const toReview = (doc: ReviewDoc): Review => ({ ...doc, _id: doc.reviewId });

interface Replayed {
  schedule: Schedule | null;
  /** When the card became a leech; undefined if it is not one. */
  leechAt: number | undefined;
}

const becomesLeech = (before: Schedule | undefined, after: Schedule): boolean =>
  isLeech(after) && (before === undefined || !isLeech(before));

/**
 * Replays a card's reviews. Stores the prediction for each review once, and the prediction of the default weights, so
 * that the benefit of fitting can be measured.
 */
async function replayReviews(own: Own, docs: readonly ReviewDoc[], params: StudyParams): Promise<Replayed> {
  const isFitted = Boolean(params.weights);
  let schedule: Schedule | undefined;
  let byDefaults: Schedule | undefined;
  let leechAt: number | undefined;
  const predictionWrites: Promise<unknown>[] = [];
  for (const doc of inReviewOrder(docs.filter(({ undoneAt }) => undoneAt === null))) {
    const predicted = doc.predicted === undefined ? predictRecall(schedule, doc, params) : undefined;
    const defaultPrediction = isFitted ? predictRecall(byDefaults, doc) : predicted;
    const set = {
      ...(predicted !== undefined && { predicted }),
      ...(defaultPrediction !== undefined && { predictedByDefaults: defaultPrediction }),
    };
    if (predicted !== undefined) predictionWrites.push(own.in(reviews).patch({ _id: doc._id }, { set }));
    const next = advance(schedule, toReview(doc), params);
    if (becomesLeech(schedule, next) && doc.mode !== "import") leechAt = doc.reviewedAt;
    schedule = next;
    if (isFitted) byDefaults = advance(byDefaults, toReview(doc));
  }
  await Promise.all(predictionWrites);
  return { schedule: schedule ?? null, leechAt };
}

/** Recomputes and stores a card's schedule; returns whether the card already had a schedule. */
export async function saveSchedule(own: Own, card: CardKey, params: StudyParams): Promise<"known" | "new"> {
  const { componentId, cardId } = card;
  const docs = await own.in(reviews).find({ componentId, cardId });
  const { schedule, leechAt } = await replayReviews(own, docs, params);
  const _id = scheduleKey(own, card);
  const reviewsCounted = countKnown(docs);
  const undoneAt = docs.find((doc) => doc.undoneAt !== null)?.undoneAt;
  await countLeech(own, cardId, { leechAt, undoneAt: undoneAt ?? undefined, sourceVersion: reviewsCounted });
  const write = async () => {
    const existing = await own.in(schedules).get(_id);
    const set = { schedule, reviewsCounted, ...computeDue(schedule, existing?.buriedUntil ?? null) };
    return own.in(schedules).patch({ _id, reviewsCounted: { lte: reviewsCounted } }, { set });
  };
  if (await write()) return "known";
  const newSchedule = {
    _id,
    componentId,
    cardId,
    schedule,
    reviewsCounted,
    isActive: "yes",
    buriedUntil: null,
  } as const;
  if ((await own.in(schedules).insert({ ...newSchedule, ...computeDue(schedule, null) })) === "duplicate") {
    await write();
    return "known";
  }
  return "new";
}

/** Moves all reviews of some cards to another deck; returns all reviews of these cards in that deck. */
export async function moveReviews(
  own: Own,
  { from, to, cardIds }: { from: string; to: string; cardIds: readonly string[] },
): Promise<Pick<ReviewDoc, "cardId" | "period">[]> {
  const docs = await own.in(reviews).find({ componentId: from, cardId: { in: cardIds } }, { fields: ["cardId"] });
  await Promise.all(docs.map(({ _id }) => own.in(reviews).patch({ _id }, { set: { componentId: to } })));
  return own.in(reviews).find({ componentId: to, cardId: { in: cardIds } }, { fields: ["cardId", "period"] });
}

/** Removes schedules of cards that moved to another deck. */
export async function removeSchedules(own: Own, componentId: string, cardIds: readonly string[]): Promise<void> {
  await own.in(schedules).remove({ componentId, cardId: { in: cardIds } });
}

const endOfUtcDay = (period: string) => Date.parse(period) + 86_400_000 - 1;

export interface DayOfStudy {
  cards: number;
  lastStudiedAt: number | null;
  reviewsCounted: number;
}

const dayFields = ["componentId", "cardId", "reviewedAt", "undoneAt", "mode"] as const;
const sumFields = [
  "componentId",
  "reviewedAt",
  "durationMs",
  "grade",
  "undoneAt",
  "seed",
  "predicted",
  "predictedByDefaults",
  "mode",
] as const;

/** All reviews of one UTC day, including undone ones. */
export const readPeriod = (own: Own, period: string) => own.in(reviews).find({ period }, { fields: sumFields });

/** UTC days that have reviews. */
export async function listPeriods(own: Own): Promise<string[]> {
  return [...(await own.in(reviews).groupCount("period", {})).keys()].filter((period) => period !== "");
}

/** Number of reviews, without undone ones. */
export const countReviews = (own: Own): Promise<number> =>
  own.in(reviews).count({ undoneAt: null, period: { gt: "" } });

/** Distinct cards and the last review time of one UTC day. */
export async function readDay(own: Own, period: string): Promise<DayOfStudy> {
  const docs = await own.in(reviews).find({ period }, { fields: dayFields });
  // Imported reviews do not count against the plan's limit.
  const counted = docs.filter((doc) => (doc.undoneAt ?? null) === null && doc.mode !== "import");
  return {
    cards: new Set(counted.map((doc) => scheduleKey(own, doc))).size,
    // A clock that is ahead by minutes must not carry the day's last answer into the next day.
    lastStudiedAt: counted.reduce<number | null>(
      (last, doc) => Math.max(last ?? 0, Math.min(doc.reviewedAt, endOfUtcDay(period))),
      null,
    ),
    reviewsCounted: docs.length + docs.filter((doc) => (doc.undoneAt ?? null) !== null).length,
  };
}

/** Schedules of a deck, or of all decks. */
export async function listSchedules(own: Own, filter: Partial<Pick<ScheduleDoc, "componentId" | "isActive">> = {}) {
  const docs = await own.in(schedules).find(filter, { fields: ["schedule"] });
  return docs.flatMap((doc) => doc.schedule ?? []);
}

/** Reviews of a deck, or of all decks since a time, unordered and without undone ones. */
export async function listReviews(own: Own, query: { componentId: string } | { since: number }): Promise<Review[]> {
  const filter = "since" in query ? { reviewedAt: { gte: query.since } } : query;
  const docs = await own.in(reviews).find(filter);
  return docs.filter((doc) => doc.undoneAt === null && doc.cardId !== "").map(toReview);
}

/** The grades that each of these cards was given in study, without undone answers. */
export async function listGrades(own: Own, componentId: string, cardIds: readonly string[]) {
  const filter = { componentId, cardId: { in: cardIds }, undoneAt: null, mode: { in: ["study", "learn"] } } as const;
  return own.in(reviews).find(filter, { fields: ["cardId", "grade"] });
}

export interface DueCounts {
  due: number;
  /** Cards on a short step that is due later on this study day. */
  learning: number;
  /** When the first of them comes back. */
  learningAt: number | null;
  /** Cards with at least one review that are not suspended. */
  seen: number;
}

/** Counts the due cards of a deck using only the index, and finds when the next one on a short step is due. */
export async function countDueOf(own: Own, componentId: string, studyTime: { now: number; dayEndsAt: number }) {
  const activeState = { componentId, isActive: "yes" } as const;
  const count = (kind: Due["kind"], dueAt: { lte: number } | { lt: number }) =>
    own.in(schedules).count({ ...activeState, kind, dueAt });
  const laterToday = { gt: studyTime.now, lt: studyTime.dayEndsAt };
  const [steps, stepsToday, days, seen, [next]] = await Promise.all([
    count("step", { lte: studyTime.now }),
    count("step", { lt: studyTime.dayEndsAt }),
    count("day", { lt: studyTime.dayEndsAt }),
    own.in(schedules).count({ ...activeState, kind: { in: ["step", "day"] } }),
    own
      .in(schedules)
      .find(
        { ...activeState, kind: "step", dueAt: laterToday },
        { order: [["dueAt", "asc"]], limit: 1, fields: ["dueAt"] },
      ),
  ]);
  // A review between the two counts must not show as a negative number.
  const learning = Math.max(0, stepsToday - steps);
  return { due: steps + days, learning, learningAt: next?.dueAt ?? null, seen } satisfies DueCounts;
}

/** How many cards of each deck were first reviewed since a time. */
export async function countIntroduced(own: Own, since: number): Promise<Map<string, number>> {
  const recent = await own.in(reviews).find({ reviewedAt: { gte: since } }, { fields: ["componentId", "cardId"] });
  const keys = [...new Set(recent.map((review) => scheduleKey(own, review)))];
  const docs = keys.length === 0 ? [] : await own.in(schedules).find({ _id: { in: keys }, isActive: "yes" });
  const counts = new Map<string, number>();
  for (const { componentId, schedule } of docs)
    if ((schedule?.firstReviewedAt ?? 0) >= since) counts.set(componentId, (counts.get(componentId) ?? 0) + 1);
  return counts;
}

/** Deck and due time of the cards of one deck, or of all decks, also deleted ones, that are due before `until`. */
export function listDueDates(own: Own, until: number, componentId?: string) {
  const deckFilter = componentId === undefined ? {} : { componentId };
  const filter = {
    ...deckFilter,
    isActive: "yes",
    kind: { in: ["step", "day"] as const },
    dueAt: { lt: until },
  } as const;
  return own.in(schedules).find(filter, { fields: ["componentId", "dueAt"] });
}

export interface CardStatus {
  isActive: boolean;
  buriedUntil: number | null;
}

/**
 * Updates the card status stored in a deck's schedules; cards that are no longer in the deck are excluded from study.
 * Returns the cards that were reviewed.
 */
export async function updateCardStatus(own: Own, componentId: string, cards: ReadonlyMap<string, CardStatus>) {
  const docs = await own.in(schedules).find({ componentId });
  const work = docs.flatMap((doc) => {
    const { isActive, buriedUntil } = cards.get(doc.cardId) ?? { isActive: false, buriedUntil: null };
    const activeState = isActive ? "yes" : "no";
    const set = { isActive: activeState, buriedUntil, ...computeDue(doc.schedule, buriedUntil) } as const;
    const isSame =
      doc.isActive === activeState &&
      doc.buriedUntil === buriedUntil &&
      doc.kind === set.kind &&
      doc.dueAt === set.dueAt;
    // If a review arrives in between, it writes the due time itself.
    const filter = { _id: doc._id, reviewsCounted: doc.reviewsCounted };
    return isSame ? [] : [own.in(schedules).patch(filter, { set })];
  });
  await Promise.all(work);
  return new Set(docs.filter(({ schedule }) => schedule !== null).map(({ cardId }) => cardId));
}
