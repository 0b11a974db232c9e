import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { eraseOldOutcomes } from "#api/store/figures/card-outcomes.ts";
import { foldFigures } from "#api/store/figures/fold.ts";

const INTERVAL_MS = 10 * 60_000;

/**
 * Sums what was counted, every ten minutes, and erases what is too old to count; reading the figures sums it at once.
 * Returns a function that stops it.
 */
export const startFolding = (deps: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "figures could not be summed",
    work: async () => {
      await foldFigures(deps);
      await eraseOldOutcomes(deps);
    },
  });
