import { createHash } from "node:crypto";
import { ulid } from "ulid";
import { searchTerms } from "#shared/engine/search-terms.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { Collection, CollectionSpec, DocumentStore, OwnedDoc } from "../port.ts";
import { type KnownWords, type Lengths, nearTerms, typedTerms } from "./typed-terms.ts";
import { bestOf, rankPostings, type Ranked } from "./bm25.ts";
import {
  type Hit,
  type IndexedPassage,
  type IndexedSource,
  type NearestRequest,
  type PassageIndex,
  type PassageRange,
  searchedText,
  type SearchRequest,
  type UnembeddedPassage,
} from "./port.ts";
import { PostedVectors } from "./posted-vectors.ts";

/** An indexed source. Written last, so that after a crash it is simply indexed again. */
interface SourceDoc extends OwnedDoc {
  name: string;
  version: string;
  /** The current indexed version; others are garbage to be removed. */
  writing: string;
  passages: number;
  /** Total number of terms in all passages. */
  terms: number;
}

/** The postings of a term in a source: triples of passage number, term frequency and passage length in terms. */
interface PostingDoc extends OwnedDoc {
  term: string;
  writing: string;
  places: number[];
}

/** A block of passages that fits into one document. */
interface ShelfDoc extends OwnedDoc {
  writing: string;
  first: number;
  passages: IndexedPassage[];
}

const sources: CollectionSpec<SourceDoc> = {
  name: "index_sources",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId"] }],
};
const postings: CollectionSpec<PostingDoc> = {
  name: "index_postings",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "term"] }, { fields: ["ownerId", "writing"] }],
};
const shelves: CollectionSpec<ShelfDoc> = {
  name: "index_shelves",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "writing", "first"] }],
};

const SHELF = 40;
const AT_ONCE = 100;
const MAX_TERMS = 32;
const MAX_LOOKED_UP = 20_000;

const keyOf = (...parts: string[]) => createHash("sha256").update(parts.join("\0")).digest("base64url").slice(0, 32);

async function inTurns<T>(things: readonly T[], work: (thing: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < things.length; at += AT_ONCE) await Promise.all(things.slice(at, at + AT_ONCE).map(work));
}

/** The postings of each term, and the total number of terms. */
function placesOf(passages: readonly IndexedPassage[]): { places: Map<string, number[]>; total: number } {
  const places = new Map<string, number[]>();
  let total = 0;
  for (const [n, passage] of passages.entries()) {
    const counts = new Map<string, number>();
    const all = searchTerms(searchedText(passage));
    for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
    total += all.length;
    for (const [term, often] of counts) {
      const known = places.get(term) ?? [];
      known.push(n, often, all.length);
      places.set(term, known);
    }
  }
  return { places, total };
}

class PostedPassages implements PassageIndex {
  readonly #sources: Collection<SourceDoc>;
  readonly #postings: Collection<PostingDoc>;
  readonly #shelves: Collection<ShelfDoc>;
  readonly #vectors: PostedVectors;

  constructor(store: DocumentStore) {
    this.#sources = store.collection(sources);
    this.#postings = store.collection(postings);
    this.#shelves = store.collection(shelves);
    this.#vectors = new PostedVectors(store);
  }

  async versions(ownerId: string): Promise<ReadonlyMap<string, string>> {
    const found = await this.#sources.find({ ownerId }, { fields: ["name", "version"] });
    return new Map(found.map(({ name, version }) => [name, version]));
  }

