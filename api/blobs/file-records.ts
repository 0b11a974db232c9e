import { markUnindexed } from "#api/store/account-changes.ts";
import { type QuotaContext, releaseStorage, reserveStorage } from "./storage-quota.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/**
 * A file of one account; several records may refer to the same blob. `_id` ends in the extension of the detected
 * content type.
 */
export interface FileRecord extends OwnedDoc {
  blobKey: string;
  name: string;
  mime: string;
  sizeBytes: number;
  createdAt: number;
  /** When text was last recognised in its images (OCR). */
  textRecognisedAt?: number;
}

const files: CollectionSpec<FileRecord> = {
  name: "files",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }, { fields: ["blobKey"] }],
};

/** The bytes that an unfinished upload has reserved. The other fields of these documents belong to `api/uploads`. */
interface Reservation extends OwnedDoc {
  reservedBytes?: number;
}
const reservations: CollectionSpec<Reservation> = { name: "uploads", shardKey: "ownerId", indexes: [] };

/** The texts of generated websites, which are documents and not files. */
const siteTexts: CollectionSpec<OwnedDoc & { sizeBytes?: number }> = {
  name: "website_texts",
  shardKey: "ownerId",
  indexes: [],
};

export const findFile = (own: Own, fileId: string) => own.in(files).get(fileId);

/** Stores a record and counts its bytes against the account's quota; an existing record stays unchanged. */
export async function saveFile(
  ctx: QuotaContext,
  record: Omit<FileRecord, "ownerId">,
): Promise<"inserted" | "duplicate"> {
  const { own } = ctx;
  if (await findFile(own, record._id)) return "duplicate";
  await reserveStorage(ctx, record.sizeBytes, sumStoredBytes);
  let isStored = false;
  try {
    const outcome = await own.in(files).insert(record);
    isStored = outcome === "inserted";
    return outcome;
  } finally {
    if (!isStored) await releaseStorage(own, record.sizeBytes);
  }
}

/**
 * Stores a record in place of the one with the same id, if there is one. That one stays unchanged if the account's quota
 * has no space for the difference.
 */
export async function replaceFile(ctx: QuotaContext, record: Omit<FileRecord, "ownerId">): Promise<void> {
  const { own } = ctx;
  const { _id, ...set } = record;
  const before = await findFile(own, _id);
  if (!before) {
    if ((await saveFile(ctx, record)) === "duplicate") await replaceFile(ctx, record);
    return;
  }
  const addedBytes = record.sizeBytes - before.sizeBytes;
  if (addedBytes > 0) await reserveStorage(ctx, addedBytes, sumStoredBytes);
  let isReplaced = false;
  try {
    const { blobKey, sizeBytes, createdAt } = before;
    isReplaced = (await own.in(files).patch({ _id, blobKey, sizeBytes, createdAt }, { set })) !== undefined;
  } finally {
    const freedBytes = isReplaced ? -addedBytes : addedBytes;
    if (freedBytes > 0) await releaseStorage(own, freedBytes);
  }
  // Another process replaced or removed it first.
  if (!isReplaced) await replaceFile(ctx, record);
}

/** Removes a record and releases its bytes in the account's quota. */
export async function removeFile(own: Own, fileId: string): Promise<void> {
  const file = await findFile(own, fileId);
  if (file && (await own.in(files).remove({ _id: fileId })) > 0) await releaseStorage(own, file.sizeBytes);
}

/** Bytes of the account's files, of uploads that are not complete and of the texts of its websites. */
export async function sumStoredBytes(own: Own): Promise<number> {
  const stored = await own.in(files).find({}, { fields: ["sizeBytes"] });
  const uploading = await own.in(reservations).find({}, { fields: ["reservedBytes"] });
  const texts = await own.in(siteTexts).find({}, { fields: ["sizeBytes"] });
  return (
    texts.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0) +
    stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
    uploading.reduce((sum, { reservedBytes = 0 }) => sum + reservedBytes, 0)
  );
}

/** Whether any other file of the account than `exceptBy` refers to this blob. */
export const isBlobReferenced = async (own: Own, { blobKey, exceptBy }: { blobKey: string; exceptBy: string }) =>
  (await own.in(files).count({ blobKey, _id: { not: exceptBy } })) > 0;

/** The blobs among `keys` that a file record of any account refers to. */
export async function findReferencedBlobs(store: DocumentStore, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const found = await store.collection(files).find({ blobKey: { in: keys } }, { fields: ["blobKey"] });
  return found.map(({ blobKey }) => blobKey);
}

/** Records that OCR was run on this content, which invalidates the text indexed before. */
export async function recordRecognisedText(own: Own, blobKey: string, textRecognisedAt: number): Promise<void> {
  const sameContent = await own.in(files).find({ blobKey }, { fields: ["_id"] });
  for (const { _id } of sameContent) await own.in(files).patch({ _id }, { set: { textRecognisedAt } });
  await markUnindexed(own);
}

/** The account's files that have OCR text. */
export const listRecognisedFiles = (own: Own): Promise<Pick<FileRecord, "_id" | "textRecognisedAt">[]> =>
  own.in(files).find({ textRecognisedAt: { gt: 0 } }, { fields: ["_id", "textRecognisedAt"] });

/** Ids and sizes of the account's files. */
export const listFiles = (own: Own): Promise<Pick<FileRecord, "_id" | "sizeBytes">[]> =>
  own.in(files).find({}, { fields: ["_id", "sizeBytes"] });
