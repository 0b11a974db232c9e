import { DatabaseSync, type StatementSync } from "node:sqlite";
import { searchTerms } from "#shared/engine/search-terms.ts";
import {
  type Hit,
  type IndexedPassage,
  type IndexedSource,
  type NearestRequest,
  type PassageRange,
  searchedText,
  type SearchRequest,
  type UnembeddedPassage,
} from "../search/port.ts";
import { type KnownWords, type Lengths, nearTerms, typedTerms } from "../search/typed-terms.ts";
import { VectorTables } from "./vector-tables.ts";

/** Increase when passages are stored or tokenised differently: the index is then rebuilt. */
const INDEX_VERSION = 4;
/** Maximum number of rows ranked per query; the most frequent terms are dropped first. */
const MAX_RANKED = 5_000;
const MAX_TERMS = 24;
/** Upper bound of the length of a term. */
const LONGEST = 1_000;

const TABLES = `
CREATE TABLE IF NOT EXISTS owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS sources (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,
  version TEXT NOT NULL, UNIQUE (owner, name));
CREATE TABLE IF NOT EXISTS passages (id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, doc TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS passages_of_source ON passages (source, id);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(place, said, content='', contentless_delete=1, 
  tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'");
CREATE TABLE IF NOT EXISTS lexicon (owner INTEGER NOT NULL, term TEXT NOT NULL, passages INTEGER NOT NULL,
  PRIMARY KEY (owner, term)) WITHOUT ROWID;
PRAGMA user_version = ${INDEX_VERSION};
`;
const DROPPED =
  "DROP TABLE IF EXISTS owners; DROP TABLE IF EXISTS lexicon; DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS terms; DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS passages; DROP TABLE IF EXISTS sources;";

/** Prefixes a term with its account, so that the postings of other accounts are not read. */
const tokenOf = (owner: number, term: string) => `${owner}x${term}`;
const quoted = (tokens: readonly string[]) => tokens.map((token) => `"${token}"`).join(" OR ");

const termsOf = (passage: IndexedPassage) => searchTerms(searchedText(passage));

