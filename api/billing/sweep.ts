import { retentionMs } from "#shared/retention.ts";
import { Failure } from "#shared/contract/failure.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { arePaymentsConfigured } from "#api/settings.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { type BillingDeps, refreshPlan } from "./refresh-plan.ts";
import { listDuePayers, removePaymentEventsBefore, saveNextRefresh } from "./store.ts";

const INTERVAL_MS = 60_000;
const POSTPONED_MS = 60 * 60_000;
/** Stripe allows 100 calls a second. This limit leaves nearly all of them to the students. */
const MAX_PER_RUN = 100;
/** Stripe sends an event again for three days; a replay by hand can come much later. */
const EVENT_RETENTION_MS = retentionMs("paymentEvents");

/** Refreshes the plans that are due, because events may have been lost; returns how many. */
export async function sweepPayers(deps: BillingDeps): Promise<number> {
  const now = deps.clock.now();
  await removePaymentEventsBefore(deps.store, now - EVENT_RETENTION_MS);
  const due = await listDuePayers(deps.store, now, MAX_PER_RUN);
  for (const { ownerId } of due) await refreshOrPostpone(deps, ownedBy(deps.store, ownerId));
  return due.length;
}

/** If one account fails, it is postponed and the others continue. If the provider is down, the run ends. */
async function refreshOrPostpone(deps: BillingDeps, own: Own): Promise<void> {
  try {
    await refreshPlan(deps, own);
  } catch (error) {
    if (error instanceof Failure && error.code === "unreachable") throw error;
    deps.log.error({ err: error, userId: own.ownerId }, "could not refresh a subscription");
    await saveNextRefresh(own, deps.clock.now() + POSTPONED_MS);
  }
}

export function startPayerSweep(deps: BillingDeps): () => void {
  if (!arePaymentsConfigured(deps.settings)) return () => undefined;
  return runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not refresh subscriptions",
    work: () => sweepPayers(deps),
  });
}
