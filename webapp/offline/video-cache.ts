import { deleteDB, openDB, type DBSchema, type IDBPDatabase, unwrap } from "idb";
import { openInTime } from "#shared/sync/storage/open-database.ts";
import { renameField } from "#shared/sync/storage/rename-stored.ts";
import { withStorageTimeout } from "#shared/sync/storage/storage-timeout.ts";
import type { Output } from "#shared/contract/endpoint.ts";
import type { video } from "#shared/video/contract.ts";
import type { Transcript } from "#shared/video/schema.ts";
import { logWarning } from "#webapp/app/log.ts";

/** A video's details and transcript, cached for offline reading. */
export interface CachedVideo {
  id: string;
  openedAt: number;
  info: Output<typeof video.getVideo>;
  transcript: Transcript;
}

interface VideoCacheSchema extends DBSchema {
  videos: { key: string; value: CachedVideo; indexes: { age: number } };
}

/** The maximum per account. The least recently opened videos are evicted first. */
const MAX_VIDEOS = 60;

/** One database per account, so that signing out deletes it as a whole. */
const databaseName = (accountId: string) => `lamplight-videos-${accountId}`;

async function withDatabase<T>(
  accountId: string,
  work: (db: IDBPDatabase<VideoCacheSchema>) => Promise<T>,
): Promise<T> {
  const opening = openDB<VideoCacheSchema>(databaseName(accountId), 2, {
    upgrade(database, from, _to, transaction) {
      if (from === 0) {
        database.createObjectStore("videos", { keyPath: "id" }).createIndex("age", "openedAt");
        return;
      }
      const videos = unwrap(transaction).objectStore("videos");
      renameField(videos, "keptAt", "openedAt");
      videos.deleteIndex("age");
      videos.createIndex("age", "openedAt");
    },
  });
  const db = await openInTime(opening);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

export async function cacheVideo(accountId: string, cachedVideo: CachedVideo): Promise<void> {
  try {
    await withDatabase(accountId, async (db) => {
      await db.put("videos", cachedVideo);
      const ages = await db.getAllKeysFromIndex("videos", "age");
      for (const id of ages.slice(0, Math.max(0, ages.length - MAX_VIDEOS))) await db.delete("videos", id);
    });
  } catch (error) {
    logWarning("Could not cache a video", error);
  }
}

export async function findCachedVideo(accountId: string, id: string): Promise<CachedVideo | undefined> {
  try {
    return await withDatabase(accountId, (db) => db.get("videos", id));
  } catch (error) {
    logWarning("Could not read cached videos", error);
    return undefined;
  }
}

/** Deletes all cached videos of the account. */
export const wipeVideos = (accountId: string): Promise<void> => withStorageTimeout(deleteDB(databaseName(accountId)));
