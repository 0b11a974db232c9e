import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Follows the signed-in account's remote changes; loaded without delaying the first screen. */
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
    const own = generation;
    const accountId = store.get(accountIdAtom);
    if (accountId === undefined) return;
    const { followAccount } = await import("./live-updates.ts");
    if (own === generation) stop = followAccount(accountId, { isRestored });
  };
  const restart = (isRestored: boolean) =>
    void follow(isRestored).catch((error: unknown) => logWarning("Could not start live updates", error));
  store.sub(accountIdAtom, () => restart(false));
  // A page in the back/forward cache is frozen: it must not keep the lock from the tabs that are open.
  window.addEventListener("pagehide", end);
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) restart(true);
  });
  restart(false);
}
