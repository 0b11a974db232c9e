import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { logTrouble } from "#webapp/app/log.ts";

/** An upload as stored in this browser, so that it survives a reload. */
export interface KeptUpload {
  accountId: string;
  id: string;
  name: string;
  type: string;
  sizeBytes: number;
  lastModified: number;
  pageId: string | null;
  /** The block to insert it after, and its index among the files added together. */
  after: string | null;
  batch: string;
  index: number;
  isPaused: boolean;
  addedAt: number;
  /** Missing if the browser had no space for the bytes: the student must choose the file again. */
  file?: File;
}

interface UploadSchema extends DBSchema {
  uploads: { key: [string, string]; value: KeptUpload };
}

let opening: Promise<IDBPDatabase<UploadSchema>> | undefined;

function open(): Promise<IDBPDatabase<UploadSchema>> {
  opening ??= openDB<UploadSchema>("lamplight-uploads", 1, {
    upgrade: (db) => void db.createObjectStore("uploads", { keyPath: ["accountId", "id"] }),
    terminated: () => (opening = undefined),
  }).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** The id of a running notes import, which is stored in the same table. */
export const NOTES_ID = "notes";

/** The archive of an interrupted notes import. */
export const readKeptNotes = async (accountId: string): Promise<KeptUpload | undefined> =>
  (await open()).get("uploads", [accountId, NOTES_ID]);

const ofAccount = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []]);

/**
 * Stores the upload, without its bytes if there is no space for them. Never rejects: the upload does not depend on it.
 */
export async function keepUpload(upload: KeptUpload): Promise<void> {
  try {
    const db = await open();
    await db.put("uploads", upload).catch(async () => {
      const { file: _file, ...rest } = upload;
      await db.put("uploads", rest);
    });
  } catch (error) {
    logTrouble("Could not store an upload in this browser", error);
  }
}

export async function listUploads(accountId: string): Promise<KeptUpload[]> {
  const kept = await (await open()).getAll("uploads", ofAccount(accountId));
  return kept.filter(({ id }) => id !== NOTES_ID).toSorted((a, b) => a.addedAt - b.addedAt || a.index - b.index);
}

export async function forgetUpload(accountId: string, id: string): Promise<void> {
  try {
    await (await open()).delete("uploads", [accountId, id]);
  } catch (error) {
    logTrouble("Could not remove a stored upload", error);
  }
}

export async function wipeUploads(accountId: string): Promise<void> {
  await (await open()).delete("uploads", ofAccount(accountId));
}
