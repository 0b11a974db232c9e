import type { CollectionSpec, DocumentStore, Filter, FindOptions, OwnedDoc, Patch } from "./port.ts";

/** A collection restricted to one account: other accounts' documents are invisible. */
export interface OwnedCollection<T extends OwnedDoc> {
  get(id: string): Promise<T | undefined>;
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<T[]>;
  insert(doc: Omit<T, "ownerId">): Promise<"inserted" | "duplicate">;
  patch(filter: Filter<T>, patch: Patch<T>): Promise<T | undefined>;
  remove(filter: Filter<T>): Promise<number>;
  count(filter: Filter<T>): Promise<number>;
  groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>>;
}

/** First argument of every feature query: the owner and the store. */
export interface Own {
  readonly ownerId: string;
  readonly store: DocumentStore;
  in<T extends OwnedDoc>(spec: CollectionSpec<T>): OwnedCollection<T>;
}

/** Restricts the store to one account. The owner is added to every query, so no query can be written without it. */
export function ownedBy(store: DocumentStore, ownerId: string): Own {
  return {
    ownerId,
    store,
    in<T extends OwnedDoc>(spec: CollectionSpec<T>): OwnedCollection<T> {
      const collection = store.collection(spec);
      const withOwner = (filter: Filter<T>): Filter<T> => ({ ...filter, ownerId });
      const addOwner = (doc: Omit<T, "ownerId">) => ({ ...doc, ownerId }) as T;
      return {
        async get(id) {
          const doc = await collection.get(id);
          return doc?.ownerId === ownerId ? doc : undefined;
        },
        find: (filter, options) => collection.find(withOwner(filter), options),
        insert: (doc) => collection.insert(addOwner(doc)),
        patch: (filter, patch) => collection.patch(withOwner(filter), patch),
        remove: (filter) => collection.remove(withOwner(filter)),
        count: (filter) => collection.count(withOwner(filter)),
        groupCount: (field, filter) => collection.groupCount(field, withOwner(filter)),
      };
    },
  };
}
