import type { Passage } from "#shared/pdf/schema.ts";

/** A stretch of a source as it is searched: short enough to be shown, with what a citation of it needs. */
export interface IndexedPassage extends Pick<Passage, "id" | "text" | "kind" | "locator"> {
  /** The component in which it stands. */
  componentId: string;
  /** Which section of its source it stands in, sub-sections counted with the one that holds them; left out where there are none. */
  section?: number;
}

/** A source as the index knows it; another version means that it has to be read again. */
export interface IndexedSource {
  id: string;
  version: string;
}

export interface Hit {
  sourceId: string;
  passage: IndexedPassage;
  /** How many passages of its source stand before it. */
  place: number;
  /** Higher is better; scores of one question compare, those of two do not. */
  score: number;
}

export interface SearchRequest {
  /** Words as they were asked; the index makes its terms of them. */
  text: string;
  limit: number;
  /** Only in these sources; in all of the account's where it is left out. */
  sourceIds?: readonly string[];
  /**
   * The words are being typed: the last may be the beginning of one, and where nothing holds them as they are, words
   * that differ by a letter or two are looked for.
   */
  isTyped?: boolean;
}

/** A passage that has no vector yet, under a key of the index's own. */
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
  /** How many passages are passed over. */
  from: number;
  limit: number;
}

/**
 * Passages of everything that an account has, found by words (BM25). It is drawn from the store and can be lost: who
 * searches compares `versions` with what there is and puts what changed.
 */
export interface PassageIndex {
  versions(ownerId: string): Promise<ReadonlyMap<string, string>>;
  /** Takes the place of what the index held of this source. */
  put(ownerId: string, source: IndexedSource, passages: readonly IndexedPassage[]): Promise<void>;
  remove(ownerId: string, sourceIds: readonly string[]): Promise<void>;
  removeOwner(ownerId: string): Promise<void>;
  search(ownerId: string, request: SearchRequest): Promise<Hit[]>;
  /** Some passages for which there is no vector of this model. */
  unembedded(ownerId: string, model: string, limit: number): Promise<UnembeddedPassage[]>;
  /** Vectors for what `unembedded` gave, all of one answer of it together; what is gone since is passed over. */
  putVectors(ownerId: string, model: string, vectors: readonly { key: string; vector: Float32Array }[]): Promise<void>;
  /** Passages whose vectors lie closest. */
  nearest(ownerId: string, request: NearestRequest): Promise<Hit[]>;
  /** Passages of a source in their order, from one of them on. */
  read(ownerId: string, sourceId: string, range: PassageRange): Promise<IndexedPassage[]>;
  close(): Promise<void>;
}

/** What a passage is found by: its words and those of the heading above it. */
export const searchedText = ({ text, locator }: IndexedPassage) =>
  locator.heading === undefined ? text : `${locator.heading} ${text}`;
