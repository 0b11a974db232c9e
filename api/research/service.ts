import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { eraseArchivedResearch } from "./erase-session.ts";
import { workOnResearch } from "./run/research-run.ts";
import { RESEARCH_JOB } from "./run/run-input.ts";

/** Concurrent runs per process: a run mostly waits for the network or a model. */
const MAX_CONCURRENT_RUNS = 8;

const ERASING_INTERVAL_MS = 6 * 60 * 60 * 1000;

/** Erases archived sessions at intervals; returns a function that stops it. */
export const startResearchErasing = (deps: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: ERASING_INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not erase archived research sessions",
    work: () => eraseArchivedResearch(deps),
  });

/** Lets this process run research jobs. */
export function registerResearch(deps: Deps): void {
  deps.jobs.register(RESEARCH_JOB, (run) => workOnResearch(deps, run), MAX_CONCURRENT_RUNS);
}
