import type { Deps } from "#api/http/handler.ts";
import { ANSWER, writeAnswer } from "./worker.ts";

/** An answer mostly waits for its model. */
const PLACES = 64;

/** Lets this process work on answers. */
export function registerTutor(deps: Deps): void {
  deps.jobs.register(ANSWER, (run) => writeAnswer(deps, run), PLACES);
}
