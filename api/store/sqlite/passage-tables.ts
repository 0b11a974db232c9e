import { DatabaseSync, type StatementSync } from "node:sqlite";
import { searchTerms } from "#shared/text/search-terms.ts";
import {
  type Hit,
  type IndexedPassage,
  type IndexedSource,
  type NearestRequest,
  type PassageRange,
  getIndexedText,
  type SearchRequest,
  type UnembeddedPassage,
} from "../search/port.ts";
import { type Vocabulary, type Lengths, findNearTerms, correctTerms, expandTypedTerms } from "../search/typed-terms.ts";
import { VectorTables } from "./vector-tables.ts";

/** Increase when passages are stored or tokenised differently: the index is then rebuilt. */
const INDEX_VERSION = 5;
/** Maximum number of rows ranked per query; the most frequent terms are dropped first. */
const MAX_RANKED = 5_000;
const MAX_TERMS = 24;
/** Upper bound of the length of a term. */
const MAX_TERM_LENGTH = 1_000;

const TABLES = `
CREATE TABLE IF NOT EXISTS owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS sources (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,
  version TEXT NOT NULL, UNIQUE (owner, name));
CREATE TABLE IF NOT EXISTS passages (id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, doc TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS passages_of_source ON passages (source, id);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(source, terms, content='', contentless_delete=1, 
  tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'");
CREATE TABLE IF NOT EXISTS lexicon (owner INTEGER NOT NULL, term TEXT NOT NULL, passages INTEGER NOT NULL,
  PRIMARY KEY (owner, term)) WITHOUT ROWID;
PRAGMA user_version = ${INDEX_VERSION};
`;
const DROP_TABLES =
  "DROP TABLE IF EXISTS owners; DROP TABLE IF EXISTS lexicon; DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS terms; DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS passages; DROP TABLE IF EXISTS sources;";

/** Prefixes a term with its account, so that the postings of other accounts are not read. */
const toToken = (owner: number, term: string) => `${owner}x${term}`;
const quoteTokens = (tokens: readonly string[]) => tokens.map((token) => `"${token}"`).join(" OR ");

const extractTerms = (passage: IndexedPassage) => searchTerms(getIndexedText(passage));

/** Document frequency: the number of passages that contain each term. */
function countDocuments(passages: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const terms of passages)
    for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return frequencies;
}

/**
 * A full-text index ([FTS5](https://www.sqlite.org/fts5.html)) of passages in a SQLite file of its own. Derived from
 * the store, so it can be rebuilt.
 */
export class PassageTables {
  readonly #db: DatabaseSync;
  readonly #vectors: VectorTables;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 10_000 });
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
    const version = Number(this.#db.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version !== INDEX_VERSION) this.#db.exec(DROP_TABLES);
    this.#db.exec(TABLES);
    this.#vectors = new VectorTables(this.#db);
  }

  versions(ownerId: string): [string, string][] {
    const rows = this.#prepare("SELECT name, version FROM sources WHERE owner = ?").all(ownerId);
    return rows.map((row) => [String(row["name"]), String(row["version"])]);
  }

