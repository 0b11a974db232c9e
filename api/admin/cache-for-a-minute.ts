import type { UserCtx } from "#api/http/handler.ts";
import type { DocumentStore } from "#api/store/port.ts";

type CountDeps = Pick<UserCtx, "store" | "clock">;

const CACHE_MS = 60_000;

/** Wraps a count that reads every account, so that it runs at most once a minute for each store. */
export function cacheForAMinute<T>(count: (deps: CountDeps) => Promise<T>): (deps: CountDeps) => Promise<T> {
  const cache = new WeakMap<DocumentStore, { at: number; result: Promise<T> }>();
  return (deps) => {
    const { store, clock } = deps;
    const cached = cache.get(store);
    if (cached && clock.now() - cached.at < CACHE_MS) return cached.result;
    const result = count(deps);
    const entry = { at: clock.now(), result };
    cache.set(store, entry);
    result.catch(() => {
      // A newer call may have replaced this entry.
      if (cache.get(store) === entry) cache.delete(store);
    });
    return result;
  };
}
