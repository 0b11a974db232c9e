import { NoAnswer } from "#shared/client/client.ts";
import type { Atom } from "jotai/vanilla";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import type { Lists } from "./kept-lists.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Fetched when there is something to keep or to recall: no first screen waits for it. */
export const keptLists = () => import("./kept-lists.ts");

/** Lists that change again and again within this time are written down once. */
const REST_MS = 1000;

/** Keeps a list in this browser whenever it has changed; `listOf` answers undefined for what need not be kept. */
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
      .catch((error: unknown) => logTrouble("A list could not be kept in this browser", error));
  };
  store.sub(shown, () => {
    timer ??= setTimeout(keep, REST_MS);
  });
}

/** What this browser was told last, where nobody can be asked. */
export async function recalled<T>(
  accountId: string | undefined,
  error: unknown,
  read: (accountId: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  return error instanceof NoAnswer && accountId !== undefined ? read(accountId).catch(() => undefined) : undefined;
}
