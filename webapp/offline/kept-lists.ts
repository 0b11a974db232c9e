import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Favorite } from "#shared/library/schema.ts";
import { summarize } from "#shared/pages/present.ts";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { listKeptPages } from "#shared/sync/local-store.ts";
import { logTrouble } from "#webapp/app/log.ts";

/** An account's pages and components, as shown in lists. */
export interface ContentList {
  pages: readonly Page[];
  components: readonly ComponentSummary[];
}

export interface Lists {
  content: ContentList;
  due: readonly DueDeck[];
  pins: readonly Favorite[];
}

interface Kept extends DBSchema {
  lists: { key: string; value: unknown };
}

/** Longer lists take too long to write on every change. */
const MOST = 20_000;

/** One database per account, so that signing out deletes it as a whole. */
const nameFor = (accountId: string) => `lamplight-lists-${accountId}`;

async function withLists<T>(accountId: string, work: (db: IDBPDatabase<Kept>) => Promise<T>): Promise<T> {
  const db = await openDB<Kept>(nameFor(accountId), 1, { upgrade: (made) => void made.createObjectStore("lists") });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

const lengthOf = (list: Lists[keyof Lists]) =>
  "pages" in list ? list.pages.length + list.components.length : list.length;

/** Stores the latest version of a list for offline use. */
export async function keepList<K extends keyof Lists>(accountId: string, name: K, list: Lists[K]): Promise<void> {
  if (lengthOf(list) <= MOST) await withLists(accountId, (db) => db.put("lists", list, name));
}

export async function findKeptList<K extends keyof Lists>(accountId: string, name: K): Promise<Lists[K] | undefined> {
  try {
    // The key determines the type of the stored value.
    return (await withLists(accountId, (db) => db.get("lists", name))) as Lists[K] | undefined;
  } catch (error) {
    logTrouble("Could not read cached lists", error);
    return undefined;
  }
}

/** The account's content as far as this browser knows it: the cached list, plus pages created or opened since. */
export async function findKeptContent(accountId: string): Promise<ContentList | undefined> {
  const [list, opened] = await Promise.all([
    findKeptList(accountId, "content"),
    listKeptPages(accountId).catch(() => []),
  ]);
  const known = new Set((list?.pages ?? []).map(({ _id }) => _id));
  const since = opened.filter(({ page }) => page !== undefined && !known.has(page._id));
  if (!list && since.length === 0) return undefined;
  return {
    pages: [...(list?.pages ?? []), ...since.flatMap(({ page }) => page ?? [])],
    components: [...(list?.components ?? []), ...since.flatMap(({ components }) => components.map(summarize))],
  };
}

/** Deletes all cached lists of the account. */
export const wipeLists = (accountId: string): Promise<void> => deleteDB(nameFor(accountId));
