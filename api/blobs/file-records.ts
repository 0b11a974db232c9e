import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** A file of one account: the same bytes may lie under many records. */
export interface FileRecord extends OwnedDoc {
  /** `_id` ends in the file's extension, which says what the content was found to be. */
  blobKey: string;
  name: string;
  mime: string;
  sizeBytes: number;
  createdAt: number;
  /** When text was last recognised in its pictures. */
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

/** Whether any file of the account has these bytes. */
export const isBlobNamed = async (own: Own, blobKey: string) => (await own.in(files).count({ blobKey })) > 0;

/** Those of some blobs that a file record names, whoever it belongs to. */
export async function namedByFiles(store: DocumentStore, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const found = await store.collection(files).find({ blobKey: { in: keys } }, { fields: ["blobKey"] });
  return found.map(({ blobKey }) => blobKey);
}

/** Remembers that text was recognised in some content: what was read of its files before is out of date. */
export async function noteText(own: Own, blobKey: string, textAt: number): Promise<void> {
  const held = await own.in(files).find({ blobKey }, { fields: ["_id"] });
  for (const { _id } of held) await own.in(files).patch({ _id }, { set: { textAt } });
}

/** The account's files in whose pictures text was recognised. */
export const listRecognisedFiles = (own: Own): Promise<Pick<FileRecord, "_id" | "textAt">[]> =>
  own.in(files).find({ textAt: { gt: 0 } }, { fields: ["_id", "textAt"] });

/** What the account has, in short. */
export const listFiles = (own: Own): Promise<Pick<FileRecord, "_id" | "sizeBytes">[]> =>
  own.in(files).find({}, { fields: ["_id", "sizeBytes"] });
