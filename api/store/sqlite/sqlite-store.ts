import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { applyPatch, checkPatch } from "./apply-patch.ts";
import { serialize } from "./document-text.ts";
import { requireCollectionName } from "./field-path.ts";
import { GroupCommit } from "./group-commit.ts";
import { fieldJson, fieldSql, orderSql, whereSql, type Value } from "./sqlite-query.ts";
import {
  InvalidDocument,
  DuplicateValue,
  type Collection,
  type CollectionSpec,
  type Doc,
  type DocumentStore,
  type Filter,
  type FindOptions,
  type IndexSpec,
  type Patch,
} from "../port.ts";

export const DATABASE_FILE = "lamplight.db";

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const isDuplicate = (cause: unknown) =>
  cause instanceof Error && "errcode" in cause && (cause.errcode === 1555 || cause.errcode === 2067);

/** Prepared statements by their SQL text. */
class Statements {
  readonly #db: DatabaseSync;
  readonly #cached = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  prepare(sql: string): StatementSync {
    const cached = this.#cached.get(sql);
    if (cached) return cached;
    if (this.#cached.size >= 400) this.#cached.clear();
    const created = this.#db.prepare(sql);
    this.#cached.set(sql, created);
    return created;
  }
}

class SqliteCollection<T extends Doc> implements Collection<T> {
  readonly #table: string;
  readonly #statements: Statements;
  readonly #writes: GroupCommit;

  constructor(table: string, statements: Statements, writes: GroupCommit) {
    this.#table = table;
    this.#statements = statements;
    this.#writes = writes;
  }

  async get(id: string): Promise<T | undefined> {
    return this.#read(id);
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const location = whereSql(filter);
    const rest = `FROM ${this.#table}${location.sql}${orderSql(options, location.values)}`;
    if (!options.fields) return this.#all(`SELECT doc ${rest}`, location.values).map((row) => parse(row["doc"]) as T);
    const fields = [...new Set(["_id", ...options.fields])];
    const columns = fields.map((field) => `${fieldJson(field)} AS "${field}"`).join(", ");
    return this.#all(`SELECT ${columns} ${rest}`, location.values).map((row) => {
      const found = fields.filter((field) => row[field] !== null).map((field) => [field, parse(row[field])]);
      return Object.fromEntries(found) as T;
    });
  }

  async insert(doc: T): Promise<"inserted" | "duplicate"> {
    const text = documentText(doc);
    return this.#writes.write(() => (this.#insert(doc._id, text) ? "inserted" : "duplicate"));
  }

  async patch(filter: Filter<T>, patch: Patch<T>): Promise<T | undefined> {
    const clean = checkPatch(patch);
    const location = whereSql(filter);
    return this.#writes.write(() => {
      const row = this.#statements
        .prepare(`SELECT doc FROM ${this.#table}${location.sql} LIMIT 1`)
        .get(...location.values);
      return row ? this.#rewrite(parse(row["doc"]) as T, clean) : undefined;
    });
  }

  async patchOrInsert(initial: T, patch: Patch<T>): Promise<T> {
    const clean = checkPatch(patch);
    const text = documentText(initial);
    return this.#writes.write(() => {
      const old = this.#read(initial._id);
      if (old) return this.#rewrite(old, clean);
      const created = applyPatch(parse(text) as T, clean);
      if (!this.#insert(created._id, documentText(created))) throw new DuplicateValue(`Taken in ${this.#table}`);
      return created;
    });
  }

  async upsert(doc: T): Promise<void> {
    const text = documentText(doc);
    const sql = `INSERT INTO ${this.#table} VALUES (?, ?) ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc`;
    await this.#writes.write(() => this.#change(sql, [doc._id.toWellFormed(), text]));
  }

  async remove(filter: Filter<T>): Promise<number> {
    const location = whereSql(filter);
    return this.#writes.write(() => this.#change(`DELETE FROM ${this.#table}${location.sql}`, location.values));
  }

  async count(filter: Filter<T>): Promise<number> {
    const location = whereSql(filter);
    const [row] = this.#all(`SELECT count(*) AS total FROM ${this.#table}${location.sql}`, location.values);
    return Number(row?.["total"]);
  }

  async groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>> {
    const location = whereSql(filter);
    const sql = `SELECT ${fieldJson(field)} AS value, count(*) AS total FROM ${this.#table}${location.sql} GROUP BY 1`;
    const counts = new Map<string, number>();
    for (const row of this.#all(sql, location.values)) {
      const key = String(row["value"] === null ? null : parse(row["value"]));
      counts.set(key, (counts.get(key) ?? 0) + Number(row["total"]));
    }
    return counts;
  }

  #all(sql: string, values: Value[]) {
    return this.#statements.prepare(sql).all(...values);
  }

  #read(id: string): T | undefined {
    const row = this.#statements.prepare(`SELECT doc FROM ${this.#table} WHERE _id = ?`).get(id.toWellFormed());
    return row && (parse(row["doc"]) as T);
  }

  #insert(id: string, text: string): boolean {
    return (
      this.#change(`INSERT INTO ${this.#table} VALUES (?, ?) ON CONFLICT DO NOTHING`, [id.toWellFormed(), text]) > 0
    );
  }

  #rewrite(doc: T, patch: Patch<T>): T {
    const updated = applyPatch(doc, patch);
    this.#change(`UPDATE ${this.#table} SET doc = ? WHERE _id = ?`, [documentText(updated), updated._id]);
    return updated;
  }

  #change(sql: string, values: Value[]): number {
    try {
      return Number(this.#statements.prepare(sql).run(...values).changes);
    } catch (cause) {
      if (isDuplicate(cause)) throw new DuplicateValue(`Taken in ${this.#table}`, { cause });
      throw cause;
    }
  }
}

