import type { Deps } from "#api/http/handler.ts";
import { repeat } from "#api/jobs/repeating.ts";
import { removeAppliedBefore } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * How long request ids are remembered. A browser keeps unacknowledged requests and may send them again after a year
 * offline. Even a later repeat loses nothing, because component ids and versions still prevent duplicates.
 */
const KEPT_MS = 400 * DAY_MS;
const FIRST_MS = 5 * 60 * 1000;
const EVERY_MS = 6 * 60 * 60 * 1000;

/** Removes expired request ids; returns how many. */
export const forgetOldRequests = ({ store, clock }: Pick<Deps, "store" | "clock">): Promise<number> =>
  removeAppliedBefore(store, clock.now() - KEPT_MS);

/** Prunes at intervals; returns a function that stops it. */
export const keepForgetting = (deps: Deps): (() => void) =>
  repeat({
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    log: deps.log,
    failed: "could not prune old requests",
    work: () => forgetOldRequests(deps),
  });
