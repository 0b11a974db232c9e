import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

/**
 * Calls `hook` with "collection.method" before each call of the store. The call waits for the hook; if the hook throws,
 * the call fails without effect, as if the process ended there.
 */
export function beforeStoreCall(store: DocumentStore, hook: (call: string) => Promise<void> | void): void {
  const collection = store.collection.bind(store);
  store.collection = <T extends Doc>(spec: CollectionSpec<T>): Collection<T> =>
    new Proxy(collection(spec), {
      get:
        (target, method: string) =>
        async (...given: unknown[]) => {
          await hook(`${spec.name}.${method}`);
          const work = Reflect.get(target, method) as (...sent: unknown[]) => Promise<unknown>;
          return work.apply(target, given);
        },
    });
}
