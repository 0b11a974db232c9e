import { ownedBy, type Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** When an account last reviewed, and how many reviews it had at the last fit. */
interface OptimizerQueueDoc extends OwnedDoc {
  answeredAt: number;
  isWaiting: "yes" | "no";
  triedReviews: number;
}

const optimizerQueue: CollectionSpec<OptimizerQueueDoc> = {
  name: "optimizer_queue",
  shardKey: "ownerId",
  indexes: [{ fields: ["isWaiting", "answeredAt"] }],
};

const BATCH_SIZE = 100;

/** Records new reviews: the account may be fitted once it is idle. */
export async function queueForOptimizer(own: Own, now: number): Promise<void> {
  const set = { answeredAt: now, isWaiting: "yes" } as const;
  if (await own.in(optimizerQueue).patch({ _id: own.ownerId }, { set })) return;
  if ((await own.in(optimizerQueue).insert({ _id: own.ownerId, ...set, triedReviews: 0 })) === "duplicate")
    await own.in(optimizerQueue).patch({ _id: own.ownerId }, { set });
}

/** Records an attempted fit at this number of reviews. */
export async function saveAttempt(own: Own, reviews: number, now: number): Promise<void> {
  const newEntry = { _id: own.ownerId, answeredAt: now, isWaiting: "no", triedReviews: reviews } as const;
  if ((await own.in(optimizerQueue).insert(newEntry)) === "inserted") return;
  await own.in(optimizerQueue).patch({ _id: own.ownerId }, { set: { triedReviews: reviews } });
}

export interface OptimizerCandidate {
  own: Own;
  answeredAt: number;
  triedReviews: number;
}

/** Accounts without a review since `since`, longest idle first. */
export async function listIdle(store: DocumentStore, since: number): Promise<OptimizerCandidate[]> {
  const filter = { isWaiting: "yes", answeredAt: { lte: since } } as const;
  const docs = await store
    .collection(optimizerQueue)
    .find(filter, { order: [["answeredAt", "asc"]], limit: BATCH_SIZE });
  return docs.map(({ ownerId, answeredAt, triedReviews }) => {
    return { own: ownedBy(store, ownerId), answeredAt, triedReviews };
  });
}

/** Claims an account, if nobody else has and no review came in between. */
export async function claimCandidate({ own, answeredAt }: OptimizerCandidate): Promise<boolean> {
  const filter = { _id: own.ownerId, isWaiting: "yes", answeredAt } as const;
  return (await own.in(optimizerQueue).patch(filter, { set: { isWaiting: "no" } })) !== undefined;
}

/** Whether the account has not reviewed since it was claimed. */
export async function isStillIdle({ own, answeredAt }: OptimizerCandidate): Promise<boolean> {
  return (await own.in(optimizerQueue).get(own.ownerId))?.answeredAt === answeredAt;
}
