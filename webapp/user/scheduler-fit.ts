import type { Output } from "#shared/contract/endpoint.ts";
import type { v1 } from "#shared/contract/v1.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

type FitState = Output<typeof v1.study.getFit>;
type Run = Output<typeof v1.study.fitWeights>["state"] | "running" | "failed" | "removed";

/** The state of the fitted scheduler weights and of the latest run; null until loaded. */
export const fitAtom = accountAtom<(FitState & { run: Run | null }) | null>(null);

export async function loadFit(): Promise<void> {
  try {
    const loaded = await client.study.getFit({});
    store.set(fitAtom, (shown) => ({ ...loaded, run: shown?.run ?? null }));
  } catch (error) {
    logWarning("Failed to load the fitted scheduler weights", error);
  }
}

const setRun = (run: Run) => store.set(fitAtom, (shown) => shown && { ...shown, run });

/** Restores the scheduler's default weights; resolves to whether that succeeded. */
export async function removeFit(): Promise<boolean> {
  setRun("running");
  try {
    store.set(fitAtom, { ...(await client.study.removeFit({})), run: "removed" });
    return true;
  } catch (error) {
    logWarning("Could not restore the default scheduler weights", error);
    setRun("failed");
    return false;
  }
}

export async function runFit(): Promise<void> {
  setRun("running");
  try {
    const { state } = await client.study.fitWeights({});
    await loadFit();
    setRun(state);
  } catch (error) {
    logWarning("Fitting the scheduler weights failed", error);
    setRun("failed");
  }
}
