import { setImmediate as turn } from "node:timers/promises";
import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

/** A store that delays each call by a random number of event loop turns, so that concurrent calls interleave. */
export function delayedStore(store: DocumentStore, turns: () => number): DocumentStore {
  const wait = async () => {
    for (let left = turns(); left > 0; left -= 1) await turn();
  };
  return {
    kind: store.kind,
    checkHealth: () => store.checkHealth(),
    close: () => store.close(),
    removeOwned: (ownerId) => store.removeOwned(ownerId),
    collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
      return new Proxy(store.collection(spec), {
        get:
          (target, name) =>
          async (...given: unknown[]) => {
            await wait();
            const work = Reflect.get(target, name) as (...sent: unknown[]) => Promise<unknown>;
            const answer = await work.apply(target, given);
            await wait();
            return answer;
          },
      });
    },
  };
}
