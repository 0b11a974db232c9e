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

interface VectorBlock {
  writing: string;
  first: number;
  size: number;
  signs: Uint32Array;
  codes: Int8Array;
}

interface VectorMatch {
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
const CANDIDATES_PER_RESULT = 10;
/** Maximum number of cached blocks over all accounts; blocks are immutable. */
const MAX_CACHED = 5000;

const decodeBase64 = (text: string) => Uint8Array.from(Buffer.from(text, "base64"));
const encodeBase64 = ({ buffer }: { buffer: ArrayBufferLike }) => Buffer.from(buffer).toString("base64");

function concatenate<T extends Uint32Array | Int8Array>(parts: readonly T[], target: T): T {
  let offset = 0;
  for (const part of parts) {
    target.set(part, offset);
    offset += part.length;
  }
  return target;
}

/** Vectors of passages on any document store. */
export class DocumentVectors {
  readonly #vectors: Collection<VectorsDoc>;
  readonly #cache = new Map<string, VectorBlock>();

  constructor(store: DocumentStore) {
    this.#vectors = store.collection(vectors);
  }

  /** The blocks that have vectors of the model, as `writing.first`. */
  async listEmbedded(ownerId: string, model: string, writings: readonly string[]): Promise<ReadonlySet<string>> {
    const writing = { in: writings };
    const found = await this.#vectors.find({ ownerId, model, writing }, { fields: ["writing", "first"] });
    return new Set(found.map((doc) => `${doc.writing}.${doc.first}`));
  }

  async put(
    blockKey: { ownerId: string; writing: string; first: number },
    model: string,
    blockVectors: readonly Float32Array[],
  ): Promise<void> {
    const packed = blockVectors.map(packVector);
    const size = blockVectors[0]?.length ?? 0;
    const width = Math.ceil(size / 32);
    await this.#vectors.upsert({
      ...blockKey,
      _id: `${blockKey.writing}.${blockKey.first}.${model}`,
      model,
      size,
      signs: encodeBase64(
        concatenate(
          packed.map(({ bits }) => bits),
          new Uint32Array(width * packed.length),
        ),
      ),
      codes: encodeBase64(
        concatenate(
          packed.map(({ codes }) => codes),
          new Int8Array(size * packed.length),
        ),
      ),
    });
  }

  async nearest(
    ownerId: string,
    { model, vector, limit }: { model: string; vector: Float32Array; limit: number },
    writings: readonly string[],
  ): Promise<VectorMatch[]> {
    const blocks = (await this.#read(ownerId, model, writings)).filter(({ size }) => size === vector.length);
    const width = Math.ceil(vector.length / 32);
    const owners = blocks.flatMap((block) =>
      Array.from({ length: block.codes.length / block.size }, (_, n) => ({ block, n })),
    );
    const signs = concatenate(
      blocks.map((block) => block.signs),
      new Uint32Array(owners.length * width),
    );
    const querySigns = packVector(vector).bits;
    const candidates = closestBySigns(
      { width, signs, owners },
      { query: querySigns, limit: limit * CANDIDATES_PER_RESULT, isRequested: () => true },
    );
    return candidates
      .map(({ block, n }) => {
        const codes = block.codes.subarray(n * block.size, (n + 1) * block.size);
        return { writing: block.writing, passage: block.first + n, score: cosine(vector, codes) };
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

  /** Reads the ids first, then only the vectors that are not cached. */
  async #read(ownerId: string, model: string, writings: readonly string[]): Promise<VectorBlock[]> {
    const existing = await this.#vectors.find({ ownerId, model, writing: { in: writings } }, { fields: ["writing"] });
    const ids = existing.map(({ _id }) => _id);
    const missing = ids.filter((id) => !this.#cache.has(id));
    const fetched = missing.length === 0 ? [] : await this.#vectors.find({ ownerId, _id: { in: missing } });
    const newBlocks = fetched.map(({ _id, writing, first, size, signs, codes }): [string, VectorBlock] => {
      const block = { writing, first, size };
      return [
        _id,
        { ...block, signs: new Uint32Array(decodeBase64(signs).buffer), codes: new Int8Array(decodeBase64(codes)) },
      ];
    });
    if (this.#cache.size + newBlocks.length > MAX_CACHED) this.#cache.clear();
    const found = new Map(newBlocks);
    const blocks = ids.flatMap((id) => found.get(id) ?? this.#cache.get(id) ?? []);
    for (const [id, block] of newBlocks) this.#cache.set(id, block);
    return blocks;
  }
}
