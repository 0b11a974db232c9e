import { retentionMs } from "#shared/retention.ts";
import type { HelpRating, HelpRatingFilter } from "#shared/feedback/contract.ts";
import type { CollectionSpec, Doc, DocumentStore, OwnedDoc } from "#api/store/port.ts";
import type { Own } from "#api/store/owned-store.ts";

export interface FeedbackDoc extends OwnedDoc {
  feedback: string;
  category: string;
  currentRoute: string;
  email: string;
  /** Missing until an administrator has answered it or marked it as done. */
  state?: "answered" | "done";
  createdAt: number;
}

interface EventDoc extends OwnedDoc {
  name: string;
  detail: string;
  at: number;
  createdAt: number;
}

export const feedbackCollection: CollectionSpec<FeedbackDoc> = {
  name: "feedback",
  shardKey: "ownerId",
  indexes: [{ fields: ["createdAt"] }, { fields: ["state", "_id"] }, { fields: ["category", "_id"] }],
};
const events: CollectionSpec<EventDoc> = {
  name: "analytics_events",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }, { fields: ["createdAt"] }],
};

/** Owner id of feedback sent without signing in. */
export const ANONYMOUS_OWNER = "";

export const saveFeedback = (store: DocumentStore, doc: FeedbackDoc) =>
  store.collection(feedbackCollection).insert(doc);

export const saveEvent = (own: Own, doc: Omit<EventDoc, "ownerId">) => own.in(events).insert(doc);
/** Erases events of all accounts that are too old. */
export const eraseOldEvents = (store: DocumentStore, now: number): Promise<number> =>
  store.collection(events).remove({ createdAt: { lt: now - retentionMs("analyticsEvents") } });

/** Ratings of one help article; `_id` is its path. */
interface HelpRatingDoc extends Doc {
  yes: number;
  no: number;
}

const helpRatings: CollectionSpec<HelpRatingDoc> = { name: "help_ratings", shardKey: "_id", indexes: [] };

/** More than there are articles, so that invented paths cannot fill the store. */
const MAX_RATED = 300;

/** Ordered by path, so that a rating that arrives between two pages moves no article. */
export async function listHelpRatings(
  store: DocumentStore,
  { q, helped }: HelpRatingFilter,
  { after }: { after?: string | undefined } = {},
): Promise<HelpRating[]> {
  const position = after === undefined ? {} : { _id: { gt: after } };
  const found = await store.collection(helpRatings).find(position, { limit: MAX_RATED, order: [["_id", "asc"]] });
  return found
    .filter(({ _id, yes, no }) => _id.includes(q.toLowerCase()) && (helped !== "rarely" || (no > 0 && no >= yes)))
    .map(({ _id: path, yes, no }) => ({ path, yes, no }));
}

/** Adds one to a count. Once the limit of articles is reached, ratings of other articles are ignored. */
export async function countHelpRating(store: DocumentStore, path: string, answer: "yes" | "no"): Promise<void> {
  const ratings = store.collection(helpRatings);
  const count = () => ratings.patch({ _id: path }, { increment: { [answer]: 1 } });
  if (await count()) return;
  if ((await ratings.count({})) >= MAX_RATED) return;
  await ratings.insert({ _id: path, yes: 0, no: 0 });
  await count();
}
