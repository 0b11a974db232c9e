import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { logTrouble } from "#webapp/app/log.ts";

/** An upload as this browser keeps it, so that a reload costs nothing. */
export interface KeptUpload {
  accountId: string;
  id: string;
  name: string;
  type: string;
  sizeBytes: number;
  lastModified: number;
  pageId: string | null;
  /** The block below which it is to stand, and its place among the files that were brought together. */
  after: string | null;
  batch: string;
  index: number;
  isPaused: boolean;
  addedAt: number;
  /** Absent where the browser had no room for the bytes: then the file is asked for again. */
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

/** Notes of another program that are on their way in lie here as well, under this name. */
export const NOTES_ID = "notes";

/** What an import that was broken off was to bring. */
export const readKeptNotes = async (accountId: string): Promise<KeptUpload | undefined> =>
  (await open()).get("uploads", [accountId, NOTES_ID]);

const ofAccount = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []]);

/** With its bytes where there is room for them, else without; never rejects: the upload itself does not need it. */
export async function keepUpload(upload: KeptUpload): Promise<void> {
  try {
    const db = await open();
    await db.put("uploads", upload).catch(async () => {
      const { file: _file, ...rest } = upload;
      await db.put("uploads", rest);
    });
  } catch (error) {
    logTrouble("An upload could not be kept in this browser", error);
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
    logTrouble("An upload could not be forgotten in this browser", error);
  }
}

export async function wipeUploads(accountId: string): Promise<void> {
  await (await open()).delete("uploads", ofAccount(accountId));
}
