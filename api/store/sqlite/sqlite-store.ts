import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { applyPatch, checkPatch } from "./apply-patch.ts";
import { serialize } from "./document-text.ts";
import { CollectionTable } from "./collection-table.ts";
import { GroupCommit } from "./group-commit.ts";
import { isBusy, toSqliteFailure } from "./sqlite-errors.ts";
import { selectAlias, fieldJson, fieldSql, orderSql, whereSql, type Value } from "./sqlite-query.ts";
import { STORE_TIMEOUT_MS, toStoreDamaged, toStoreUnavailable } from "../store-failures.ts";
import {
  InvalidDocumentError,
  DuplicateValueError,
  type Collection,
  type CollectionSpec,
  type Doc,
  type DocumentStore,
  type Filter,
  type FindOptions,
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

const READ_RETRY_MS = 10;

/**
 * A writer does not block readers (WAL). The exceptions are short, such as the recovery of the log by another process,
 * and are waited for outside of SQLite, because its busy timeout blocks the event loop.
 */
async function readWhenFree<R>(read: () => R): Promise<R> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return read();
    } catch (cause) {
      if (!isBusy(cause)) throw toSqliteFailure(cause);
      if (performance.now() - startedAt > STORE_TIMEOUT_MS) throw toStoreUnavailable(cause);
    }
    await wait(READ_RETRY_MS);
  }
}

class SqliteCollection<T extends Doc> implements Collection<T> {
  readonly #table: CollectionTable;
  readonly #statements: Statements;
  readonly #writes: GroupCommit;

  constructor(table: CollectionTable, statements: Statements, writes: GroupCommit) {
    this.#table = table;
    this.#statements = statements;
    this.#writes = writes;
  }

  async get(id: string): Promise<T | undefined> {
    return readWhenFree(() => this.#read(id));
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const where = whereSql(filter);
    const rest = `FROM ${this.#table.name}${where.sql}${orderSql(options, where.values)}`;
    if (!options.fields)
      return readWhenFree(() => this.#all(`SELECT doc ${rest}`, where.values).map((row) => parse(row["doc"]) as T));
    const fields = [...new Set(["_id", ...options.fields])];
    const columns = fields.map((field) => `${fieldJson(field)} AS "${selectAlias(field)}"`).join(", ");
    return readWhenFree(() =>
      this.#all(`SELECT ${columns} ${rest}`, where.values).map((row) => {
        const entries = fields.map((field) => [field, row[selectAlias(field)]] as const);
        const found = entries.filter(([, json]) => json !== null).map(([field, json]) => [field, parse(json)]);
        return Object.fromEntries(found) as T;
      }),
    );
  }

  async insert(doc: T): Promise<"inserted" | "duplicate"> {
    const text = documentText(doc);
    return this.#writeCreatingTable(() => (this.#insert(doc._id, text) ? "inserted" : "duplicate"));
  }

  async patch(filter: Filter<T>, patch: Patch<T>): Promise<T | undefined> {
    const clean = checkPatch(patch);
    const where = whereSql(filter);
    return this.#writes.write(() => {
      const [row] = this.#all(`SELECT doc FROM ${this.#table.name}${where.sql} LIMIT 1`, where.values);
      return row ? this.#rewrite(parse(row["doc"]) as T, clean) : undefined;
    });
  }

  async patchOrInsert(initial: T, patch: Patch<T>): Promise<T> {
    const clean = checkPatch(patch);
    const text = documentText(initial);
    return this.#writeCreatingTable(() => {
      const old = this.#read(initial._id);
      if (old) return this.#rewrite(old, clean);
      const created = applyPatch(parse(text) as T, clean);
      if (!this.#insert(created._id, documentText(created)))
        throw new DuplicateValueError(`Taken in ${this.#table.name}`);
      return created;
    });
  }

  async upsert(doc: T): Promise<void> {
    const text = documentText(doc);
    const sql = `INSERT INTO ${this.#table.name} VALUES (?, ?) ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc`;
    await this.#writeCreatingTable(() => this.#change(sql, [doc._id.toWellFormed(), text]));
  }

  async remove(filter: Filter<T>): Promise<number> {
    const where = whereSql(filter);
    const sql = `DELETE FROM ${this.#table.name}${where.sql}`;
    return this.#writes.write(() => (this.#table.exists() ? this.#change(sql, where.values) : 0));
  }

  async count(filter: Filter<T>): Promise<number> {
    const where = whereSql(filter);
    const sql = `SELECT count(*) AS total FROM ${this.#table.name}${where.sql}`;
    const [row] = await readWhenFree(() => this.#all(sql, where.values));
    return Number(row?.["total"] ?? 0);
  }

  async groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>> {
    const where = whereSql(filter);
    const sql = `SELECT ${fieldJson(field)} AS value, count(*) AS total FROM ${this.#table.name}${where.sql} GROUP BY 1`;
    const counts = new Map<string, number>();
    for (const row of await readWhenFree(() => this.#all(sql, where.values))) {
      const key = String(row["value"] === null ? null : parse(row["value"]));
      counts.set(key, (counts.get(key) ?? 0) + Number(row["total"]));
    }
    return counts;
  }

  /** Writes, and creates the table first if the write may be the first of its collection. */
  async #writeCreatingTable<R>(work: () => R): Promise<R> {
    if (this.#table.isReady) return this.#writes.write(work);
    const result = await this.#writes.write(() => {
      this.#table.create();
      return work();
    });
    this.#table.markReady();
    return result;
  }

  #all(sql: string, values: Value[]) {
    return this.#table.exists() ? this.#statements.prepare(sql).all(...values) : [];
  }

  #read(id: string): T | undefined {
    const [row] = this.#all(`SELECT doc FROM ${this.#table.name} WHERE _id = ?`, [id.toWellFormed()]);
    return row && (parse(row["doc"]) as T);
  }

  #insert(id: string, text: string): boolean {
    return (
      this.#change(`INSERT INTO ${this.#table.name} VALUES (?, ?) ON CONFLICT DO NOTHING`, [id.toWellFormed(), text]) >
      0
    );
  }

  #rewrite(doc: T, patch: Patch<T>): T {
    const updated = applyPatch(doc, patch);
    this.#change(`UPDATE ${this.#table.name} SET doc = ? WHERE _id = ?`, [documentText(updated), updated._id]);
    return updated;
  }

  #change(sql: string, values: Value[]): number {
    try {
      return Number(this.#statements.prepare(sql).run(...values).changes);
    } catch (cause) {
      if (isDuplicate(cause)) throw new DuplicateValueError(`Taken in ${this.#table.name}`, { cause });
      throw cause;
    }
  }
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(text as string);
  } catch (cause) {
    throw toStoreDamaged(cause);
  }
}

