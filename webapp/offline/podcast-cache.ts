import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";
import { openInTime } from "#shared/sync/storage/open-database.ts";
import { withStorageTimeout } from "#shared/sync/storage/storage-timeout.ts";
import { renameNotices } from "#shared/podcasts/renamed-notices.ts";
import type { Podcast, PodcastTranscript } from "#shared/podcasts/schema.ts";
import { logWarning } from "#webapp/app/log.ts";

/** An episode that was saved for offline use, with its audio. */
export interface CachedPodcast {
  id: string;
  podcast: Podcast;
  transcript: PodcastTranscript;
  audio: Blob;
  /** Missing if it could not be loaded, and in episodes that earlier versions saved. */
  cover?: Blob;
}

interface PodcastCacheSchema extends DBSchema {
  podcasts: { key: string; value: CachedPodcast };
}

/** One database per account, so that signing out deletes it as a whole. */
const databaseName = (accountId: string) => `lamplight-podcasts-${accountId}`;

async function withDatabase<T>(
  accountId: string,
  work: (db: IDBPDatabase<PodcastCacheSchema>) => Promise<T>,
): Promise<T> {
  const opening = openDB<PodcastCacheSchema>(databaseName(accountId), 1, {
    upgrade: (database) => void database.createObjectStore("podcasts", { keyPath: "id" }),
  });
  const db = await openInTime(opening);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

export const cachePodcast = (accountId: string, cached: CachedPodcast): Promise<void> =>
  withDatabase(accountId, async (db) => void (await db.put("podcasts", cached)));

export const removeCachedPodcast = (accountId: string, id: string): Promise<void> =>
  withDatabase(accountId, (db) => db.delete("podcasts", id));

export async function findCachedPodcast(accountId: string, id: string): Promise<CachedPodcast | undefined> {
  try {
    const cached = await withDatabase(accountId, (db) => db.get("podcasts", id));
    return cached && toPresent(cached);
  } catch (error) {
    logWarning("Could not read saved podcasts", error);
    return undefined;
  }
}

export async function listCachedPodcasts(accountId: string): Promise<CachedPodcast[]> {
  try {
    return (await withDatabase(accountId, (db) => db.getAll("podcasts"))).map(toPresent);
  } catch (error) {
    logWarning("Could not read saved podcasts", error);
    return [];
  }
}

const toPresent = (cached: CachedPodcast): CachedPodcast => ({ ...cached, podcast: renameNotices(cached.podcast) });

/** Deletes all saved podcasts of the account. */
export const wipePodcasts = (accountId: string): Promise<void> => withStorageTimeout(deleteDB(databaseName(accountId)));
