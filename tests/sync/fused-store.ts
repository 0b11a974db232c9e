import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

/** A store whose every write is announced before and after it is on disk; `onWrite` throws where the process dies. */
export function fusedStore(store: DocumentStore, onWrite: (step: "before" | "after") => void): DocumentStore {
  const fused = async <R>(work: () => Promise<R>): Promise<R> => {
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
        insert: (doc) => fused(() => collection.insert(doc)),
        patch: (filter, patch) => fused(() => collection.patch(filter, patch)),
        patchOrInsert: (fresh, patch) => fused(() => collection.patchOrInsert(fresh, patch)),
        upsert: (doc) => fused(() => collection.upsert(doc)),
        remove: (filter) => fused(() => collection.remove(filter)),
      };
    },
  };
}
