import type { Deps } from "#api/http/handler.ts";
import { GENERATION_JOB } from "./generation.ts";
import { runGeneration } from "./generation-job.ts";

/** Lets this process run generation jobs. */
export function registerGenerationJobs(deps: Deps): void {
  deps.jobs.register(GENERATION_JOB, (run) => runGeneration(deps, run));
}
