import { atom } from "jotai/vanilla";
import { z } from "zod";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { store } from "#webapp/app/store.ts";

const MAX_RECENT = 5;
/** Shorter searches are usually unfinished. */
const MIN_LENGTH = 2;
const MAX_LENGTH = 400;
const Stored = z.array(z.string().max(MAX_LENGTH)).max(MAX_RECENT);

/** The key contains the account's id, so that signing out removes the entry. */
const storageKey = (accountId: string) => `recent_searches_${accountId}`;
const changedAtom = atom(0);

function read(accountId: string | undefined): readonly string[] {
  if (accountId === undefined) return [];
  try {
    return Stored.parse(JSON.parse(readLocal(storageKey(accountId)) ?? "[]"));
  } catch {
    return [];
  }
}

/** Searches from which a result was opened, newest first. They are stored only in this browser. */
export const recentSearchesAtom = atom((get) => {
  get(changedAtom);
  return read(get(accountIdAtom));
});

const notifyChanged = () => store.set(changedAtom, (count) => count + 1);

export function addRecentSearch(words: string): void {
  const accountId = store.get(accountIdAtom);
  const search = words.trim().slice(0, MAX_LENGTH).trim();
  if (accountId === undefined || search.length < MIN_LENGTH) return;
  const others = read(accountId).filter((other) => other.toLowerCase() !== search.toLowerCase());
  writeLocal(storageKey(accountId), JSON.stringify([search, ...others].slice(0, MAX_RECENT)));
  notifyChanged();
}

export function clearRecentSearches(): void {
  const accountId = store.get(accountIdAtom);
  if (accountId !== undefined) removeLocal(storageKey(accountId));
  notifyChanged();
}
