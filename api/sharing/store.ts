import type { ReportReason, ShareType, Topic, Visibility } from "#shared/sharing/schema.ts";
import { users } from "#api/http/guard.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, Doc, DocumentStore, Filter, OwnedDoc } from "#api/store/port.ts";

export interface ShareDoc extends OwnedDoc {
  /** `type.targetId`: a thing is shared once. */
  key: string;
  type: ShareType;
  targetId: string;
  visibility: Visibility;
  topic: Topic;
  description: string;
  /** As it was when it was last looked at: what lists show. */
  title: string;
  emoji: string | null;
  views: number;
  duplicates: number;
  /** The latest copies that were counted. */
  copies: string[];
  createdAt: number;
  takenDownAt: number | null;
}

interface ReportDoc extends Doc {
  shareId: string;
  reason: ReportReason;
  text: string;
  createdAt: number;
}

const shares: CollectionSpec<ShareDoc> = {
  name: "shares",
  shardKey: "_id",
  indexes: [
    { fields: ["key"], unique: true },
    { fields: ["ownerId"] },
    { fields: ["visibility", "takenDownAt", "createdAt"] },
    { fields: ["visibility", "takenDownAt", "topic", "createdAt"] },
  ],
};
const reports: CollectionSpec<ReportDoc> = {
  name: "share_reports",
  shardKey: "_id",
  indexes: [{ fields: ["createdAt"] }, { fields: ["shareId"] }],
};

export const keyOf = (type: ShareType, targetId: string) => `${type}.${targetId}`;

export const sharesOf = (own: Own) => own.in(shares);

/** By its link, whoever may look: what an administrator did not take down. */
export async function findHeldShare(store: DocumentStore, shareId: string): Promise<ShareDoc | undefined> {
  const share = await store.collection(shares).get(shareId);
  return share?.takenDownAt === null ? share : undefined;
}

/** Whoever deleted their account shows nothing any more; what they shared is there again if they come back. */
export const isOwnerLeaving = async (store: DocumentStore, { ownerId }: ShareDoc): Promise<boolean> =>
  typeof (await store.collection(users).get(ownerId))?.deleteAt === "number";

const unlessLeaving = async (store: DocumentStore, share: ShareDoc | undefined) =>
  share && !(await isOwnerLeaving(store, share)) ? share : undefined;

/** By its link; anyone may ask, and a thing that was taken down is not there. */
export const findShare = async (store: DocumentStore, shareId: string): Promise<ShareDoc | undefined> =>
  unlessLeaving(store, await findHeldShare(store, shareId));

/** By what is shared, whoever shares it. */
export async function findShareOf(store: DocumentStore, type: ShareType, id: string): Promise<ShareDoc | undefined> {
  const [share] = await store.collection(shares).find({ key: keyOf(type, id), takenDownAt: null }, { limit: 1 });
  return unlessLeaving(store, share);
}

type Counted = { views: number } | { duplicates: number };

export const countOn = (store: DocumentStore, shareId: string, by: Counted) =>
  store.collection(shares).patch({ _id: shareId }, { increment: { ...by } });

const COPIES_KEPT = 200;

/** Counts a copy unless it was counted already. */
export async function countCopy(store: DocumentStore, share: ShareDoc, copyId: string): Promise<void> {
  if (share.copies.includes(copyId)) return;
  await store
    .collection(shares)
    .patch(
      { _id: share._id },
      { increment: { duplicates: 1 }, push: { copies: [copyId] }, keepLast: { copies: COPIES_KEPT } },
    );
}

type Looked = Pick<ShareDoc, "title" | "emoji">;

/** What lists say of a share is what it was when somebody last looked at it. */
export const keepLook = (store: DocumentStore, shareId: string, looked: Looked) =>
  store.collection(shares).patch({ _id: shareId }, { set: looked });

export const takeDownShare = (store: DocumentStore, shareId: string, now: number) =>
  store.collection(shares).patch({ _id: shareId, takenDownAt: null }, { set: { takenDownAt: now } });

interface Wanted {
  topic?: ShareDoc["topic"] | undefined;
  type?: ShareType | undefined;
  before?: number | undefined;
  limit: number;
}

export function listListed(store: DocumentStore, { topic, type, before, limit }: Wanted): Promise<ShareDoc[]> {
  const filter: Filter<ShareDoc> = {
    visibility: "listed",
    takenDownAt: null,
    ...(topic === undefined ? {} : { topic }),
    ...(type === undefined ? {} : { type }),
    ...(before === undefined ? {} : { createdAt: { lt: before } }),
  };
  return store.collection(shares).find(filter, { order: [["createdAt", "desc"]], limit });
}

export const saveReport = (store: DocumentStore, report: ReportDoc) => store.collection(reports).insert(report);

export const listReportDocs = (store: DocumentStore, limit: number): Promise<ReportDoc[]> =>
  store.collection(reports).find({}, { order: [["createdAt", "desc"]], limit });
