import type { Deps } from "#api/http/handler.ts";
import { ANSWER_JOB, writeAnswer } from "./answer-job.ts";

/** Concurrent answers per process: an answer mostly waits for its model. */
const MAX_CONCURRENT_JOBS = 64;

/** Lets this process run answer jobs. */
export function registerTutor(deps: Deps): void {
  deps.jobs.register(ANSWER_JOB, (run) => writeAnswer(deps, run), MAX_CONCURRENT_JOBS);
}
