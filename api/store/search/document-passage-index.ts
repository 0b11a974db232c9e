import { createHash } from "node:crypto";
import { ulid } from "ulid";
import { searchTerms } from "#shared/text/search-terms.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { beginsWith } from "../paging/begins-with.ts";
import type { Collection, CollectionSpec, DocumentStore, OwnedDoc } from "../port.ts";
import { type Vocabulary, type Lengths, findNearTerms, correctTerms, expandTypedTerms } from "./typed-terms.ts";
import { selectBest, rankPostings, type Ranked } from "./bm25.ts";
import {
  type Hit,
  type IndexedPassage,
  type IndexedSource,
  type NearestRequest,
  type PassageIndex,
  type PassageRange,
  getIndexedText,
  type SearchRequest,
  type UnembeddedPassage,
} from "./port.ts";
import { DocumentVectors } from "./document-vectors.ts";

/** An indexed source. Written last, so that the source is indexed again after a crash. */
interface SourceDoc extends OwnedDoc {
  name: string;
  version: string;
  /** Id of the current indexed version; other versions are garbage to be removed. */
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
interface PassageBlockDoc extends OwnedDoc {
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
const blocks: CollectionSpec<PassageBlockDoc> = {
  name: "index_shelves",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "writing", "first"] }],
};

const BLOCK_SIZE = 40;
const CONCURRENCY = 100;
const MAX_TERMS = 32;
const MAX_TERM_ROWS = 20_000;

const hashKey = (...parts: string[]) => createHash("sha256").update(parts.join("\0")).digest("base64url").slice(0, 32);

async function runInBatches<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let offset = 0; offset < items.length; offset += CONCURRENCY)
    await Promise.all(items.slice(offset, offset + CONCURRENCY).map(work));
}

/** The postings of each term, and the total number of terms. */
function buildPostings(passages: readonly IndexedPassage[]): { places: Map<string, number[]>; total: number } {
  const places = new Map<string, number[]>();
  let total = 0;
  for (const [n, passage] of passages.entries()) {
    const counts = new Map<string, number>();
    const all = searchTerms(getIndexedText(passage));
    for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
    total += all.length;
    for (const [term, count] of counts) {
      const termPlaces = places.get(term) ?? [];
      termPlaces.push(n, count, all.length);
      places.set(term, termPlaces);
    }
  }
  return { places, total };
}

class DocumentPassageIndex implements PassageIndex {
  readonly #sources: Collection<SourceDoc>;
  readonly #postings: Collection<PostingDoc>;
  readonly #blocks: Collection<PassageBlockDoc>;
  readonly #vectors: DocumentVectors;

  constructor(store: DocumentStore) {
    this.#sources = store.collection(sources);
    this.#postings = store.collection(postings);
    this.#blocks = store.collection(blocks);
    this.#vectors = new DocumentVectors(store);
  }

  async versions(ownerId: string): Promise<ReadonlyMap<string, string>> {
    const found = await this.#sources.find({ ownerId }, { fields: ["name", "version"] });
    return new Map(found.map(({ name, version }) => [name, version]));
  }

  async put(ownerId: string, { id: name, version }: IndexedSource, passages: readonly IndexedPassage[]): Promise<void> {
    const _id = hashKey(ownerId, name);
    const writing = hashKey(_id, version, ulid());
    const { places, total } = buildPostings(passages);
    const firsts = Array.from({ length: Math.ceil(passages.length / BLOCK_SIZE) }, (_, index) => index * BLOCK_SIZE);
    await runInBatches(firsts, (first) => {
      const block = passages.slice(first, first + BLOCK_SIZE);
      return this.#blocks.insert({ _id: `${writing}.${first}`, ownerId, writing, first, passages: block });
    });
    await runInBatches([...places], ([term, found]) =>
      this.#postings.insert({ _id: `${writing}.${term}`, ownerId, term, writing, places: found }),
    );
    const previous = await this.#sources.get(_id);
    await this.#sources.upsert({ _id, ownerId, name, version, writing, passages: passages.length, terms: total });
    if (previous) await this.#sweep(ownerId, previous.writing);
  }

