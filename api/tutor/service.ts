import type { Deps } from "#api/http/handler.ts";
import { ANSWER, writeAnswer } from "./worker.ts";

/** Concurrent answers per process: an answer mostly waits for its model. */
const PLACES = 64;

/** Lets this process run answer jobs. */
export function registerTutor(deps: Deps): void {
  deps.jobs.register(ANSWER, (run) => writeAnswer(deps, run), PLACES);
}
