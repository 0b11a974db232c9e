import type { UserCtx } from "#api/http/handler.ts";
import type { DocumentStore } from "#api/store/port.ts";

type CountDeps = Pick<UserCtx, "store" | "clock">;

const CACHE_MS = 60_000;

/** Wraps a count that reads every account, so that it runs at most once a minute for each store. */
export function onceAMinute<T>(count: (deps: CountDeps) => Promise<T>): (deps: CountDeps) => Promise<T> {
  const counted = new WeakMap<DocumentStore, { at: number; result: Promise<T> }>();
  return (deps) => {
    const { store, clock } = deps;
    const cached = counted.get(store);
    if (cached && clock.now() - cached.at < CACHE_MS) return cached.result;
    const result = count(deps);
    counted.set(store, { at: clock.now(), result });
    result.catch(() => counted.delete(store));
    return result;
  };
}
