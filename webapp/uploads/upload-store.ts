import type { DBSchema } from "idb";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import { logWarning } from "#webapp/app/log.ts";

/** An upload as stored in this browser, so that it survives a reload. */
export interface StoredUpload {
  accountId: string;
  id: string;
  name: string;
  type: string;
  sizeBytes: number;
  lastModified: number;
  pageId: string | null;
  /** The id of the block to insert the file after; null if there is none. */
  after: string | null;
  /** The files that were added together share a batch; `index` is the file's position in it. */
  batch: string;
  index: number;
  isPaused: boolean;
  addedAt: number;
  /** Missing if the browser had no space for the bytes: the student must choose the file again. */
  file?: File;
}

interface UploadSchema extends DBSchema {
  uploads: { key: [string, string]; value: StoredUpload };
}

const openUploadsDb = openDatabase<UploadSchema>({
  name: "lamplight-uploads",
  steps: [(db) => void db.createObjectStore("uploads", { keyPath: ["accountId", "id"] })],
});

/** The id of a running notes import, which is stored in the same table. */
export const NOTES_ID = "notes";

/** The archive of an interrupted notes import. */
export const findStoredNotes = async (accountId: string): Promise<StoredUpload | undefined> =>
  (await openUploadsDb()).get("uploads", [accountId, NOTES_ID]);

const accountRange = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []]);

/**
 * Stores the upload, without its bytes if there is no space for them. Never rejects: the upload does not depend on it.
 */
export async function saveUpload(upload: StoredUpload): Promise<void> {
  try {
    const db = await openUploadsDb();
    await db.put("uploads", upload).catch(async () => {
      const { file: _file, ...rest } = upload;
      await db.put("uploads", rest);
    });
  } catch (error) {
    logWarning("Could not store an upload in this browser", error);
  }
}

export async function listStoredUploads(accountId: string): Promise<StoredUpload[]> {
  const uploads = await (await openUploadsDb()).getAll("uploads", accountRange(accountId));
  return uploads.filter(({ id }) => id !== NOTES_ID).toSorted((a, b) => a.addedAt - b.addedAt || a.index - b.index);
}

export async function removeStoredUpload(accountId: string, id: string): Promise<void> {
  try {
    await (await openUploadsDb()).delete("uploads", [accountId, id]);
  } catch (error) {
    logWarning("Could not remove a stored upload", error);
  }
}

export async function removeStoredUploads(accountId: string): Promise<void> {
  await (await openUploadsDb()).delete("uploads", accountRange(accountId));
}
