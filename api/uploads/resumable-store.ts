import { retentionMs } from "#shared/retention.ts";
import type { UploadState } from "#shared/uploads/contract.ts";
import type { UploadFamily } from "#shared/uploads/rules.ts";
import { sumStoredBytes } from "#api/blobs/file-records.ts";
import { type QuotaContext, releaseStorage, reserveStorage } from "#api/blobs/storage-quota.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** An uploaded chunk, stored as its own blob so that any process can receive the next chunk or assemble the file. */
interface UploadChunk {
  blobKey: string;
  sizeBytes: number;
}

export interface UploadDoc extends OwnedDoc {
  componentId: string;
  family: UploadFamily;
  name: string;
  type: string;
  sizeBytes: number;
  pageId: string | null;
  offset: number;
  pieces: UploadChunk[];
  /** Counted against the account's storage until the file itself is counted; missing in uploads of older versions. */
  reservedBytes?: number;
  /** The day on which the upload was counted against the quota; null if it was not counted. */
  chargedOn: string | null;
  /** Lease of the process that is creating the component. */
  leaseUntil: number;
  createdAt: number;
  lastUsedAt: number;
}

const uploadsCollection: CollectionSpec<UploadDoc> = {
  name: "uploads",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }, { fields: ["lastUsedAt"] }],
};

/** Long enough to continue the upload of a lecture recording the next week. */
export const UPLOAD_RETENTION_MS = retentionMs("unfinishedUploads");

/** Clients choose the ids, so they are scoped to the account. */
const uploadDocId = (own: Own, componentId: string) => `${own.ownerId}:${componentId}`;

export const findUpload = (own: Own, componentId: string) =>
  own.in(uploadsCollection).get(uploadDocId(own, componentId));

export const countUploads = (own: Own) => own.in(uploadsCollection).count({});

type NewUpload = Pick<UploadDoc, "componentId" | "family" | "name" | "type" | "sizeBytes" | "pageId">;

/** Stores a new upload and reserves its bytes; an existing upload is left unchanged. */
export async function insertUpload(ctx: QuotaContext, upload: NewUpload): Promise<"inserted" | "duplicate"> {
  const { own, clock } = ctx;
  const now = clock.now();
  const { componentId, sizeBytes } = upload;
  await reserveStorage(ctx, sizeBytes, sumStoredBytes);
  const initialState = { offset: 0, pieces: [], chargedOn: null, leaseUntil: 0, createdAt: now, lastUsedAt: now };
  const newUpload = { _id: uploadDocId(own, componentId), ...upload, ...initialState, reservedBytes: sizeBytes };
  const outcome = await own.in(uploadsCollection).insert(newUpload);
  if (outcome === "duplicate") await releaseStorage(own, sizeBytes);
  return outcome;
}

/** Releases the reserved bytes of an upload, once. */
export async function releaseReservation(own: Own, { _id, reservedBytes = 0 }: UploadDoc): Promise<void> {
  if (reservedBytes === 0) return;
  const released = await own.in(uploadsCollection).patch({ _id, reservedBytes }, { set: { reservedBytes: 0 } });
  if (released) await releaseStorage(own, reservedBytes);
}

/**
 * Reserves the bytes of an upload again, after its file could not be stored. If the storage is full, removes the
 * upload.
 */
export async function reserveAgain(ctx: QuotaContext, { _id, componentId, sizeBytes }: UploadDoc): Promise<void> {
  const { own } = ctx;
  try {
    await reserveStorage(ctx, sizeBytes, sumStoredBytes);
  } catch {
    await removeUpload(own, componentId);
    return;
  }
  const reserved = await own
    .in(uploadsCollection)
    .patch({ _id, reservedBytes: 0 }, { set: { reservedBytes: sizeBytes } });
  if (!reserved) await releaseStorage(own, sizeBytes);
}

/** Appends a chunk if the upload is still at `offset`; otherwise undefined, and nothing changes. */
export const appendChunk = (own: Own, { _id, offset }: UploadDoc, chunk: UploadChunk, now: number) =>
  own.in(uploadsCollection).patch(
    { _id, offset },
    {
      set: { offset: offset + chunk.sizeBytes, lastUsedAt: now },
      push: { pieces: [chunk] },
    },
  );

/** Acquires the lease for creating the component; undefined if another process has it. */
export const leaseUpload = (own: Own, { _id }: UploadDoc, now: number, untilMs: number) =>
  own.in(uploadsCollection).patch({ _id, leaseUntil: { lte: now } }, { set: { leaseUntil: untilMs, lastUsedAt: now } });

export const releaseUpload = (own: Own, { _id }: UploadDoc) =>
  own.in(uploadsCollection).patch({ _id }, { set: { leaseUntil: 0 } });

/** Records that the upload is being counted; undefined if that was already recorded. */
export const markCounted = (own: Own, { _id }: UploadDoc, period: string) =>
  own.in(uploadsCollection).patch({ _id, chargedOn: null }, { set: { chargedOn: period } });

export const unmarkCounted = (own: Own, { _id }: UploadDoc) =>
  own.in(uploadsCollection).patch({ _id }, { set: { chargedOn: null } });

export async function removeUpload(own: Own, componentId: string): Promise<number> {
  const upload = await findUpload(own, componentId);
  if (!upload) return 0;
  await releaseReservation(own, upload);
  return own.in(uploadsCollection).remove({ _id: upload._id });
}

export const presentUpload = (doc: UploadDoc): UploadState => ({
  _id: doc.componentId,
  family: doc.family,
  name: doc.name,
  sizeBytes: doc.sizeBytes,
  offset: doc.offset,
  isComplete: false,
  expiresAt: doc.lastUsedAt + UPLOAD_RETENTION_MS,
});

const SWEEP_LIMIT = 1_000;

/** Removes abandoned uploads of all accounts; returns how many. */
export async function removeStaleUploads(store: DocumentStore, before: number): Promise<number> {
  const fields = ["ownerId", "componentId"] as const;
  const stale = await store
    .collection(uploadsCollection)
    .find({ lastUsedAt: { lt: before } }, { fields, limit: SWEEP_LIMIT });
  let removedCount = 0;
  for (const { ownerId, componentId } of stale)
    removedCount += await removeUpload(ownedBy(store, ownerId), componentId);
  return removedCount;
}

/** Blob keys of all unfinished uploads, over all accounts. */
export async function listChunkKeys(store: DocumentStore): Promise<string[]> {
  const docs = await store.collection(uploadsCollection).find({}, { fields: ["pieces"] });
  return docs.flatMap(({ pieces }) => pieces.map(({ blobKey }) => blobKey));
}
