import type { Deps } from "#api/http/handler.ts";
import { eraseOldEvents } from "#api/feedback/store.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { eraseOldOutcomes } from "#api/store/figures/card-outcomes.ts";
import { rollUpFigures } from "#api/store/figures/roll-up.ts";

const INTERVAL_MS = 10 * 60_000;

/**
 * Every ten minutes: adds new records to the daily figures, then erases card outcomes and analytics events past their
 * retention. (A request for the figures adds new records first, too.) Returns a function that stops the timer.
 */
export const startFigureMaintenance = (deps: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "figure maintenance failed",
    work: async () => {
      await rollUpFigures(deps);
      await eraseOldOutcomes(deps);
      await eraseOldEvents(deps.store, deps.clock.now());
    },
  });
