import type { Deps } from "#api/http/handler.ts";
export { moveMarks } from "./favourites.ts";
export { forgetDeck } from "./store.ts";
import { GENERATION } from "./generation.ts";
import { generate } from "./worker.ts";

/** Lets this process work on generations. */
export function registerGeneration(deps: Deps): void {
  deps.jobs.register(GENERATION, (run) => generate(deps, run));
}