  async put(ownerId: string, { id: name, version }: IndexedSource, passages: readonly IndexedPassage[]): Promise<void> {
    const _id = keyOf(ownerId, name);
    const writing = keyOf(_id, version, ulid());
    const { places, total } = placesOf(passages);
    const firsts = Array.from({ length: Math.ceil(passages.length / SHELF) }, (_, at) => at * SHELF);
    await inTurns(firsts, (first) => {
      const shelf = passages.slice(first, first + SHELF);
      return this.#shelves.insert({ _id: `${writing}.${first}`, ownerId, writing, first, passages: shelf });
    });
    await inTurns([...places], ([term, found]) =>
      this.#postings.insert({ _id: `${writing}.${term}`, ownerId, term, writing, places: found }),
    );
    const held = await this.#sources.get(_id);
    await this.#sources.upsert({ _id, ownerId, name, version, writing, passages: passages.length, terms: total });
    if (held) await this.#sweep(ownerId, held.writing);
  }

  async remove(ownerId: string, sourceIds: readonly string[]): Promise<void> {
    for (const name of sourceIds) {
      const _id = keyOf(ownerId, name);
      const held = await this.#sources.get(_id);
      if (!held) continue;
      await this.#sources.remove({ _id });
      await this.#sweep(ownerId, held.writing);
    }
  }

  async removeOwner(ownerId: string): Promise<void> {
    await this.#sources.remove({ ownerId });
    await this.#postings.remove({ ownerId });
    await this.#shelves.remove({ ownerId });
    await this.#vectors.removeOwner(ownerId);
  }

  async search(ownerId: string, { text, limit, sourceIds, isTyped = false }: SearchRequest): Promise<Hit[]> {
    const all = await this.#sources.find({ ownerId });
    const isWanted = ({ name }: SourceDoc) => sourceIds?.includes(name) ?? true;
    const wanted = new Map(all.filter(isWanted).map((source) => [source.writing, source]));
    if (wanted.size === 0) return [];
    const ask = (terms: readonly string[]) => this.#ranked(ownerId, terms, { all, wanted, limit });
    if (!isTyped) return ask([...new Set(searchTerms(text))]);
    const words: KnownWords = {
      beginning: (start, most, lengths) => this.#beginning(ownerId, start, { most, lengths }),
    };
    const { whole, endings } = await typedTerms(text, words);
    const found = await ask([...whole, ...endings]);
    return found.length > 0 ? found : ask(await nearTerms(text, words));
  }

