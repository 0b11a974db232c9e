import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Favorite } from "#shared/library/schema.ts";
import { summariseComponent } from "#shared/pages/present.ts";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { ResearchListItem } from "#shared/research/schema.ts";
import type { KnownDeck } from "#shared/study/all-due.ts";
import { listCachedPages } from "#shared/sync/storage/local-store.ts";
import { openInTime } from "#shared/sync/storage/open-database.ts";
import { withStorageTimeout } from "#shared/sync/storage/storage-timeout.ts";
import { logWarning } from "#webapp/app/log.ts";
import { listCachedResearch } from "./research-cache.ts";

/** An account's pages and components, as shown in lists. */
export interface CachedContent {
  pages: readonly Page[];
  components: readonly ComponentSummary[];
  /** The research sessions that can be read offline. */
  research_sessions?: readonly ResearchListItem[];
}

export interface CachedLists {
  content: CachedContent;
  due: readonly KnownDeck[];
  pins: readonly Favorite[];
}

interface ListCacheSchema extends DBSchema {
  lists: { key: string; value: unknown };
}

/** Longer lists are not cached, because writing them on every change would take too long. */
const MAX_CACHED_ITEMS = 20_000;

/** One database per account, so that signing out deletes it as a whole. */
const databaseName = (accountId: string) => `lamplight-lists-${accountId}`;

async function withDatabase<T>(accountId: string, work: (db: IDBPDatabase<ListCacheSchema>) => Promise<T>): Promise<T> {
  const opening = openDB<ListCacheSchema>(databaseName(accountId), 1, {
    upgrade: (database) => void database.createObjectStore("lists"),
  });
  const db = await openInTime(opening);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

const countItems = (list: CachedLists[keyof CachedLists]) =>
  "pages" in list ? list.pages.length + list.components.length : list.length;

/** Stores the latest version of a list for offline use. */
export async function cacheList<K extends keyof CachedLists>(
  accountId: string,
  name: K,
  list: CachedLists[K],
): Promise<void> {
  if (countItems(list) <= MAX_CACHED_ITEMS) await withDatabase(accountId, (db) => db.put("lists", list, name));
}

export async function findCachedList<K extends keyof CachedLists>(
  accountId: string,
  name: K,
): Promise<CachedLists[K] | undefined> {
  try {
    // The key determines the type of the stored value.
    return (await withDatabase(accountId, (db) => db.get("lists", name))) as CachedLists[K] | undefined;
  } catch (error) {
    logWarning("Could not read cached lists", error);
    return undefined;
  }
}

/** The account's content in this browser: the cached list, the pages opened since, and the cached research sessions. */
export async function findCachedContent(accountId: string): Promise<CachedContent | undefined> {
  const [list, opened, sessions] = await Promise.all([
    findCachedList(accountId, "content"),
    listCachedPages(accountId).catch(() => []),
    listCachedResearch(accountId),
  ]);
  const known = new Set((list?.pages ?? []).map(({ _id }) => _id));
  const newerPages = opened.filter(({ page }) => page !== undefined && !known.has(page._id));
  if (!list && newerPages.length === 0) return undefined;
  return {
    pages: [...(list?.pages ?? []), ...newerPages.flatMap(({ page }) => page ?? [])],
    components: [
      ...(list?.components ?? []),
      ...newerPages.flatMap(({ components }) => components.map(summariseComponent)),
    ],
    research_sessions: sessions.map(
      ({ _id, conversation_title, created_at, last_opened, is_archived, archived_at }) => ({
        _id,
        conversation_title,
        created_at,
        last_opened,
        is_archived,
        archived_at,
      }),
    ),
  };
}

/** Deletes all cached lists of the account. */
export const wipeLists = (accountId: string): Promise<void> => withStorageTimeout(deleteDB(databaseName(accountId)));
