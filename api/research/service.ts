import type { Deps } from "#api/http/handler.ts";
import { workOnResearch } from "./run/research-run.ts";
import { RESEARCH_JOB } from "./run/run-input.ts";

/** Concurrent runs per process: a run mostly waits for the network or a model. */
const MAX_CONCURRENT_RUNS = 8;

/** Lets this process run research jobs. */
export function registerResearch(deps: Deps): void {
  deps.jobs.register(RESEARCH_JOB, (run) => workOnResearch(deps, run), MAX_CONCURRENT_RUNS);
}
