import { NoResponseError } from "#shared/client/client.ts";
import type { Atom } from "jotai/vanilla";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import type { CachedLists } from "./list-cache.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** The cache module is loaded on demand, so that it does not delay the first screen. */
export const loadListCache = () => import("./list-cache.ts");

/** A list that changes several times within this time is written once. */
const DEBOUNCE_MS = 1000;

/** Caches a list in this browser whenever it changes. `listOf` returns undefined if there is nothing to cache. */
export function cacheOnChange<T, K extends keyof CachedLists>(
  name: K,
  shown: Atom<T>,
  listOf: (shown: T) => CachedLists[K] | undefined,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const writeCache = () => {
    timer = undefined;
    const accountId = store.get(accountIdAtom);
    const list = listOf(store.get(shown));
    if (accountId === undefined || list === undefined) return;
    loadListCache()
      .then(({ cacheList }) => cacheList(accountId, name, list))
      .catch((error: unknown) => logWarning("Could not cache a list", error));
  };
  store.sub(shown, () => {
    timer ??= setTimeout(writeCache, DEBOUNCE_MS);
  });
}

/** Reads a cached value if the request failed because the server was unreachable. */
export async function readCachedIfOffline<T>(
  accountId: string | undefined,
  error: unknown,
  read: (accountId: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  return error instanceof NoResponseError && accountId !== undefined
    ? read(accountId).catch(() => undefined)
    : undefined;
}
