import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Favorite } from "#shared/library/schema.ts";
import { summarize } from "#shared/pages/present.ts";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { listKeptPages } from "#shared/sync/local-store.ts";
import { logTrouble } from "#webapp/app/log.ts";

/** What an account has, as its lists show it. */
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

/** Lists longer than this take too long to write down each time they come. */
const MOST = 20_000;

/** One database for each account: signing out takes it away as a whole. */
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

/** Keeps a list as it was told last, for when nobody can be asked. */
export async function keepList<K extends keyof Lists>(accountId: string, name: K, list: Lists[K]): Promise<void> {
  if (lengthOf(list) <= MOST) await withLists(accountId, (db) => db.put("lists", list, name));
}

export async function findKeptList<K extends keyof Lists>(accountId: string, name: K): Promise<Lists[K] | undefined> {
  try {
    // What is kept under a name is what was put there.
    return (await withLists(accountId, (db) => db.get("lists", name))) as Lists[K] | undefined;
  } catch (error) {
    logTrouble("Lists kept in this browser could not be read", error);
    return undefined;
  }
}

/** What the account has as this browser knows it: the list that was told last, and pages that were made and opened since. */
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

/** Nothing of what the account has stays in this browser. */
export const wipeLists = (accountId: string): Promise<void> => deleteDB(nameFor(accountId));
