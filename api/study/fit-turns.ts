import { ownedBy, type Own } from "#api/store/owned.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** When an account last reviewed, and how many reviews it had at the last fit. */
interface TurnDoc extends OwnedDoc {
  answeredAt: number;
  isWaiting: "yes" | "no";
  triedReviews: number;
}

const turns: CollectionSpec<TurnDoc> = {
  name: "study_fit_turns",
  shardKey: "ownerId",
  indexes: [{ fields: ["isWaiting", "answeredAt"] }],
};

const LOOKED_AT_ONCE = 100;

/** Records new reviews: the account may be fitted once it is idle. */
export async function noteAnswers(own: Own, now: number): Promise<void> {
  const set = { answeredAt: now, isWaiting: "yes" } as const;
  if (await own.in(turns).patch({ _id: own.ownerId }, { set })) return;
  if ((await own.in(turns).insert({ _id: own.ownerId, ...set, triedReviews: 0 })) === "duplicate")
    await own.in(turns).patch({ _id: own.ownerId }, { set });
}

/** Records an attempted fit at this number of reviews. */
export async function noteTried(own: Own, reviews: number, now: number): Promise<void> {
  const fresh = { _id: own.ownerId, answeredAt: now, isWaiting: "no", triedReviews: reviews } as const;
  if ((await own.in(turns).insert(fresh)) === "inserted") return;
  await own.in(turns).patch({ _id: own.ownerId }, { set: { triedReviews: reviews } });
}

export interface Turn {
  own: Own;
  answeredAt: number;
  triedReviews: number;
}

/** Accounts without a review since `since`, longest idle first. */
export async function listResting(store: DocumentStore, since: number): Promise<Turn[]> {
  const filter = { isWaiting: "yes", answeredAt: { lte: since } } as const;
  const docs = await store.collection(turns).find(filter, { order: [["answeredAt", "asc"]], limit: LOOKED_AT_ONCE });
  return docs.map(({ ownerId, answeredAt, triedReviews }) => {
    return { own: ownedBy(store, ownerId), answeredAt, triedReviews };
  });
}

/** Claims an account, if nobody else has and no review came in between. */
export async function takeTurn({ own, answeredAt }: Turn): Promise<boolean> {
  const filter = { _id: own.ownerId, isWaiting: "yes", answeredAt } as const;
  return (await own.in(turns).patch(filter, { set: { isWaiting: "no" } })) !== undefined;
}

/** Whether the account has not reviewed since it was claimed. */
export async function isResting({ own, answeredAt }: Turn): Promise<boolean> {
  return (await own.in(turns).get(own.ownerId))?.answeredAt === answeredAt;
}
