import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/**
 * Follows the account's remote changes. The module for this is loaded on demand, so that it does not delay the screen.
 */
export function startLiveUpdates(): void {
  let stop: (() => void) | undefined;
  let generation = 0;
  const end = () => {
    generation += 1;
    stop?.();
    stop = undefined;
  };
  const follow = async (isRestored: boolean) => {
    end();
    const startedGeneration = generation;
    const accountId = store.get(accountIdAtom);
    if (accountId === undefined) return;
    const { followAccount } = await import("./live-updates.ts");
    if (startedGeneration === generation) stop = followAccount(accountId, { isRestored });
  };
  const restart = (isRestored: boolean) =>
    void follow(isRestored).catch((error: unknown) => logWarning("Could not start live updates", error));
  store.sub(accountIdAtom, () => restart(false));
  // A page in the back/forward cache is frozen, so it must not hold the lock that open tabs need.
  window.addEventListener("pagehide", end);
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) restart(true);
  });
  restart(false);
}
