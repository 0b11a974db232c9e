import type { DatabaseSync } from "node:sqlite";
import { type IndexedPassage, type NearestRequest, getIndexedText, type UnembeddedPassage } from "../search/port.ts";
import { closestBySigns, cosine, packVector, type SignTable } from "../search/vectors.ts";

const TABLES = `
CREATE TABLE IF NOT EXISTS vectors (passage INTEGER NOT NULL, model TEXT NOT NULL, signs BLOB NOT NULL,
  codes BLOB NOT NULL, PRIMARY KEY (passage, model)) WITHOUT ROWID;
`;
/** Candidates compared exactly per requested result. */
const CANDIDATES_PER_RESULT = 10;
/** Accounts whose sign bits are cached in memory: about 10 MB per hundred thousand passages. */
const MAX_CACHED_TABLES = 8;

type PassageRef = { passage: number; source: number };

/** Vectors of passages, in the same file as the full-text tables. */
export class VectorTables {
  readonly #db: DatabaseSync;
  readonly #cache = new Map<string, SignTable<PassageRef>>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(TABLES);
  }

  unembedded(ownerId: string, model: string, limit: number): UnembeddedPassage[] {
    const rows = this.#db
      .prepare(
        `SELECT p.id, p.doc FROM sources s JOIN passages p ON p.source = s.id
           LEFT JOIN vectors v ON v.passage = p.id AND v.model = ?
           WHERE s.owner = ? AND v.passage IS NULL ORDER BY p.id LIMIT ?`,
      )
      .all(model, ownerId, limit);
    return rows.map((row) => {
      const passage = JSON.parse(String(row["doc"])) as IndexedPassage;
      return { key: String(row["id"]), text: getIndexedText(passage) };
    });
  }

  /** Passage ids are never reused, so a vector for a deleted passage is not stored. */
  putVectors(ownerId: string, model: string, vectors: readonly { key: string; vector: Float32Array }[]): void {
    const put = this.#db.prepare(
      `INSERT OR REPLACE INTO vectors (passage, model, signs, codes)
         SELECT p.id, ?, ?, ? FROM passages p JOIN sources s ON s.id = p.source WHERE p.id = ? AND s.owner = ?`,
    );
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      for (const { key, vector } of vectors) {
        const { bits, codes } = packVector(vector);
        put.run(model, new Uint8Array(bits.buffer), new Uint8Array(codes.buffer), Number(key), ownerId);
      }
      this.#db.exec("COMMIT");
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
    this.invalidate(ownerId);
  }

  /** Ids and scores of the nearest passages. */
  nearest(
    ownerId: string,
    { model, vector, limit }: NearestRequest,
    requestedSources: ReadonlySet<number>,
  ): { passage: number; score: number }[] {
    const querySigns = packVector(vector).bits;
    const isRequested = ({ source }: PassageRef) => requestedSources.has(source);
    const table = this.#getTable(ownerId, model);
    const candidates = closestBySigns(table, { query: querySigns, limit: limit * CANDIDATES_PER_RESULT, isRequested });
    const read = this.#db.prepare("SELECT codes FROM vectors WHERE passage = ? AND model = ?");
    return candidates
      .map(({ passage }) => {
        const codes = read.get(passage, model)?.["codes"] as Uint8Array | undefined;
        return { passage, score: codes ? cosine(vector, new Int8Array(codes)) : 0 };
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  /** Removes the vectors of a source. */
  removeSource(source: number): void {
    this.#db.prepare("DELETE FROM vectors WHERE passage IN (SELECT id FROM passages WHERE source = ?)").run(source);
  }

  /** Invalidates the cached sign bits of an account. */
  invalidate(ownerId: string): void {
    for (const key of this.#cache.keys()) if (key.startsWith(`${ownerId}\0`)) this.#cache.delete(key);
  }

  #getTable(ownerId: string, model: string): SignTable<PassageRef> {
    const key = `${ownerId}\0${model}`;
    const cache = this.#cache.get(key) ?? this.#readTable(ownerId, model);
    this.#cache.delete(key);
    this.#cache.set(key, cache);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED_TABLES && oldest !== undefined) this.#cache.delete(oldest);
    return cache;
  }

  #readTable(ownerId: string, model: string): SignTable<PassageRef> {
    const rows = this.#db
      .prepare(
        `SELECT p.id, p.source, v.signs FROM sources s JOIN passages p ON p.source = s.id
           JOIN vectors v ON v.passage = p.id AND v.model = ? WHERE s.owner = ? ORDER BY p.id`,
      )
      .all(model, ownerId);
    const width = ((rows[0]?.["signs"] as Uint8Array | undefined)?.length ?? 0) / 4;
    const signs = new Uint32Array(rows.length * width);
    const bytes = new Uint8Array(signs.buffer);
    for (const [n, row] of rows.entries())
      bytes.set((row["signs"] as Uint8Array).subarray(0, width * 4), n * width * 4);
    const owners = rows.map((row) => ({ passage: Number(row["id"]), source: Number(row["source"]) }));
    return { width, signs, owners };
  }
}
