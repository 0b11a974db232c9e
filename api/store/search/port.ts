import type { Passage } from "#shared/pdf/schema.ts";

/** A searchable passage: short enough to show, and with the data for its citation. */
export interface IndexedPassage extends Pick<Passage, "id" | "text" | "kind" | "locator"> {
  /** The component that contains it. */
  componentId: string;
  /** Number of its top-level section in the source; missing if the source has no sections. */
  section?: number;
}

/** A source in the index; a different version means that it must be read again. */
export interface IndexedSource {
  id: string;
  version: string;
}

export interface Hit {
  sourceId: string;
  passage: IndexedPassage;
  /** Zero-based position of the passage in its source. */
  position: number;
  /** Higher is better; comparable only within one request. */
  score: number;
}

export interface SearchRequest {
  /** The query as entered; the index splits it into terms. */
  text: string;
  limit: number;
  /** Restricts the search to these sources; by default, all of the account's. */
  sourceIds?: readonly string[];
  /**
   * The query is being typed: the last word may be incomplete. If nothing matches, words within an edit distance of one
   * or two are tried.
   */
  isTyped?: boolean;
  /** Words that no text contains are replaced by words within an edit distance of one or two. */
  correctsTypos?: boolean;
}

/** A passage without a vector; `key` is internal to the index. */
export interface UnembeddedPassage {
  key: string;
  text: string;
}

export interface NearestRequest {
  model: string;
  vector: Float32Array;
  limit: number;
  sourceIds?: readonly string[];
}

export interface PassageRange {
  /** How many passages to skip. */
  from: number;
  limit: number;
}

/**
 * Full-text search (BM25) over everything in an account. The index is derived from the store and can be rebuilt:
 * callers compare `versions` with the current sources and update what changed.
 */
export interface PassageIndex {
  versions(ownerId: string): Promise<ReadonlyMap<string, string>>;
  /** Replaces all passages of this source. */
  put(ownerId: string, source: IndexedSource, passages: readonly IndexedPassage[]): Promise<void>;
  remove(ownerId: string, sourceIds: readonly string[]): Promise<void>;
  removeOwner(ownerId: string): Promise<void>;
  search(ownerId: string, request: SearchRequest): Promise<Hit[]>;
  /** Passages without a vector of this model. */
  unembedded(ownerId: string, model: string, limit: number): Promise<UnembeddedPassage[]>;
  /** Stores vectors for one result of `unembedded`, all together; passages deleted since are skipped. */
  putVectors(ownerId: string, model: string, vectors: readonly { key: string; vector: Float32Array }[]): Promise<void>;
  /** The passages with the nearest vectors. */
  nearest(ownerId: string, request: NearestRequest): Promise<Hit[]>;
  /** Passages of a source in order. */
  read(ownerId: string, sourceId: string, range: PassageRange): Promise<IndexedPassage[]>;
  close(): Promise<void>;
}

/** The indexed text of a passage: its own and that of the heading above it. */
export const getIndexedText = ({ text, locator }: IndexedPassage) =>
  locator.heading === undefined ? text : `${locator.heading} ${text}`;
