import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Follows the signed-in account's remote changes; loaded without delaying the first screen. */
export function startLiveUpdates(): void {
  let stop: (() => void) | undefined;
  let generation = 0;
  const follow = async () => {
    generation += 1;
    const own = generation;
    stop?.();
    stop = undefined;
    const accountId = store.get(accountIdAtom);
    if (accountId === undefined) return;
    const { followAccount } = await import("./live-updates.ts");
    if (own === generation) stop = followAccount(accountId);
  };
  const restart = () => void follow().catch((error: unknown) => logWarning("Could not start live updates", error));
  store.sub(accountIdAtom, restart);
  restart();
}
