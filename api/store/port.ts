/** What every stored document has; `_id` is a string made by whoever creates the thing. */
export interface Doc {
  _id: string;
}

/** A document that belongs to one account; queries of features go through `owned.ts`, which adds the owner. */
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
 * Equality, one of a list, a range, or (un)equal to null; a missing field equals null.
 * Values compare within their type only (1 is not true, a range of numbers holds no string); strings by code point.
 * A field that is asked about holds one plain value: what a list or an object in it answers is not defined.
 */
export type Condition =
  | string
  | number
  | boolean
  | null
  | Range
  | { in: readonly Comparable[] }
  | { not: string | null };
/** Fields may be dotted ("file.id": letters, digits, "_" and "-"); all conditions hold together. */
export type Filter<T extends Doc> = { [K in keyof T & string]?: Condition } & Record<`${string}.${string}`, Condition>;

export interface FindOptions<T extends Doc> {
  order?: readonly (readonly [keyof T & string, "asc" | "desc"])[];
  limit?: number;
  /** Top-level fields to read; `_id` always comes. Everything where it is left out. */
  fields?: readonly (keyof T & string)[];
}

/**
 * Applied to one document as one atomic step. `push` adds at the end of arrays, `pull` takes equal values out.
 * No path may be changed twice, nor one inside another (`keepLast` goes with `push`); `_id` never changes.
 */
export interface Patch<T extends Doc> {
  set?: Partial<T> & Record<`${string}.${string}`, unknown>;
  unset?: readonly string[];
  increment?: Readonly<Record<string, number>>;
  push?: Readonly<Record<string, readonly unknown[]>>;
  pull?: Readonly<Record<string, readonly unknown[]>>;
  /** Arrays named here keep only their last so many values after `push`. */
  keepLast?: Readonly<Record<string, number>>;
}

/**
 * `unique` guards documents in which every field of the index holds a value: a missing field or null is no duplicate.
 * On a sharded cluster a unique index names the shard key too.
 */
export interface IndexSpec {
  fields: readonly string[];
  unique?: boolean;
}

/** Where documents of one kind live. `shardKey` names the field that a sharded cluster would split them by. */
export interface CollectionSpec<T extends Doc> {
  name: string;
  shardKey: keyof T & string;
  indexes: readonly IndexSpec[];
}

/** A patch or an upsert would have doubled a value that a unique index guards: nothing was written. */
export class DuplicateValue extends Error {}

/** What no store of ours can hold (too large, too deep) or a query that none can answer. */
export class BadDocument extends Error {}

/** As JSON in UTF-8; MongoDB holds 16 MB. */
export const MAX_DOCUMENT_BYTES = 15 * 1024 * 1024;

/** Every write is durable when its promise resolves. Unpaired surrogates in strings become U+FFFD. */
export interface Collection<T extends Doc> {
  get(id: string): Promise<T | undefined>;
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<T[]>;
  /** `duplicate` where the id, or a value that a unique index guards, is taken: nothing was written. */
  insert(doc: T): Promise<"inserted" | "duplicate">;
  /** Patches the first match atomically and returns it as it is afterwards; undefined where nothing matches. */
  patch(filter: Filter<T>, patch: Patch<T>): Promise<T | undefined>;
  /** Patches the document of that id, or inserts `fresh` with the patch applied where there is none. */
  patchOrInsert(fresh: T, patch: Patch<T>): Promise<T>;
  /** Writes the whole document, whether it was there or not. */
  upsert(doc: T): Promise<void>;
  /** Returns how many went. */
  remove(filter: Filter<T>): Promise<number>;
  count(filter: Filter<T>): Promise<number>;
  /** How many match for each value of `field`, by the value as a string; "null" where it is missing. */
  groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>>;
}

export interface DocumentStore {
  /** For people: "SQLite", "MongoDB". */
  readonly kind: string;
  collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T>;
  /** Removes every document of an account from every collection, whichever feature wrote it; returns how many went. */
  removeOwned(ownerId: string): Promise<number>;
  /** Rejects where the store does not serve. */
  check(): Promise<void>;
  close(): Promise<void>;
}
