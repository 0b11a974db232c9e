import type { Output } from "#shared/contract/endpoint.ts";
import type { v1 } from "#shared/contract/v1.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount, watchSession } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

type FitState = Output<typeof v1.study.getFit>;
type Run = Output<typeof v1.study.fitWeights>["state"] | "running" | "failed" | "removed";

/** The state of the fitted scheduler weights and of the latest run; null until loaded. */
export const fitAtom = accountAtom<(FitState & { run: Run | null }) | null>(null);

export const loadFit = (): Promise<void> =>
  loadForAccount(
    () => client.study.getFit({}),
    (loaded) => store.set(fitAtom, (shown) => ({ ...loaded, run: shown?.run ?? null })),
    (error) => logWarning("Failed to load the fitted scheduler weights", error),
  );

const setRun = (run: Run) => store.set(fitAtom, (shown) => shown && { ...shown, run });

/** Restores the scheduler's default weights; resolves to whether that succeeded. */
export async function removeFit(): Promise<boolean> {
  const isCurrent = watchSession();
  setRun("running");
  try {
    const removed = await client.study.removeFit({});
    if (isCurrent()) store.set(fitAtom, { ...removed, run: "removed" });
    return true;
  } catch (error) {
    logWarning("Could not restore the default scheduler weights", error);
    if (isCurrent()) setRun("failed");
    return false;
  }
}

export function runFit(): Promise<void> {
  setRun("running");
  return loadForAccount(
    async () => {
      const { state } = await client.study.fitWeights({});
      await loadFit();
      return state;
    },
    setRun,
    (error) => {
      logWarning("Fitting the scheduler weights failed", error);
      setRun("failed");
    },
  );
}
