import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** `_id` is the account's id. */
export interface CalendarFeedDoc extends OwnedDoc {
  /** The secret part of the feed's URL; null while the feed is off. */
  secret: string | null;
  /** HH:MM in the student's time zone. */
  studyAt: string;
}

const feeds: CollectionSpec<CalendarFeedDoc> = {
  name: "calendar_feeds",
  shardKey: "ownerId",
  indexes: [{ fields: ["secret"] }],
};

const DEFAULT_STUDY_AT = "17:00";

export async function findFeed(own: Own): Promise<Pick<CalendarFeedDoc, "secret" | "studyAt">> {
  return (await own.in(feeds).get(own.ownerId)) ?? { secret: null, studyAt: DEFAULT_STUDY_AT };
}

export async function saveFeed(own: Own, set: Partial<Pick<CalendarFeedDoc, "secret" | "studyAt">>): Promise<void> {
  await own.in(feeds).insert({ _id: own.ownerId, secret: null, studyAt: DEFAULT_STUDY_AT });
  await own.in(feeds).patch({ _id: own.ownerId }, { set });
}

export async function findFeedBySecret(store: DocumentStore, secret: string): Promise<CalendarFeedDoc | undefined> {
  const [found] = await store.collection(feeds).find({ secret }, { limit: 1 });
  return found;
}