  async remove(ownerId: string, sourceIds: readonly string[]): Promise<void> {
    for (const name of sourceIds) {
      const _id = hashKey(ownerId, name);
      const previous = await this.#sources.get(_id);
      if (!previous) continue;
      await this.#sources.remove({ _id });
      await this.#sweep(ownerId, previous.writing);
    }
  }

  async removeOwner(ownerId: string): Promise<void> {
    await this.#sources.remove({ ownerId });
    await this.#postings.remove({ ownerId });
    await this.#blocks.remove({ ownerId });
    await this.#vectors.removeOwner(ownerId);
  }

  async search(
    ownerId: string,
    { text, limit, sourceIds, isTyped = false, correctsTypos = false }: SearchRequest,
  ): Promise<Hit[]> {
    const all = await this.#sources.find({ ownerId });
    const isRequested = ({ name }: SourceDoc) => sourceIds?.includes(name) ?? true;
    const requested = new Map(all.filter(isRequested).map((source) => [source.writing, source]));
    if (requested.size === 0) return [];
    const findByTerms = (terms: readonly string[]) => this.#rankTerms(ownerId, terms, { all, requested, limit });
    const words: Vocabulary = {
      findByPrefix: (start, max, lengths) => this.#findByPrefix(ownerId, start, { max, lengths }),
    };
    if (correctsTypos) return findByTerms(await correctTerms(text, words));
    if (!isTyped) return findByTerms([...new Set(searchTerms(text))]);
    const { whole, completions } = await expandTypedTerms(text, words);
    const found = await findByTerms([...whole, ...completions]);
    return found.length > 0 ? found : findByTerms(await findNearTerms(text, words));
  }

