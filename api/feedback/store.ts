import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";
import type { Own } from "#api/store/owned-store.ts";

export interface FeedbackDoc extends OwnedDoc {
  feedback: string;
  category: string;
  currentRoute: string;
  email: string;
  /** Missing until an administrator has answered it or called it done. */
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
  indexes: [{ fields: ["createdAt"] }, { fields: ["state"] }],
};
const events: CollectionSpec<EventDoc> = {
  name: "analytics_events",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }],
};

/** Owner id of feedback sent without signing in. */
export const ANONYMOUS_OWNER = "";

export const saveFeedback = (store: DocumentStore, doc: FeedbackDoc) =>
  store.collection(feedbackCollection).insert(doc);

export const saveEvent = (own: Own, doc: Omit<EventDoc, "ownerId">) => own.in(events).insert(doc);
export const removeEventsBefore = (own: Own, time: number) => own.in(events).remove({ createdAt: { lt: time } });
