import type { Change } from "#shared/sync/schema.ts";
import { accountIdAtom } from "./account-atom.ts";
import { logTrouble } from "./log.ts";
import { store } from "./store.ts";

type Heard = (changes: readonly Change[]) => void;

const listeners = new Set<Heard>();

/** Told of what was changed in the account by another tab, another device or a job; answers how to stop. */
export function onRemoteChanges(listener: Heard): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellRemoteChanges(changes: readonly Change[]): void {
  for (const listener of listeners) listener(changes);
}

/** From now on whoever is signed in hears of what is changed elsewhere; the first screen does not wait for it. */
export function keepLive(): void {
  let stop: (() => void) | undefined;
  let turn = 0;
  const follow = async () => {
    turn += 1;
    const mine = turn;
    stop?.();
    stop = undefined;
    const accountId = store.get(accountIdAtom);
    if (accountId === undefined) return;
    const { followAccount } = await import("./live.ts");
    if (mine === turn) stop = followAccount(accountId);
  };
  const begin = () =>
    void follow().catch((error: unknown) => logTrouble("Changes made elsewhere are not followed", error));
  store.sub(accountIdAtom, begin);
  begin();
}
