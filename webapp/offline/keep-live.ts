import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Follows the signed-in account's remote changes; loaded without delaying the first screen. */
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
  const begin = () => void follow().catch((error: unknown) => logTrouble("Could not start live updates", error));
  store.sub(accountIdAtom, begin);
  begin();
}