  async #rankTerms(
    ownerId: string,
    terms: readonly string[],
    { all, requested, limit }: { all: readonly SourceDoc[]; requested: ReadonlyMap<string, SourceDoc>; limit: number },
  ): Promise<Hit[]> {
    const term = { in: terms.slice(0, MAX_TERMS) };
    if (term.in.length === 0) return [];
    const live = new Set(all.map(({ writing }) => writing));
    const lists = (await this.#postings.find({ ownerId, term })).filter(({ writing }) => live.has(writing));
    const passages = all.reduce((sum, source) => sum + source.passages, 0);
    const total = all.reduce((sum, source) => sum + source.terms, 0);
    const scores = rankPostings(lists, { passages, averageTerms: total / Math.max(1, passages) });
    return this.#loadHits(
      ownerId,
      selectBest(scores, (writing) => requested.has(writing), limit),
      requested,
    );
  }

  /** The account's terms with this prefix, those in most sources first. */
  async #findByPrefix(
    ownerId: string,
    start: string,
    { max, lengths }: { max: number; lengths: Lengths | undefined },
  ): Promise<string[]> {
    const found = await this.#postings.find(
      { ownerId, term: beginsWith(start) },
      { fields: ["term"], limit: MAX_TERM_ROWS },
    );
    const counts = new Map<string, number>();
    for (const posting of found) counts.set(posting.term, (counts.get(posting.term) ?? 0) + 1);
    return [...counts]
      .filter(([term]) => !lengths || (term.length >= lengths.from && term.length <= lengths.to))
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, max)
      .map(([term]) => term);
  }

  async unembedded(ownerId: string, model: string, limit: number): Promise<UnembeddedPassage[]> {
    const live = (await this.#sources.find({ ownerId })).filter(({ passages }) => passages > 0);
    const embeddedBlocks = await this.#vectors.listEmbedded(
      ownerId,
      model,
      live.map(({ writing }) => writing),
    );
    const found: UnembeddedPassage[] = [];
    for (const { writing, passages } of live)
      for (let first = 0; first < passages && found.length < limit; first += BLOCK_SIZE) {
        if (embeddedBlocks.has(`${writing}.${first}`)) continue;
        const [block] = await this.#blocks.find({ ownerId, writing, first });
        const texts = block?.passages.map(getIndexedText) ?? [];
        found.push(...texts.map((text, n) => ({ key: `${writing}.${first}.${n}`, text })));
      }
    return found;
  }

  async putVectors(
    ownerId: string,
    model: string,
    vectors: readonly { key: string; vector: Float32Array }[],
  ): Promise<void> {
    const byBlock = groupBy(vectors, ({ key }) => key.slice(0, key.lastIndexOf(".")));
    const live = new Set((await this.#sources.find({ ownerId }, { fields: ["writing"] })).map((doc) => doc.writing));
    for (const [block, blockVectors] of byBlock) {
      const [writing = "", first = ""] = block.split(".");
      if (!live.has(writing)) continue;
      const own = { ownerId, writing, first: Number(first) };
      await this.#vectors.put(
        own,
        model,
        blockVectors.map(({ vector }) => vector),
      );
    }
  }

  async nearest(ownerId: string, request: NearestRequest): Promise<Hit[]> {
    const all = await this.#sources.find({ ownerId });
    const chosen = all.filter(({ name }) => request.sourceIds?.includes(name) ?? true);
    const requested = new Map(chosen.map((source) => [source.writing, source]));
    const close = requested.size === 0 ? [] : await this.#vectors.nearest(ownerId, request, [...requested.keys()]);
    return this.#loadHits(ownerId, close, requested);
  }

  async #loadHits(ownerId: string, best: readonly Ranked[], requested: ReadonlyMap<string, SourceDoc>): Promise<Hit[]> {
    const read = new Map<string, ReadonlyMap<number, IndexedPassage>>();
    for (const [writing, found] of groupBy(best, (ranked) => ranked.writing)) {
      const numbers = found.map((ranked) => ranked.passage);
      read.set(writing, await this.#readBlocks(ownerId, writing, numbers));
    }
    return best.flatMap(({ writing, passage: number, score }) => {
      const passage = read.get(writing)?.get(number);
      const sourceId = requested.get(writing)?.name;
      return passage && sourceId !== undefined ? [{ sourceId, passage, position: number, score }] : [];
    });
  }

  async read(ownerId: string, sourceId: string, { from, limit }: PassageRange): Promise<IndexedPassage[]> {
    const source = await this.#sources.get(hashKey(ownerId, sourceId));
    if (!source) return [];
    const firstPassage = from - (from % BLOCK_SIZE);
    const filter = { ownerId, writing: source.writing, first: { gte: firstPassage, lt: from + limit } };
    const found = await this.#blocks.find(filter, { order: [["first", "asc"]] });
    return found.flatMap((block) => block.passages).slice(from - firstPassage, from - firstPassage + limit);
  }

  async close(): Promise<void> {
    // The store is closed by its owner.
  }

  async #readBlocks(ownerId: string, writing: string, numbers: readonly number[]) {
    const first = { in: [...new Set(numbers.map((n) => n - (n % BLOCK_SIZE)))] };
    const found = await this.#blocks.find({ ownerId, writing, first });
    return new Map(
      found.flatMap((block) => block.passages.map((passage, index) => [block.first + index, passage] as const)),
    );
  }

  async #sweep(ownerId: string, writing: string): Promise<void> {
    await this.#postings.remove({ ownerId, writing });
    await this.#blocks.remove({ ownerId, writing });
    await this.#vectors.sweep(ownerId, writing);
  }
}

/** The passage index on any document store: an inverted index plus the passages. */
export const createDocumentPassageIndex = (store: DocumentStore): PassageIndex => new DocumentPassageIndex(store);