  async #ranked(
    ownerId: string,
    terms: readonly string[],
    { all, wanted, limit }: { all: readonly SourceDoc[]; wanted: ReadonlyMap<string, SourceDoc>; limit: number },
  ): Promise<Hit[]> {
    const term = { in: terms.slice(0, MAX_TERMS) };
    if (term.in.length === 0) return [];
    const live = new Set(all.map(({ writing }) => writing));
    const lists = (await this.#postings.find({ ownerId, term })).filter(({ writing }) => live.has(writing));
    const passages = all.reduce((sum, source) => sum + source.passages, 0);
    const total = all.reduce((sum, source) => sum + source.terms, 0);
    const ranked = rankPostings(lists, { passages, averageTerms: total / Math.max(1, passages) });
    return this.#hitsOf(
      ownerId,
      bestOf(ranked, (writing) => wanted.has(writing), limit),
      wanted,
    );
  }

  /** The account's terms with this prefix, those in most sources first. */
  async #beginning(
    ownerId: string,
    start: string,
    { most, lengths }: { most: number; lengths: Lengths | undefined },
  ): Promise<string[]> {
    const term = { gte: start, lt: `${start}\u{10FFFF}` };
    const found = await this.#postings.find({ ownerId, term }, { fields: ["term"], limit: MAX_LOOKED_UP });
    const counts = new Map<string, number>();
    for (const posting of found) counts.set(posting.term, (counts.get(posting.term) ?? 0) + 1);
    return [...counts]
      .filter(([one]) => !lengths || (one.length >= lengths.from && one.length <= lengths.to))
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, most)
      .map(([one]) => one);
  }

  async unembedded(ownerId: string, model: string, limit: number): Promise<UnembeddedPassage[]> {
    const live = (await this.#sources.find({ ownerId })).filter(({ passages }) => passages > 0);
    const known = await this.#vectors.known(
      ownerId,
      model,
      live.map(({ writing }) => writing),
    );
    const found: UnembeddedPassage[] = [];
    for (const { writing, passages } of live)
      for (let first = 0; first < passages && found.length < limit; first += SHELF) {
        if (known.has(`${writing}.${first}`)) continue;
        const [shelf] = await this.#shelves.find({ ownerId, writing, first });
        const texts = shelf?.passages.map(searchedText) ?? [];
        found.push(...texts.map((text, n) => ({ key: `${writing}.${first}.${n}`, text })));
      }
    return found;
  }

  async putVectors(
    ownerId: string,
    model: string,
    vectors: readonly { key: string; vector: Float32Array }[],
  ): Promise<void> {
    const byShelf = groupBy(vectors, ({ key }) => key.slice(0, key.lastIndexOf(".")));
    const live = new Set((await this.#sources.find({ ownerId }, { fields: ["writing"] })).map((doc) => doc.writing));
    for (const [shelf, given] of byShelf) {
      const [writing = "", first = ""] = shelf.split(".");
      if (!live.has(writing)) continue;
      const own = { ownerId, writing, first: Number(first) };
      await this.#vectors.put(
        own,
        model,
        given.map(({ vector }) => vector),
      );
    }
  }

  async nearest(ownerId: string, request: NearestRequest): Promise<Hit[]> {
    const all = await this.#sources.find({ ownerId });
    const chosen = all.filter(({ name }) => request.sourceIds?.includes(name) ?? true);
    const wanted = new Map(chosen.map((source) => [source.writing, source]));
    const close = wanted.size === 0 ? [] : await this.#vectors.nearest(ownerId, request, [...wanted.keys()]);
    return this.#hitsOf(ownerId, close, wanted);
  }

  async #hitsOf(ownerId: string, best: readonly Ranked[], wanted: ReadonlyMap<string, SourceDoc>): Promise<Hit[]> {
    const read = new Map<string, ReadonlyMap<number, IndexedPassage>>();
    for (const [writing, found] of groupBy(best, (each) => each.writing)) {
      const numbers = found.map((each) => each.passage);
      read.set(writing, await this.#readShelves(ownerId, writing, numbers));
    }
    return best.flatMap(({ writing, passage: number, score }) => {
      const passage = read.get(writing)?.get(number);
      const sourceId = wanted.get(writing)?.name;
      return passage && sourceId !== undefined ? [{ sourceId, passage, place: number, score }] : [];
    });
  }

  async read(ownerId: string, sourceId: string, { from, limit }: PassageRange): Promise<IndexedPassage[]> {
    const source = await this.#sources.get(keyOf(ownerId, sourceId));
    if (!source) return [];
    const begin = from - (from % SHELF);
    const filter = { ownerId, writing: source.writing, first: { gte: begin, lt: from + limit } };
    const found = await this.#shelves.find(filter, { order: [["first", "asc"]] });
    return found.flatMap((shelf) => shelf.passages).slice(from - begin, from - begin + limit);
  }

  async close(): Promise<void> {
    // The store is closed by its owner.
  }

  async #readShelves(ownerId: string, writing: string, numbers: readonly number[]) {
    const first = { in: [...new Set(numbers.map((n) => n - (n % SHELF)))] };
    const found = await this.#shelves.find({ ownerId, writing, first });
    return new Map(found.flatMap((shelf) => shelf.passages.map((passage, at) => [shelf.first + at, passage] as const)));
  }

  async #sweep(ownerId: string, writing: string): Promise<void> {
    await this.#postings.remove({ ownerId, writing });
    await this.#shelves.remove({ ownerId, writing });
    await this.#vectors.sweep(ownerId, writing);
  }
}

/** The passage index on any document store: an inverted index plus the passages. */
export const makePostedPassages = (store: DocumentStore): PassageIndex => new PostedPassages(store);
