import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Output } from "#shared/contract/endpoint.ts";
import type { video } from "#shared/video/contract.ts";
import type { Transcript } from "#shared/video/schema.ts";
import { logTrouble } from "#webapp/app/log.ts";

/** A cached video with its transcript, readable offline. */
export interface KeptVideo {
  id: string;
  keptAt: number;
  info: Output<typeof video.getVideo>;
  transcript: Transcript;
}

interface Kept extends DBSchema {
  videos: { key: string; value: KeptVideo; indexes: { age: number } };
}

/** The maximum per account; least recently opened videos are evicted first. */
const MAX_VIDEOS = 60;

/** One database per account, so that signing out deletes it as a whole. */
const nameFor = (accountId: string) => `lamplight-videos-${accountId}`;

async function withVideos<T>(accountId: string, work: (db: IDBPDatabase<Kept>) => Promise<T>): Promise<T> {
  const db = await openDB<Kept>(nameFor(accountId), 1, {
    upgrade(made) {
      made.createObjectStore("videos", { keyPath: "id" }).createIndex("age", "keptAt");
    },
  });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

export async function keepVideo(accountId: string, kept: KeptVideo): Promise<void> {
  try {
    await withVideos(accountId, async (db) => {
      await db.put("videos", kept);
      const ages = await db.getAllKeysFromIndex("videos", "age");
      for (const id of ages.slice(0, Math.max(0, ages.length - MAX_VIDEOS))) await db.delete("videos", id);
    });
  } catch (error) {
    logTrouble("Could not cache a video", error);
  }
}

export async function findKeptVideo(accountId: string, id: string): Promise<KeptVideo | undefined> {
  try {
    return await withVideos(accountId, (db) => db.get("videos", id));
  } catch (error) {
    logTrouble("Could not read cached videos", error);
    return undefined;
  }
}

/** Deletes all cached videos of the account. */
export const wipeVideos = (accountId: string): Promise<void> => deleteDB(nameFor(accountId));
