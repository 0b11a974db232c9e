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
      const held = store.collection(spec);
      return {
        get: (id) => held.get(id),
        find: (filter, options) => held.find(filter, options),
        count: (filter) => held.count(filter),
        groupCount: (field, filter) => held.groupCount(field, filter),
        insert: (doc) => fused(() => held.insert(doc)),
        patch: (filter, patch) => fused(() => held.patch(filter, patch)),
        patchOrInsert: (fresh, patch) => fused(() => held.patchOrInsert(fresh, patch)),
        upsert: (doc) => fused(() => held.upsert(doc)),
        remove: (filter) => fused(() => held.remove(filter)),
      };
    },
  };
}
