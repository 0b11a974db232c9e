import type { Collection, CollectionSpec, DocumentStore, OwnedDoc } from "../port.ts";
import { closestBySigns, cosine, packVector } from "./vectors.ts";

/** The concatenated vectors of one block of passages; immutable, like the block. */
interface VectorsDoc extends OwnedDoc {
  writing: string;
  first: number;
  model: string;
  /** Dimensions of a vector. */
  size: number;
  /** Base64 of a `Uint32Array` and an `Int8Array`. */
  signs: string;
  codes: string;
}

interface Shelf {
  writing: string;
  first: number;
  size: number;
  signs: Uint32Array;
  codes: Int8Array;
}

interface VectorPlace {
  writing: string;
  passage: number;
  score: number;
}

const vectors: CollectionSpec<VectorsDoc> = {
  name: "index_vectors",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "model", "writing"] }, { fields: ["ownerId", "writing"] }],
};

/** Candidates compared exactly per requested result. */
const COMPARED = 10;
/** Maximum number of cached blocks over all accounts; blocks are immutable. */
const MAX_KEPT = 5000;

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "base64"));
const textOf = ({ buffer }: { buffer: ArrayBufferLike }) => Buffer.from(buffer).toString("base64");

function join<T extends Uint32Array | Int8Array>(parts: readonly T[], made: T): T {
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** Vectors of passages on any document store. */
export class PostedVectors {
  readonly #vectors: Collection<VectorsDoc>;
  readonly #kept = new Map<string, Shelf>();

  constructor(store: DocumentStore) {
    this.#vectors = store.collection(vectors);
  }

  /** The blocks that have vectors of the model, as `writing.first`. */
  async known(ownerId: string, model: string, writings: readonly string[]): Promise<ReadonlySet<string>> {
    const writing = { in: writings };
    const found = await this.#vectors.find({ ownerId, model, writing }, { fields: ["writing", "first"] });
    return new Set(found.map((doc) => `${doc.writing}.${doc.first}`));
  }

  async put(
    owned: { ownerId: string; writing: string; first: number },
    model: string,
    given: readonly Float32Array[],
  ): Promise<void> {
    const packed = given.map(packVector);
    const size = given[0]?.length ?? 0;
    const width = Math.ceil(size / 32);
    await this.#vectors.upsert({
      ...owned,
      _id: `${owned.writing}.${owned.first}.${model}`,
      model,
      size,
      signs: textOf(
        join(
          packed.map(({ bits }) => bits),
          new Uint32Array(width * packed.length),
        ),
      ),
      codes: textOf(
        join(
          packed.map(({ codes }) => codes),
          new Int8Array(size * packed.length),
        ),
      ),
    });
  }

  /** The nearest passages. */
  async nearest(
    ownerId: string,
    { model, vector, limit }: { model: string; vector: Float32Array; limit: number },
    writings: readonly string[],
  ): Promise<VectorPlace[]> {
    const shelves = (await this.#read(ownerId, model, writings)).filter(({ size }) => size === vector.length);
    const width = Math.ceil(vector.length / 32);
    const owners = shelves.flatMap((shelf) =>
      Array.from({ length: shelf.codes.length / shelf.size }, (_, n) => ({ shelf, n })),
    );
    const signs = join(
      shelves.map((shelf) => shelf.signs),
      new Uint32Array(owners.length * width),
    );
    const question = packVector(vector).bits;
    const close = closestBySigns({ width, signs, owners }, { question, limit: limit * COMPARED, isWanted: () => true });
    return close
      .map(({ shelf, n }) => {
        const codes = shelf.codes.subarray(n * shelf.size, (n + 1) * shelf.size);
        return { writing: shelf.writing, passage: shelf.first + n, score: cosine(vector, codes) };
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  async sweep(ownerId: string, writing: string): Promise<void> {
    await this.#vectors.remove({ ownerId, writing });
  }

  async removeOwner(ownerId: string): Promise<void> {
    await this.#vectors.remove({ ownerId });
  }

  /** Reads ids first, then only the vectors that are not cached. */
  async #read(ownerId: string, model: string, writings: readonly string[]): Promise<Shelf[]> {
    const held = await this.#vectors.find({ ownerId, model, writing: { in: writings } }, { fields: ["writing"] });
    const ids = held.map(({ _id }) => _id);
    const missing = ids.filter((id) => !this.#kept.has(id));
    const fetched = missing.length === 0 ? [] : await this.#vectors.find({ ownerId, _id: { in: missing } });
    const fresh = fetched.map(({ _id, writing, first, size, signs, codes }): [string, Shelf] => {
      const shelf = { writing, first, size };
      return [_id, { ...shelf, signs: new Uint32Array(bytesOf(signs).buffer), codes: new Int8Array(bytesOf(codes)) }];
    });
    if (this.#kept.size + fresh.length > MAX_KEPT) this.#kept.clear();
    const found = new Map(fresh);
    const shelves = ids.flatMap((id) => found.get(id) ?? this.#kept.get(id) ?? []);
    for (const [id, shelf] of fresh) this.#kept.set(id, shelf);
    return shelves;
  }
}
