import { Failure } from "#shared/contract/failure.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { arePaymentsConfigured } from "#api/settings.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { type BillingDeps, lookAgain } from "./look.ts";
import { listDuePayers, removePaymentEventsBefore, saveNextLook } from "./store.ts";

const INTERVAL_MS = 60_000;
const POSTPONED_MS = 60 * 60_000;
/** Stripe's own limit is 100 calls a second; ours leaves it to the students. */
const MAX_PER_RUN = 100;
/** Stripe sends an event again for three days; a replay by hand can come much later. */
const EVENT_RETENTION_MS = 400 * 86_400_000;

/** Looks at the accounts that are due, whose events may have been lost; returns how many. */
export async function sweepPayers(deps: BillingDeps): Promise<number> {
  const now = deps.clock.now();
  await removePaymentEventsBefore(deps.store, now - EVENT_RETENTION_MS);
  const due = await listDuePayers(deps.store, now, MAX_PER_RUN);
  for (const { ownerId } of due) await lookOrPostpone(deps, ownedBy(deps.store, ownerId));
  return due.length;
}

/** One account that cannot be looked at does not hold up the others; a provider that is down ends the run. */
async function lookOrPostpone(deps: BillingDeps, own: Own): Promise<void> {
  try {
    await lookAgain(deps, own);
  } catch (error) {
    if (error instanceof Failure && error.code === "unreachable") throw error;
    deps.log.error({ err: error, userId: own.ownerId }, "could not look at a subscription");
    await saveNextLook(own, deps.clock.now() + POSTPONED_MS);
  }
}

export function startPayerSweep(deps: BillingDeps): () => void {
  if (!arePaymentsConfigured(deps.settings)) return () => undefined;
  return runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not look at subscriptions",
    work: () => sweepPayers(deps),
  });
}