  put(ownerId: string, source: IndexedSource, passages: readonly IndexedPassage[]): void {
    this.#runInTransaction(() => {
      this.#removeSource(ownerId, source.id);
      const insertSource = this.#prepare("INSERT INTO sources (owner, name, version) VALUES (?, ?, ?)");
      const id = Number(insertSource.run(ownerId, source.id, source.version).lastInsertRowid);
      const owner = this.#getOwnerNumber(ownerId);
      const insertPassage = this.#prepare("INSERT INTO passages (source, doc) VALUES (?, ?)");
      const insertWords = this.#prepare("INSERT INTO words (rowid, source, terms) VALUES (?, ?, ?)");
      const termsPerPassage = passages.map((passage) => {
        const { lastInsertRowid } = insertPassage.run(id, JSON.stringify(passage));
        const terms = extractTerms(passage);
        insertWords.run(lastInsertRowid, `s${id}`, terms.map((term) => toToken(owner, term)).join(" "));
        return terms;
      });
      const addToLexicon = this.#prepare(
        `INSERT INTO lexicon (owner, term, passages) VALUES (?, ?, ?)
           ON CONFLICT (owner, term) DO UPDATE SET passages = passages + excluded.passages`,
      );
      for (const [term, count] of countDocuments(termsPerPassage)) addToLexicon.run(owner, term, count);
    });
  }

  remove(ownerId: string, sourceIds: readonly string[]): void {
    this.#runInTransaction(() => sourceIds.forEach((id) => this.#removeSource(ownerId, id)));
  }

  removeOwner(ownerId: string): void {
    this.remove(
      ownerId,
      this.versions(ownerId).map(([name]) => name),
    );
    this.#prepare("DELETE FROM owners WHERE name = ?").run(ownerId);
  }

  async search(
    ownerId: string,
    { text, limit, sourceIds, isTyped = false, correctsTypos = false }: SearchRequest,
  ): Promise<Hit[]> {
    const sourceTokens = sourceIds && this.#listSources(ownerId, sourceIds).map(([id]) => `s${id}`);
    const owner = Number(this.#prepare("SELECT id FROM owners WHERE name = ?").get(ownerId)?.["id"] ?? 0);
    if (sourceTokens?.length === 0 || owner === 0) return [];
    const findByTerms = (terms: readonly string[], extra: readonly string[] = []) =>
      this.#rankTokens(
        ownerId,
        sourceTokens,
        this.#selectRarest(owner, terms, extra).map((term) => toToken(owner, term)),
        limit,
      );
    const words: Vocabulary = {
      findByPrefix: (start, max, lengths) => this.#findByPrefix(owner, start, { max, lengths }),
    };
    if (correctsTypos) return findByTerms(await correctTerms(text, words));
    if (!isTyped) return findByTerms([...new Set(searchTerms(text))]);
    const { whole, completions } = await expandTypedTerms(text, words);
    const found = findByTerms(whole, completions);
    return found.length > 0 ? found : findByTerms(await findNearTerms(text, words));
  }

  #rankTokens(
    ownerId: string,
    sourceTokens: readonly string[] | undefined,
    tokens: readonly string[],
    limit: number,
  ): Hit[] {
    if (tokens.length === 0) return [];
    const termQuery = `terms : (${quoteTokens(tokens)})`;
    const match = sourceTokens ? `source : (${quoteTokens(sourceTokens)}) AND ${termQuery}` : termQuery;
    // The inner query ranks row ids only; texts are read just for the results.
    const rows = this.#prepare(
      `SELECT p.source, p.doc, found.score, p.id - (SELECT min(id) FROM passages WHERE source = p.source) AS position FROM
         (SELECT rowid AS id, bm25(words, 0, 1) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?) AS found
         JOIN passages p ON p.id = found.id ORDER BY found.score, p.id`,
    ).all(match, limit);
    return this.#toHits(rows, this.#readSourceNames(ownerId, rows));
  }

  /** The names of the rows' sources. Checks the owner in the sources table as well, not only in the index. */
  #readSourceNames(ownerId: string, rows: readonly Record<string, unknown>[]): ReadonlyMap<number, string> {
    const ids = [...new Set(rows.map((row) => Number(row["source"])))];
    const query = this.#prepare(
      "SELECT id, name FROM sources WHERE owner = ? AND id IN (SELECT value FROM json_each(?))",
    );
    return new Map(query.all(ownerId, JSON.stringify(ids)).map((row) => [Number(row["id"]), String(row["name"])]));
  }

  /** The account's terms with this prefix, shortest first. */
  #findByPrefix(
    owner: number,
    start: string,
    { max, lengths }: { max: number; lengths: Lengths | undefined },
  ): string[] {
    const rows = this.#prepare(
      `SELECT term FROM lexicon WHERE owner = ? AND term >= ? AND term < ? AND length(term) BETWEEN ? AND ?
         ORDER BY length(term), term LIMIT ?`,
    ).all(owner, start, `${start}\u{10FFFF}`, lengths?.from ?? 0, lengths?.to ?? MAX_TERM_LENGTH, max);
    return rows.map((row) => String(row["term"]));
  }

  unembedded(ownerId: string, model: string, limit: number): UnembeddedPassage[] {
    return this.#vectors.unembedded(ownerId, model, limit);
  }

  putVectors(ownerId: string, model: string, vectors: readonly { key: string; vector: Float32Array }[]): void {
    this.#vectors.putVectors(ownerId, model, vectors);
  }

  nearest(ownerId: string, request: NearestRequest): Hit[] {
    const names = new Map(this.#listSources(ownerId, request.sourceIds));
    const close = this.#vectors.nearest(ownerId, request, new Set(names.keys()));
    const read = this.#prepare(
      `SELECT p.source, p.doc, p.id - (SELECT min(id) FROM passages WHERE source = p.source) AS position
         FROM passages p WHERE p.id = ?`,
    );
    const rows = close.flatMap(({ passage, score }) => {
      const row = read.get(passage);
      return row ? [{ ...row, score: -score }] : [];
    });
    return this.#toHits(rows, names);
  }

  #toHits(rows: readonly Record<string, unknown>[], names: ReadonlyMap<number, string>): Hit[] {
    return rows.flatMap((row) => {
      const sourceId = names.get(Number(row["source"]));
      if (sourceId === undefined) return [];
      const passage = JSON.parse(String(row["doc"])) as IndexedPassage;
      return { sourceId, passage, position: Number(row["position"]), score: -Number(row["score"]) };
    });
  }

  read(ownerId: string, sourceId: string, { from, limit }: PassageRange): IndexedPassage[] {
    // The passages of a source are written together, so their ids are consecutive.
    const rows = this.#prepare(
      `SELECT p.doc FROM sources s JOIN passages p ON p.source = s.id
         WHERE s.owner = ? AND s.name = ? AND p.id >= ? + (SELECT min(id) FROM passages WHERE source = s.id)
         ORDER BY p.id LIMIT ?`,
    ).all(ownerId, sourceId, from, limit);
    return rows.map((row) => JSON.parse(String(row["doc"])) as IndexedPassage);
  }

  close(): void {
    this.#db.close();
  }

  #listSources(ownerId: string, requested: readonly string[] | undefined): [number, string][] {
    const rows = requested
      ? this.#prepare("SELECT id, name FROM sources WHERE owner = ? AND name IN (SELECT value FROM json_each(?))").all(
          ownerId,
          JSON.stringify(requested),
        )
      : this.#prepare("SELECT id, name FROM sources WHERE owner = ?").all(ownerId);
    return rows.map((row) => [Number(row["id"]), String(row["name"])]);
  }

  /**
   * The rarest terms, as many as can be ranked in time but at least one. Terms of `extra` are added only while there is
   * capacity left.
   */
  #selectRarest(owner: number, terms: readonly string[], extra: readonly string[]): string[] {
    const selected: string[] = [];
    let rows = 0;
    for (const { term, count } of [...this.#countTerms(owner, terms), ...this.#countTerms(owner, extra)]) {
      rows += count;
      if (selected.length === MAX_TERMS || (selected.length > 0 && rows > MAX_RANKED)) break;
      selected.push(term);
    }
    return selected;
  }

  #countTerms(owner: number, terms: readonly string[]): { term: string; count: number }[] {
    const query = this.#prepare("SELECT passages FROM lexicon WHERE owner = ? AND term = ?");
    const counted = terms.flatMap((term) => {
      const count = Number(query.get(owner, term)?.["passages"] ?? 0);
      return count > 0 ? [{ term, count }] : [];
    });
    return counted.toSorted((a, b) => a.count - b.count);
  }

  #removeSource(ownerId: string, name: string): void {
    const source = this.#prepare("SELECT id FROM sources WHERE owner = ? AND name = ?").get(ownerId, name);
    if (!source) return;
    const id = Number(source["id"]);
    this.#vectors.removeSource(id);
    this.#vectors.invalidate(ownerId);
    this.#removeFromLexicon(ownerId, id);
    this.#prepare("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE source = ?)").run(id);
    this.#prepare("DELETE FROM passages WHERE source = ?").run(id);
    this.#prepare("DELETE FROM sources WHERE id = ?").run(id);
  }

  /** The account's numeric id within this file. */
  #getOwnerNumber(ownerId: string): number {
    this.#prepare("INSERT OR IGNORE INTO owners (name) VALUES (?)").run(ownerId);
    return Number(this.#prepare("SELECT id FROM owners WHERE name = ?").get(ownerId)?.["id"]);
  }

  /** Removes a source's terms from the account's vocabulary. */
  #removeFromLexicon(ownerId: string, source: number): void {
    const owner = this.#getOwnerNumber(ownerId);
    const rows = this.#prepare("SELECT doc FROM passages WHERE source = ?").all(source);
    const decrement = this.#prepare("UPDATE lexicon SET passages = passages - ? WHERE owner = ? AND term = ?");
    const removeEmpty = this.#prepare("DELETE FROM lexicon WHERE owner = ? AND term = ? AND passages <= 0");
    const termsPerPassage = rows.map((row) => extractTerms(JSON.parse(String(row["doc"])) as IndexedPassage));
    for (const [term, count] of countDocuments(termsPerPassage)) {
      decrement.run(count, owner, term);
      removeEmpty.run(owner, term);
    }
  }

  #runInTransaction(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (cause) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw cause;
    }
  }

  #prepare(sql: string): StatementSync {
    const existing = this.#statements.get(sql);
    if (existing) return existing;
    const created = this.#db.prepare(sql);
    this.#statements.set(sql, created);
    return created;
  }
}