/** Document frequency: the number of passages that contain each term. */
function holdersOf(passages: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const holders = new Map<string, number>();
  for (const terms of passages) for (const term of new Set(terms)) holders.set(term, (holders.get(term) ?? 0) + 1);
  return holders;
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
    if (version !== INDEX_VERSION) this.#db.exec(DROPPED);
    this.#db.exec(TABLES);
    this.#vectors = new VectorTables(this.#db);
  }

  versions(ownerId: string): [string, string][] {
    const rows = this.#of("SELECT name, version FROM sources WHERE owner = ?").all(ownerId);
    return rows.map((row) => [String(row["name"]), String(row["version"])]);
  }

  put(ownerId: string, source: IndexedSource, passages: readonly IndexedPassage[]): void {
    this.#atomically(() => {
      this.#drop(ownerId, source.id);
      const made = this.#of("INSERT INTO sources (owner, name, version) VALUES (?, ?, ?)");
      const id = Number(made.run(ownerId, source.id, source.version).lastInsertRowid);
      const owner = this.#numberOf(ownerId);
      const keep = this.#of("INSERT INTO passages (source, doc) VALUES (?, ?)");
      const index = this.#of("INSERT INTO words (rowid, place, said) VALUES (?, ?, ?)");
      const cut = passages.map((passage) => {
        const { lastInsertRowid } = keep.run(id, JSON.stringify(passage));
        const terms = termsOf(passage);
        index.run(lastInsertRowid, `s${id}`, terms.map((term) => tokenOf(owner, term)).join(" "));
        return terms;
      });
      const learn = this.#of(
        `INSERT INTO lexicon (owner, term, passages) VALUES (?, ?, ?)
           ON CONFLICT (owner, term) DO UPDATE SET passages = passages + excluded.passages`,
      );
      for (const [term, count] of holdersOf(cut)) learn.run(owner, term, count);
    });
  }

  remove(ownerId: string, sourceIds: readonly string[]): void {
    this.#atomically(() => sourceIds.forEach((id) => this.#drop(ownerId, id)));
  }

  removeOwner(ownerId: string): void {
    this.remove(
      ownerId,
      this.versions(ownerId).map(([name]) => name),
    );
    this.#of("DELETE FROM owners WHERE name = ?").run(ownerId);
  }

  async search(ownerId: string, { text, limit, sourceIds, isTyped = false }: SearchRequest): Promise<Hit[]> {
    const places = sourceIds && this.#sourcesOf(ownerId, sourceIds).map(([id]) => `s${id}`);
    const owner = Number(this.#of("SELECT id FROM owners WHERE name = ?").get(ownerId)?.["id"] ?? 0);
    if (places?.length === 0 || owner === 0) return [];
    const ask = (terms: readonly string[], more: readonly string[] = []) =>
      this.#ranked(
        ownerId,
        places,
        this.#rarest(owner, terms, more).map((term) => tokenOf(owner, term)),
        limit,
      );
    if (!isTyped) return ask([...new Set(searchTerms(text))]);
    const words: KnownWords = {
      beginning: (start, most, lengths) => this.#beginning(owner, start, { most, lengths }),
    };
    const { whole, endings } = await typedTerms(text, words);
    const found = ask(whole, endings);
    return found.length > 0 ? found : ask(await nearTerms(text, words));
  }

  #ranked(ownerId: string, places: readonly string[] | undefined, tokens: readonly string[], limit: number): Hit[] {
    if (tokens.length === 0) return [];
    const said = `said : (${quoted(tokens)})`;
    const match = places ? `place : (${quoted(places)}) AND ${said}` : said;
    // The inner query ranks row ids only; texts are read just for the results.
    const rows = this.#of(
      `SELECT p.source, p.doc, found.score, p.id - (SELECT min(id) FROM passages WHERE source = p.source) AS place FROM
         (SELECT rowid AS id, bm25(words, 0, 1) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?) AS found
         JOIN passages p ON p.id = found.id ORDER BY found.score, p.id`,
    ).all(match, limit);
    return this.#hitsOf(rows, this.#namesOf(ownerId, rows));
  }

  /** The names of the rows' sources. Checks the owner in the sources table as well, not only in the index. */
  #namesOf(ownerId: string, rows: readonly Record<string, unknown>[]): ReadonlyMap<number, string> {
    const ids = [...new Set(rows.map((row) => Number(row["source"])))];
    const named = this.#of("SELECT id, name FROM sources WHERE owner = ? AND id IN (SELECT value FROM json_each(?))");
    return new Map(named.all(ownerId, JSON.stringify(ids)).map((row) => [Number(row["id"]), String(row["name"])]));
  }

  /** The account's terms with this prefix, shortest first. */
  #beginning(
    owner: number,
    start: string,
    { most, lengths }: { most: number; lengths: Lengths | undefined },
  ): string[] {
    const rows = this.#of(
      `SELECT term FROM lexicon WHERE owner = ? AND term >= ? AND term < ? AND length(term) BETWEEN ? AND ?
         ORDER BY length(term), term LIMIT ?`,
    ).all(owner, start, `${start}\u{10FFFF}`, lengths?.from ?? 0, lengths?.to ?? LONGEST, most);
    return rows.map((row) => String(row["term"]));
  }

  unembedded(ownerId: string, model: string, limit: number): UnembeddedPassage[] {
    return this.#vectors.unembedded(ownerId, model, limit);
  }

  putVectors(ownerId: string, model: string, vectors: readonly { key: string; vector: Float32Array }[]): void {
    this.#vectors.putVectors(ownerId, model, vectors);
  }

  nearest(ownerId: string, request: NearestRequest): Hit[] {
    const names = new Map(this.#sourcesOf(ownerId, request.sourceIds));
    const close = this.#vectors.nearest(ownerId, request, new Set(names.keys()));
    const read = this.#of(
      `SELECT p.source, p.doc, p.id - (SELECT min(id) FROM passages WHERE source = p.source) AS place
         FROM passages p WHERE p.id = ?`,
    );
    const rows = close.flatMap(({ passage, score }) => {
      const row = read.get(passage);
      return row ? [{ ...row, score: -score }] : [];
    });
    return this.#hitsOf(rows, names);
  }

  #hitsOf(rows: readonly Record<string, unknown>[], names: ReadonlyMap<number, string>): Hit[] {
    return rows.flatMap((row) => {
      const sourceId = names.get(Number(row["source"]));
      if (sourceId === undefined) return [];
      const passage = JSON.parse(String(row["doc"])) as IndexedPassage;
      return { sourceId, passage, place: Number(row["place"]), score: -Number(row["score"]) };
    });
  }

  read(ownerId: string, sourceId: string, { from, limit }: PassageRange): IndexedPassage[] {
    // The passages of a source are written together, so their ids are consecutive.
    const rows = this.#of(
      `SELECT p.doc FROM sources s JOIN passages p ON p.source = s.id
         WHERE s.owner = ? AND s.name = ? AND p.id >= ? + (SELECT min(id) FROM passages WHERE source = s.id)
         ORDER BY p.id LIMIT ?`,
    ).all(ownerId, sourceId, from, limit);
    return rows.map((row) => JSON.parse(String(row["doc"])) as IndexedPassage);
  }

  close(): void {
    this.#db.close();
  }

  #sourcesOf(ownerId: string, wanted: readonly string[] | undefined): [number, string][] {
    const rows = wanted
      ? this.#of("SELECT id, name FROM sources WHERE owner = ? AND name IN (SELECT value FROM json_each(?))").all(
          ownerId,
          JSON.stringify(wanted),
        )
      : this.#of("SELECT id, name FROM sources WHERE owner = ?").all(ownerId);
    return rows.map((row) => [Number(row["id"]), String(row["name"])]);
  }

  /** The rarest terms, as many as can be ranked in time but at least one; `more` only if there is capacity left. */
  #rarest(owner: number, terms: readonly string[], more: readonly string[]): string[] {
    const kept: string[] = [];
    let rows = 0;
    for (const { term, count } of [...this.#counted(owner, terms), ...this.#counted(owner, more)]) {
      rows += count;
      if (kept.length === MAX_TERMS || (kept.length > 0 && rows > MAX_RANKED)) break;
      kept.push(term);
    }
    return kept;
  }

  #counted(owner: number, terms: readonly string[]): { term: string; count: number }[] {
    const known = this.#of("SELECT passages FROM lexicon WHERE owner = ? AND term = ?");
    const counted = terms.flatMap((term) => {
      const count = Number(known.get(owner, term)?.["passages"] ?? 0);
      return count > 0 ? [{ term, count }] : [];
    });
    return counted.toSorted((a, b) => a.count - b.count);
  }

  #drop(ownerId: string, name: string): void {
    const source = this.#of("SELECT id FROM sources WHERE owner = ? AND name = ?").get(ownerId, name);
    if (!source) return;
    const id = Number(source["id"]);
    this.#vectors.drop(id);
    this.#vectors.forget(ownerId);
    this.#unlearn(ownerId, id);
    this.#of("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE source = ?)").run(id);
    this.#of("DELETE FROM passages WHERE source = ?").run(id);
    this.#of("DELETE FROM sources WHERE id = ?").run(id);
  }

  /** The account's numeric id within this file. */
  #numberOf(ownerId: string): number {
    this.#of("INSERT OR IGNORE INTO owners (name) VALUES (?)").run(ownerId);
    return Number(this.#of("SELECT id FROM owners WHERE name = ?").get(ownerId)?.["id"]);
  }

  /** Removes a source's terms from the account's vocabulary. */
  #unlearn(ownerId: string, source: number): void {
    const owner = this.#numberOf(ownerId);
    const rows = this.#of("SELECT doc FROM passages WHERE source = ?").all(source);
    const less = this.#of("UPDATE lexicon SET passages = passages - ? WHERE owner = ? AND term = ?");
    const forget = this.#of("DELETE FROM lexicon WHERE owner = ? AND term = ? AND passages <= 0");
    const cut = rows.map((row) => termsOf(JSON.parse(String(row["doc"])) as IndexedPassage));
    for (const [term, count] of holdersOf(cut)) {
      less.run(count, owner, term);
      forget.run(owner, term);
    }
  }

  #atomically(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (cause) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw cause;
    }
  }

  #of(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}
