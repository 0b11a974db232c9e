import type { UploadState } from "#shared/uploads/contract.ts";
import type { UploadFamily } from "#shared/uploads/rules.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** An uploaded chunk, stored as its own blob so that any process can take the next one or assemble them. */
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
  /** The day it was counted against the quota; null if it was not. */
  countedOn: string | null;
  /** Lease of the process that is creating the component. */
  busyUntil: number;
  createdAt: number;
  touchedAt: number;
}

const uploadsCollection: CollectionSpec<UploadDoc> = {
  name: "uploads",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }, { fields: ["touchedAt"] }],
};

/** Long enough to continue the upload of a lecture recording the next week. */
export const UPLOAD_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** Clients choose the ids, so they are scoped to the account. */
const uploadDocId = (own: Own, componentId: string) => `${own.ownerId}:${componentId}`;

export const findUpload = (own: Own, componentId: string) =>
  own.in(uploadsCollection).get(uploadDocId(own, componentId));

export const countUploads = (own: Own) => own.in(uploadsCollection).count({});

type NewUpload = Pick<UploadDoc, "componentId" | "family" | "name" | "type" | "sizeBytes" | "pageId">;

export async function saveUpload(own: Own, upload: NewUpload, now: number): Promise<UploadDoc | undefined> {
  const initialState = { offset: 0, pieces: [], countedOn: null, busyUntil: 0, createdAt: now, touchedAt: now };
  await own.in(uploadsCollection).insert({ _id: uploadDocId(own, upload.componentId), ...upload, ...initialState });
  return findUpload(own, upload.componentId);
}

/** Appends a chunk if the upload is still at `offset`; otherwise undefined, and nothing changes. */
export const appendChunk = (own: Own, { _id, offset }: UploadDoc, chunk: UploadChunk, now: number) =>
  own.in(uploadsCollection).patch(
    { _id, offset },
    {
      set: { offset: offset + chunk.sizeBytes, touchedAt: now },
      push: { pieces: [chunk] },
    },
  );

/** Acquires the lease for creating the component; undefined if another process has it. */
export const leaseUpload = (own: Own, { _id }: UploadDoc, now: number, untilMs: number) =>
  own.in(uploadsCollection).patch({ _id, busyUntil: { lte: now } }, { set: { busyUntil: untilMs, touchedAt: now } });

export const releaseUpload = (own: Own, { _id }: UploadDoc) =>
  own.in(uploadsCollection).patch({ _id }, { set: { busyUntil: 0 } });

/** Records that the upload is being counted; undefined if that was already recorded. */
export const markCounted = (own: Own, { _id }: UploadDoc, period: string) =>
  own.in(uploadsCollection).patch({ _id, countedOn: null }, { set: { countedOn: period } });

export const unmarkCounted = (own: Own, { _id }: UploadDoc) =>
  own.in(uploadsCollection).patch({ _id }, { set: { countedOn: null } });

export const removeUpload = (own: Own, componentId: string) =>
  own.in(uploadsCollection).remove({ _id: uploadDocId(own, componentId) });

export const presentUpload = (doc: UploadDoc): UploadState => ({
  _id: doc.componentId,
  family: doc.family,
  name: doc.name,
  sizeBytes: doc.sizeBytes,
  offset: doc.offset,
  isComplete: false,
  expiresAt: doc.touchedAt + UPLOAD_RETENTION_MS,
});

/** Removes abandoned uploads of all accounts. */
export const removeStaleUploads = (store: DocumentStore, before: number) =>
  store.collection(uploadsCollection).remove({ touchedAt: { lt: before } });

/** Blob keys of all unfinished uploads, over all accounts. */
export async function listChunkKeys(store: DocumentStore): Promise<string[]> {
  const docs = await store.collection(uploadsCollection).find({}, { fields: ["pieces"] });
  return docs.flatMap(({ pieces }) => pieces.map(({ blobKey }) => blobKey));
}
