import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

/** A store that calls `onWrite` before and after each write; `onWrite` throws to simulate the death of the process. */
export function storeWithWriteHook(store: DocumentStore, onWrite: (step: "before" | "after") => void): DocumentStore {
  const runWithHook = async <R>(work: () => Promise<R>): Promise<R> => {
    onWrite("before");
    const result = await work();
    onWrite("after");
    return result;
  };
  return {
    kind: store.kind,
    checkHealth: () => store.checkHealth(),
    close: () => store.close(),
    removeOwned: (ownerId) => store.removeOwned(ownerId),
    collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
      const collection = store.collection(spec);
      return {
        get: (id) => collection.get(id),
        find: (filter, options) => collection.find(filter, options),
        count: (filter) => collection.count(filter),
        groupCount: (field, filter) => collection.groupCount(field, filter),
        insert: (doc) => runWithHook(() => collection.insert(doc)),
        patch: (filter, patch) => runWithHook(() => collection.patch(filter, patch)),
        patchOrInsert: (fresh, patch) => runWithHook(() => collection.patchOrInsert(fresh, patch)),
        upsert: (doc) => runWithHook(() => collection.upsert(doc)),
        remove: (filter) => runWithHook(() => collection.remove(filter)),
      };
    },
  };
}
