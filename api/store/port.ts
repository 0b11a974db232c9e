/** Every stored document; `_id` is a string set by its creator. */
export interface Doc {
  _id: string;
}

/** A document that belongs to one account; features query through `owned-store.ts`, which adds the owner. */
export interface OwnedDoc extends Doc {
  ownerId: string;
}

type Comparable = string | number;
export interface Range {
  gt?: Comparable;
  gte?: Comparable;
  lt?: Comparable;
  lte?: Comparable;
}
/**
 * Equality, one of a list, a range, or (un)equal to null; a missing field equals null. Values compare only within their
 * type (1 is not true, a numeric range matches no string); strings compare by code point. The result for a field that
 * holds a list or object is undefined behaviour.
 */
export type Condition =
  | string
  | number
  | boolean
  | null
  | Range
  | { in: readonly Comparable[] }
  | { not: string | null };

/** Field paths may be dotted ("file.id": letters, digits, "_" and "-"); all conditions must be met. */
export type Filter<T extends Doc> = { [K in keyof T & string]?: Condition } & Record<`${string}.${string}`, Condition>;

export interface FindOptions<T extends Doc> {
  order?: readonly (readonly [keyof T & string, "asc" | "desc"])[];
  limit?: number;
  /** Top-level fields to read, plus `_id`; by default, all. */
  fields?: readonly (keyof T & string)[];
}

/**
 * Applied to one document atomically. `push` appends to arrays, `pull` removes equal values. No path may be changed
 * twice or lie inside another (`keepLast` may be combined with `push`); `_id` never changes.
 */
export interface Patch<T extends Doc> {
  set?: Partial<T> & Record<`${string}.${string}`, unknown>;
  unset?: readonly string[];
  increment?: Readonly<Record<string, number>>;
  push?: Readonly<Record<string, readonly unknown[]>>;
  pull?: Readonly<Record<string, readonly unknown[]>>;
  /** After `push`, trims the arrays named here to their last N values. */
  keepLast?: Readonly<Record<string, number>>;
}

/**
 * `unique` applies to documents in which every indexed field has a value; missing or null fields never conflict. On a
 * sharded cluster, a unique index must include the shard key.
 */
export interface IndexSpec {
  fields: readonly string[];
  unique?: boolean;
}

/** A collection of documents. `shardKey` is the field by which a sharded cluster would partition it. */
export interface CollectionSpec<T extends Doc> {
  name: string;
  shardKey: keyof T & string;
  indexes: readonly IndexSpec[];
  /** Indexes that an earlier version created; removed with the first use. */
  formerIndexes?: readonly IndexSpec[];
}

/** A patch or upsert would violate a unique index; nothing was written. */
export class DuplicateValueError extends Error {}

/** A document that some store cannot store (too large, too deep) or a query that some store cannot answer. */
export class InvalidDocumentError extends Error {}

/** Size as JSON in UTF-8; MongoDB's limit is 16 MB. */
export const MAX_DOCUMENT_BYTES = 15 * 1024 * 1024;

/** Every write is durable when its promise resolves. Unpaired surrogates in strings become U+FFFD. */
export interface Collection<T extends Doc> {
  get(id: string): Promise<T | undefined>;
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<T[]>;
  /** `duplicate` if the id or a unique value is taken; nothing was written. */
  insert(doc: T): Promise<"inserted" | "duplicate">;
  /** Patches the first match atomically and returns the updated document; undefined if nothing matches. */
  patch(filter: Filter<T>, patch: Patch<T>): Promise<T | undefined>;
  /** Patches the document with that id, or inserts `fresh` with the patch applied. */
  patchOrInsert(fresh: T, patch: Patch<T>): Promise<T>;
  /** Writes the whole document, replacing any existing one. */
  upsert(doc: T): Promise<void>;
  /** Returns the number removed. */
  remove(filter: Filter<T>): Promise<number>;
  count(filter: Filter<T>): Promise<number>;
  /** The number of matches per value of `field`, keyed by the value as a string; "null" if it is missing. */
  groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>>;
}

export interface DocumentStore {
  /** Display name: "SQLite", "MongoDB". */
  readonly kind: string;
  collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T>;
  /** Removes all documents of an account from every collection; returns the number removed. */
  removeOwned(ownerId: string): Promise<number>;
  /** Rejects if the store is unavailable. */
  checkHealth(): Promise<void>;
  close(): Promise<void>;
}
