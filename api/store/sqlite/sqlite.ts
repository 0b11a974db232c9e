import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { applyPatch, checkPatch } from "./apply-patch.ts";
import { toText } from "./document-text.ts";
import { checkName } from "./field-path.ts";
import { GroupCommit } from "./group-commit.ts";
import { fieldJson, fieldSql, orderSql, whereSql, type Value } from "./sqlite-query.ts";
import {
  BadDocument,
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
  readonly #known = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  of(sql: string): StatementSync {
    const known = this.#known.get(sql);
    if (known) return known;
    if (this.#known.size >= 400) this.#known.clear();
    const made = this.#db.prepare(sql);
    this.#known.set(sql, made);
    return made;
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
    const where = whereSql(filter);
    const rest = `FROM ${this.#table}${where.sql}${orderSql(options, where.values)}`;
    if (!options.fields) return this.#all(`SELECT doc ${rest}`, where.values).map((row) => parse(row["doc"]) as T);
    const fields = [...new Set(["_id", ...options.fields])];
    const columns = fields.map((field) => `${fieldJson(field)} AS "${field}"`).join(", ");
    return this.#all(`SELECT ${columns} ${rest}`, where.values).map((row) => {
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
    const where = whereSql(filter);
    return this.#writes.write(() => {
      const row = this.#statements.of(`SELECT doc FROM ${this.#table}${where.sql} LIMIT 1`).get(...where.values);
      return row ? this.#rewrite(parse(row["doc"]) as T, clean) : undefined;
    });
  }

  async patchOrInsert(fresh: T, patch: Patch<T>): Promise<T> {
    const clean = checkPatch(patch);
    const text = documentText(fresh);
    return this.#writes.write(() => {
      const old = this.#read(fresh._id);
      if (old) return this.#rewrite(old, clean);
      const made = applyPatch(parse(text) as T, clean);
      if (!this.#insert(made._id, documentText(made))) throw new DuplicateValue(`Taken in ${this.#table}`);
      return made;
    });
  }

  async upsert(doc: T): Promise<void> {
    const text = documentText(doc);
    const sql = `INSERT INTO ${this.#table} VALUES (?, ?) ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc`;
    await this.#writes.write(() => this.#change(sql, [doc._id.toWellFormed(), text]));
  }

  async remove(filter: Filter<T>): Promise<number> {
    const where = whereSql(filter);
    return this.#writes.write(() => this.#change(`DELETE FROM ${this.#table}${where.sql}`, where.values));
  }

  async count(filter: Filter<T>): Promise<number> {
    const where = whereSql(filter);
    const [row] = this.#all(`SELECT count(*) AS total FROM ${this.#table}${where.sql}`, where.values);
    return Number(row?.["total"]);
  }

  async groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>> {
    const where = whereSql(filter);
    const sql = `SELECT ${fieldJson(field)} AS value, count(*) AS total FROM ${this.#table}${where.sql} GROUP BY 1`;
    const counts = new Map<string, number>();
    for (const row of this.#all(sql, where.values)) {
      const key = String(row["value"] === null ? null : parse(row["value"]));
      counts.set(key, (counts.get(key) ?? 0) + Number(row["total"]));
    }
    return counts;
  }

  #all(sql: string, values: Value[]) {
    return this.#statements.of(sql).all(...values);
  }

  #read(id: string): T | undefined {
    const row = this.#statements.of(`SELECT doc FROM ${this.#table} WHERE _id = ?`).get(id.toWellFormed());
    return row && (parse(row["doc"]) as T);
  }

  #insert(id: string, text: string): boolean {
    return (
      this.#change(`INSERT INTO ${this.#table} VALUES (?, ?) ON CONFLICT DO NOTHING`, [id.toWellFormed(), text]) > 0
    );
  }

  #rewrite(doc: T, patch: Patch<T>): T {
    const after = applyPatch(doc, patch);
    this.#change(`UPDATE ${this.#table} SET doc = ? WHERE _id = ?`, [documentText(after), after._id]);
    return after;
  }

  #change(sql: string, values: Value[]): number {
    try {
      return Number(this.#statements.of(sql).run(...values).changes);
    } catch (cause) {
      if (isDuplicate(cause)) throw new DuplicateValue(`Taken in ${this.#table}`, { cause });
      throw cause;
    }
  }
}

const parse = (text: unknown): unknown => JSON.parse(text as string);

function documentText(doc: Doc): string {
  if (typeof doc._id !== "string" || doc._id === "") throw new BadDocument("A document needs an _id");
  return toText(doc);
}

function indexSql(table: string, { fields, unique = false }: IndexSpec): string {
  const name = [table, ...fields.map((field) => field.replaceAll(".", "-")), unique ? "unique" : "index"].join(":");
  const columns = fields.map(fieldSql).join(", ");
  return `CREATE ${unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns})`;
}

function removeOwned(db: DatabaseSync, writes: GroupCommit, ownerId: string): Promise<number> {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  return writes.write(() => {
    let gone = 0;
    for (const { name } of tables)
      gone += Number(db.prepare(`DELETE FROM "${String(name)}" WHERE ${fieldSql("ownerId")} = ?`).run(ownerId).changes);
    return gone;
  });
}

/** A document store in one SQLite file: a table per collection, with its indexes on JSON fields. */
export function openSqlite(where: { folder: string } | { path: string }): DocumentStore {
  if ("folder" in where) mkdirSync(where.folder, { recursive: true });
  const path = "folder" in where ? join(where.folder, DATABASE_FILE) : where.path;
  const db = new DatabaseSync(path, { timeout: 10_000 });
  // FULL: a commit is on disk before it is acknowledged, even if the power fails.
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY",
  );
  const statements = new Statements(db);
  const writes = new GroupCommit(db);
  const known = new Map<string, unknown>();
  return {
    kind: "SQLite",
    collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
      // If requested with other indexes, those are created too.
      const name = `${spec.name}:${spec.indexes.length}`;
      const before = known.get(name);
      if (before) return before as Collection<T>;
      const table = checkName(spec.name);
      db.exec(`CREATE TABLE IF NOT EXISTS "${table}" (_id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`);
      for (const index of spec.indexes) db.exec(indexSql(table, index));
      const made = new SqliteCollection<T>(`"${table}"`, statements, writes);
      known.set(name, made);
      return made;
    },
    removeOwned: (ownerId) => removeOwned(db, writes, ownerId),
    async check() {
      statements.of("SELECT count(*) FROM sqlite_schema").get();
    },
    async close() {
      writes.flush();
      db.close();
    },
  };
}
