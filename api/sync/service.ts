import type { Deps } from "#api/http/handler.ts";
import { repeat } from "#api/jobs/repeating.ts";
import { removeAppliedBefore } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * How long a request's id stays known. A browser keeps what was not answered and may send it again whenever it is next
 * opened: after a summer, after a year abroad. What is sent again later than this is taken as new, and loses nothing
 * even then: ids of things and versions of texts still tell it from another.
 */
const KEPT_MS = 400 * DAY_MS;
const FIRST_MS = 5 * 60 * 1000;
const EVERY_MS = 6 * 60 * 60 * 1000;

/** Forgets the ids of requests that no browser will send again; answers how many. */
export const forgetOldRequests = ({ store, clock }: Pick<Deps, "store" | "clock">): Promise<number> =>
  removeAppliedBefore(store, clock.now() - KEPT_MS);

/** Forgets now and then until it is stopped; answers how to stop. */
export const keepForgetting = (deps: Deps): (() => void) =>
  repeat({
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    log: deps.log,
    failed: "could not forget old requests",
    work: () => forgetOldRequests(deps),
  });
