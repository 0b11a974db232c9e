import type { Deps } from "#api/http/handler.ts";
export { moveMarks } from "./favourites.ts";
export { forgetDeck } from "./store.ts";
import { GENERATION } from "./generation.ts";
import { generate } from "./worker.ts";

/** Lets this process run generation jobs. */
export function registerGeneration(deps: Deps): void {
  deps.jobs.register(GENERATION, (run) => generate(deps, run));
}
