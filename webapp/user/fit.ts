import type { Output } from "#shared/contract/endpoint.ts";
import type { v1 } from "#shared/contract/v1.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

type Told = Output<typeof v1.study.getFit>;
type Run = Output<typeof v1.study.fitWeights>["state"] | "running" | "failed" | "removed";

/** How the scheduler is fitted to the student, and what came of asking for it now; null until it is known. */
export const fitAtom = accountAtom<(Told & { run: Run | null }) | null>(null);

export async function loadFit(): Promise<void> {
  try {
    const told = await client.study.getFit({});
    store.set(fitAtom, (shown) => ({ ...told, run: shown?.run ?? null }));
  } catch (error) {
    logTrouble("Failed to load how the scheduler is fitted", error);
  }
}

const show = (run: Run) => store.set(fitAtom, (shown) => shown && { ...shown, run });

/** Goes back to the scheduler's own numbers; resolves to whether it did. */
export async function unfit(): Promise<boolean> {
  show("running");
  try {
    store.set(fitAtom, { ...(await client.study.removeFit({})), run: "removed" });
    return true;
  } catch (error) {
    logTrouble("The scheduler's own numbers could not be taken back", error);
    show("failed");
    return false;
  }
}

export async function fitNow(): Promise<void> {
  show("running");
  try {
    const { state } = await client.study.fitWeights({});
    await loadFit();
    show(state);
  } catch (error) {
    logTrouble("A fitting failed", error);
    show("failed");
  }
}
