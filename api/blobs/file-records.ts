import { recordNewText } from "#api/store/account-changes.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** A file of one account; several records may refer to the same blob. */
export interface FileRecord extends OwnedDoc {
  /** `_id` ends in the extension of the detected content type. */
  blobKey: string;
  name: string;
  mime: string;
  sizeBytes: number;
  createdAt: number;
  /** When text was last recognised in its images (OCR). */
  textAt?: number;
}

const files: CollectionSpec<FileRecord> = {
  name: "files",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }, { fields: ["blobKey"] }],
};

export const findFile = (own: Own, fileId: string) => own.in(files).get(fileId);

export const saveFile = (own: Own, record: Omit<FileRecord, "ownerId">) => own.in(files).insert(record);

export const removeFile = (own: Own, fileId: string) => own.in(files).remove({ _id: fileId });

/** Whether any file of the account refers to this blob. */
export const isBlobReferenced = async (own: Own, blobKey: string) => (await own.in(files).count({ blobKey })) > 0;

/** The blobs among `keys` that a file record of any account refers to. */
export async function findReferencedBlobs(store: DocumentStore, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const found = await store.collection(files).find({ blobKey: { in: keys } }, { fields: ["blobKey"] });
  return found.map(({ blobKey }) => blobKey);
}

/** Records that OCR was run on this content, which invalidates the text indexed before. */
export async function recordRecognisedText(own: Own, blobKey: string, textAt: number): Promise<void> {
  const sameContent = await own.in(files).find({ blobKey }, { fields: ["_id"] });
  for (const { _id } of sameContent) await own.in(files).patch({ _id }, { set: { textAt } });
  await recordNewText(own);
}

/** The account's files that have OCR text. */
export const listRecognisedFiles = (own: Own): Promise<Pick<FileRecord, "_id" | "textAt">[]> =>
  own.in(files).find({ textAt: { gt: 0 } }, { fields: ["_id", "textAt"] });

/** Ids and sizes of the account's files. */
export const listFiles = (own: Own): Promise<Pick<FileRecord, "_id" | "sizeBytes">[]> =>
  own.in(files).find({}, { fields: ["_id", "sizeBytes"] });
