import {
  Topic,
  type Licence,
  type ReportFilter,
  type ReportReason,
  type ShareType,
  type Visibility,
} from "#shared/sharing/schema.ts";
import { isInactive } from "#api/http/authenticate.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, Doc, DocumentStore, Filter, OwnedDoc } from "#api/store/port.ts";

export interface ShareDoc extends OwnedDoc {
  /** `type.targetId`: each item has at most one share. */
  key: string;
  type: ShareType;
  targetId: string;
  visibility: Visibility;
  topic: Topic;
  description: string;
  /** Both are missing in older shares. */
  licence?: Licence;
  attribution?: string;
  /** The title when the share was last opened; shown in lists. */
  title: string;
  emoji: string | null;
  views: number;
  duplicates: number;
  /** The most recently counted copies. */
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
  indexes: [{ fields: ["createdAt"] }, { fields: ["shareId"] }, { fields: ["reason", "_id"] }],
};

export const shareKey = (type: ShareType, targetId: string) => `${type}.${targetId}`;

export const sharesOf = (own: Own) => own.in(shares);

/** Finds a share by its link unless it was taken down. */
export async function findShareNotTakenDown(store: DocumentStore, shareId: string): Promise<ShareDoc | undefined> {
  const share = await store.collection(shares).get(shareId);
  return share?.takenDownAt === null ? share : undefined;
}

/** Owner of the content that comes with the product; no account has this id. */
export const INSTALLATION_OWNER = "installation";

/** Shares of an account that is disabled or scheduled for deletion are hidden until the owner returns. */
export const isOwnerInactive = async (store: DocumentStore, { ownerId }: ShareDoc): Promise<boolean> =>
  ownerId !== INSTALLATION_OWNER && (await isInactive({ store }, ownerId));

const unlessOwnerInactive = async (store: DocumentStore, share: ShareDoc | undefined) =>
  share && !(await isOwnerInactive(store, share)) ? share : undefined;

/** Finds a share by its link; excludes those taken down or hidden. */
export const findShare = async (store: DocumentStore, shareId: string): Promise<ShareDoc | undefined> =>
  unlessOwnerInactive(store, await findShareNotTakenDown(store, shareId));

/** Finds a share by its content, for any owner. */
export async function findShareOf(store: DocumentStore, type: ShareType, id: string): Promise<ShareDoc | undefined> {
  const [share] = await store.collection(shares).find({ key: shareKey(type, id), takenDownAt: null }, { limit: 1 });
  return unlessOwnerInactive(store, share);
}

type Counted = { views: number } | { duplicates: number };

export const incrementCount = (store: DocumentStore, shareId: string, by: Counted) =>
  store.collection(shares).patch({ _id: shareId }, { increment: { ...by } });

const MAX_COPIES = 200;

/** Counts a copy once. */
export async function countCopy(store: DocumentStore, share: ShareDoc, copyId: string): Promise<void> {
  if (share.copies.includes(copyId)) return;
  await store
    .collection(shares)
    .patch(
      { _id: share._id },
      { increment: { duplicates: 1 }, push: { copies: [copyId] }, keepLast: { copies: MAX_COPIES } },
    );
}

type ShareHeader = Pick<ShareDoc, "title" | "emoji">;

/** Updates the title and emoji shown in lists. */
export const saveShareHeader = (store: DocumentStore, shareId: string, header: ShareHeader) =>
  store.collection(shares).patch({ _id: shareId }, { set: header });

export const takeDownShare = (store: DocumentStore, shareId: string, now: number) =>
  store.collection(shares).patch({ _id: shareId, takenDownAt: null }, { set: { takenDownAt: now } });

interface ListQuery {
  topic?: ShareDoc["topic"] | undefined;
  type?: ShareType | undefined;
  before?: number | undefined;
  limit: number;
}

export function listListed(store: DocumentStore, { topic, type, before, limit }: ListQuery): Promise<ShareDoc[]> {
  const filter: Filter<ShareDoc> = {
    visibility: "listed",
    takenDownAt: null,
    ...(topic === undefined ? {} : { topic }),
    ...(type === undefined ? {} : { type }),
    ...(before === undefined ? {} : { createdAt: { lt: before } }),
  };
  return store.collection(shares).find(filter, { order: [["createdAt", "desc"]], limit });
}

/** The topics of listed items. Reads only one share of each topic, because anyone may call this. */
export async function findListedTopics(store: DocumentStore): Promise<Topic[]> {
  const found = await Promise.all(
    Topic.options.map((topic) =>
      store
        .collection(shares)
        .find({ visibility: "listed", takenDownAt: null, topic }, { fields: ["topic"], limit: 1 }),
    ),
  );
  return found.flat().map(({ topic }) => topic);
}

export const saveReport = (store: DocumentStore, report: ReportDoc) => store.collection(reports).insert(report);

/** Removes a report; false if it does not exist. */
export const removeReport = async (store: DocumentStore, _id: string): Promise<boolean> =>
  (await store.collection(reports).remove({ _id })) > 0;

/** Lists reports, newest first. */
export const listReportDocs = (
  store: DocumentStore,
  { reason }: ReportFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ReportDoc[]> =>
  store
    .collection(reports)
    .find(
      { ...(reason !== undefined && { reason }), ...(after !== undefined && { _id: { lt: after } }) },
      { order: [["_id", "desc"]], limit },
    );
