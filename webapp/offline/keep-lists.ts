import { NoAnswer } from "#shared/client/client.ts";
import type { Atom } from "jotai/vanilla";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import type { Lists } from "./kept-lists.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Loaded on demand, so that it does not delay the first screen. */
export const keptLists = () => import("./kept-lists.ts");

/** Debounce: a list that changes several times within this time is written once. */
const REST_MS = 1000;

/** Caches a list in this browser whenever it changes; `listOf` returns undefined when there is nothing to cache. */
export function keepAsItIs<T, K extends keyof Lists>(
  name: K,
  shown: Atom<T>,
  listOf: (shown: T) => Lists[K] | undefined,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    timer = undefined;
    const accountId = store.get(accountIdAtom);
    const list = listOf(store.get(shown));
    if (accountId === undefined || list === undefined) return;
    keptLists()
      .then(({ keepList }) => keepList(accountId, name, list))
      .catch((error: unknown) => logTrouble("Could not cache a list", error));
  };
  store.sub(shown, () => {
    timer ??= setTimeout(keep, REST_MS);
  });
}

/** Reads a cached value if the request failed because the server was unreachable. */
export async function recalled<T>(
  accountId: string | undefined,
  error: unknown,
  read: (accountId: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  return error instanceof NoAnswer && accountId !== undefined ? read(accountId).catch(() => undefined) : undefined;
}