const parse = (text: unknown): unknown => JSON.parse(text as string);

function documentText(doc: Doc): string {
  if (typeof doc._id !== "string" || doc._id === "") throw new InvalidDocument("A document needs an _id");
  return serialize(doc);
}

function indexSql(table: string, { fields, unique = false }: IndexSpec): string {
  const name = [table, ...fields.map((field) => field.replaceAll(".", "-")), unique ? "unique" : "index"].join(":");
  const columns = fields.map(fieldSql).join(", ");
  return `CREATE ${unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns})`;
}

function removeOwned(db: DatabaseSync, writes: GroupCommit, ownerId: string): Promise<number> {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  return writes.write(() => {
    let removedCount = 0;
    for (const { name } of tables)
      removedCount += Number(
        db.prepare(`DELETE FROM "${String(name)}" WHERE ${fieldSql("ownerId")} = ?`).run(ownerId).changes,
      );
    return removedCount;
  });
}

/** A document store in one SQLite file: a table per collection, with its indexes on JSON fields. */
export function openSqlite(location: { folder: string } | { path: string }): DocumentStore {
  if ("folder" in location) mkdirSync(location.folder, { recursive: true });
  const path = "folder" in location ? join(location.folder, DATABASE_FILE) : location.path;
  const db = new DatabaseSync(path, { timeout: 10_000 });
  // FULL: a commit is on disk before it is acknowledged, even if the power fails.
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY",
  );
  const statements = new Statements(db);
  const writes = new GroupCommit(db);
  const cached = new Map<string, unknown>();
  return {
    kind: "SQLite",
    collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
      // If requested with other indexes, those are created too.
      const name = `${spec.name}:${spec.indexes.length}`;
      const existing = cached.get(name);
      if (existing) return existing as Collection<T>;
      const table = requireCollectionName(spec.name);
      db.exec(`CREATE TABLE IF NOT EXISTS "${table}" (_id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`);
      for (const index of spec.indexes) db.exec(indexSql(table, index));
      const created = new SqliteCollection<T>(`"${table}"`, statements, writes);
      cached.set(name, created);
      return created;
    },
    removeOwned: (ownerId) => removeOwned(db, writes, ownerId),
    async checkHealth() {
      statements.prepare("SELECT count(*) FROM sqlite_schema").get();
    },
    async close() {
      writes.flush();
      db.close();
    },
  };
}
