import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";
import { openInTime } from "#shared/sync/storage/open-database.ts";
import { withStorageTimeout } from "#shared/sync/storage/storage-timeout.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { logWarning } from "#webapp/app/log.ts";

/** A finished session in the state in which it was last opened, for offline reading. */
interface CachedSession {
  id: string;
  session: ResearchSession;
  openedAt: number;
}

interface ResearchCacheSchema extends DBSchema {
  sessions: { key: string; value: CachedSession; indexes: { openedAt: number } };
}

/** The maximum per account. The least recently opened sessions are evicted first. */
const MAX_SESSIONS = 50;

/** One database per account, so that signing out deletes it as a whole. */
const databaseName = (accountId: string) => `lamplight-research-${accountId}`;

async function withDatabase<T>(
  accountId: string,
  work: (db: IDBPDatabase<ResearchCacheSchema>) => Promise<T>,
): Promise<T> {
  const opening = openDB<ResearchCacheSchema>(databaseName(accountId), 1, {
    upgrade: (database) =>
      void database.createObjectStore("sessions", { keyPath: "id" }).createIndex("openedAt", "openedAt"),
  });
  const db = await openInTime(opening);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** Stores a session. A failure is only logged, because the session is then just not readable offline. */
export async function cacheResearch(accountId: string, session: ResearchSession): Promise<void> {
  try {
    await withDatabase(accountId, async (db) => {
      await db.put("sessions", { id: session._id, session, openedAt: Date.now() });
      const ids = await db.getAllKeysFromIndex("sessions", "openedAt");
      for (const id of ids.slice(0, Math.max(0, ids.length - MAX_SESSIONS))) await db.delete("sessions", id);
    });
  } catch (error) {
    logWarning("Could not save a research session for offline reading", error);
  }
}

export async function findCachedResearch(accountId: string, id: string): Promise<ResearchSession | undefined> {
  try {
    return (await withDatabase(accountId, (db) => db.get("sessions", id)))?.session;
  } catch (error) {
    logWarning("Could not read saved research sessions", error);
    return undefined;
  }
}

/** The saved sessions, most recently opened first. */
export async function listCachedResearch(accountId: string): Promise<ResearchSession[]> {
  try {
    const found = await withDatabase(accountId, (db) => db.getAllFromIndex("sessions", "openedAt"));
    return found.toReversed().map(({ session }) => session);
  } catch (error) {
    logWarning("Could not read saved research sessions", error);
    return [];
  }
}

export async function removeCachedResearch(accountId: string, id: string): Promise<void> {
  try {
    await withDatabase(accountId, (db) => db.delete("sessions", id));
  } catch (error) {
    logWarning("Could not remove a saved research session", error);
  }
}

/** Deletes all saved sessions of the account. */
export const wipeResearch = (accountId: string): Promise<void> => withStorageTimeout(deleteDB(databaseName(accountId)));
