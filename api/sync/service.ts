import { retentionMs } from "#shared/retention.ts";
import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { removeAppliedBefore } from "./store.ts";

/**
 * How long request ids are remembered. A browser keeps unacknowledged requests and may send them again after a year
 * offline. Even a later repeat loses nothing, because component ids and versions still prevent duplicates.
 */
const REQUEST_RETENTION_MS = retentionMs("appliedRequests");
const FIRST_DELAY_MS = 5 * 60 * 1000;
const INTERVAL_MS = 6 * 60 * 60 * 1000;

/** Removes expired request ids; returns how many. */
export const pruneOldRequests = ({ store, clock }: Pick<Deps, "store" | "clock">): Promise<number> =>
  removeAppliedBefore(store, clock.now() - REQUEST_RETENTION_MS);

/** Prunes at intervals; returns a function that stops it. */
export const startRequestPruning = (deps: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    firstDelayMs: FIRST_DELAY_MS,
    log: deps.log,
    failureMessage: "could not prune old requests",
    work: () => pruneOldRequests(deps),
  });