function documentText(doc: Doc): string {
  if (typeof doc._id !== "string" || doc._id === "") throw new InvalidDocumentError("A document needs an _id");
  return serialize(doc);
}

async function removeOwned(db: DatabaseSync, writes: GroupCommit, ownerId: string): Promise<number> {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  const tables = await readWhenFree(() => db.prepare(sql).all());
  return writes.write(() => {
    let removedCount = 0;
    for (const { name } of tables)
      removedCount += Number(
        db.prepare(`DELETE FROM "${String(name)}" WHERE ${fieldSql("ownerId")} = ?`).run(ownerId).changes,
      );
    return removedCount;
  });
}

/** More than a page, so that a full disk is noticed. */
const PROBE_BYTES = 16 * 1024;

/**
 * Takes the write lock. After a failed write, also writes a document, because the lock is available on a full disk too.
 */
async function checkHealth(db: DatabaseSync, writes: GroupCommit, probe: CollectionTable): Promise<void> {
  await readWhenFree(() => db.prepare("SELECT count(*) FROM sqlite_schema").get());
  const { isFailing } = writes;
  await writes.write(() => {
    if (!isFailing) return;
    probe.create();
    const text = JSON.stringify({ _id: "probe", text: "x".repeat(PROBE_BYTES) });
    db.prepare(`INSERT INTO ${probe.name} VALUES ('probe', ?) ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc`).run(
      text,
    );
  });
}

/** Applies only at the start, before requests arrive. */
const OPEN_TIMEOUT_MS = 10_000;

function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS });
  // FULL: a commit is on disk before it is acknowledged, even if the power fails.
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY",
  );
  db.exec("PRAGMA busy_timeout = 0");
  return db;
}

export interface SqliteStore extends DocumentStore {
  /** Rejects every write from now on, because the database is damaged. */
  refuseWrites(): void;
}

/** A document store in one SQLite file: a table per collection, with its indexes on JSON fields. */
export function openSqlite(location: { folder: string } | { path: string }): SqliteStore {
  if ("folder" in location) mkdirSync(location.folder, { recursive: true });
  const db = openDatabase("folder" in location ? join(location.folder, DATABASE_FILE) : location.path);
  const statements = new Statements(db);
  const writes = new GroupCommit(db);
  const probe = new CollectionTable(db, { name: "health", indexes: [] });
  const cached = new Map<string, unknown>();
  return {
    kind: "SQLite",
    collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
      // If requested with other indexes, those are created too.
      const name = `${spec.name}:${spec.indexes.length}`;
      const existing = cached.get(name);
      if (existing) return existing as Collection<T>;
      const table = new CollectionTable(db, spec);
      void createMissingIndexes(table, writes);
      const created = new SqliteCollection<T>(table, statements, writes);
      cached.set(name, created);
      return created;
    },
    removeOwned: (ownerId) => removeOwned(db, writes, ownerId),
    refuseWrites: () => writes.refuse(toStoreDamaged()),
    checkHealth: () => checkHealth(db, writes, probe),
    async close() {
      await writes.drain();
      db.close();
    },
  };
}

/** A newer version may have added an index to an existing table. On failure, the next write tries again. */
async function createMissingIndexes(table: CollectionTable, writes: GroupCommit): Promise<void> {
  try {
    if (!table.exists() || table.isReady) return;
    await writes.write(() => table.create());
    table.markReady();
  } catch {
    // Reads work without the index, and a write reports what is wrong.
  }
}
