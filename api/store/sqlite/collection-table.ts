import type { DatabaseSync } from "node:sqlite";
import type { CollectionSpec, Doc, IndexSpec } from "../port.ts";
import { requireCollectionName } from "./field-path.ts";
import { fieldSql } from "./sqlite-query.ts";

type TableSpec = Pick<CollectionSpec<Doc>, "name" | "indexes" | "formerIndexes">;

/** The table and the indexes of one collection. They are created, and former indexes removed, in the transaction of the first write. */
export class CollectionTable {
  /** Quoted, for SQL. */
  readonly name: string;
  readonly #db: DatabaseSync;
  readonly #table: string;
  readonly #indexes: ReadonlyMap<string, string>;
  readonly #formerIndexes: readonly string[];
  #exists = false;
  #isReady = false;

  constructor(db: DatabaseSync, { name, indexes, formerIndexes = [] }: TableSpec) {
    this.#db = db;
    this.#table = requireCollectionName(name);
    this.name = `"${this.#table}"`;
    this.#indexes = new Map(indexes.map((index) => describeIndex(this.#table, index)));
    this.#formerIndexes = formerIndexes.map((index) => describeIndex(this.#table, index)[0]);
  }

  /** Whether the table and all of its indexes exist, and no former one. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Call this when a transaction that called `create` is committed. */
  markReady(): void {
    this.#exists = true;
    this.#isReady = true;
  }

  /** Whether the table exists: a collection without a table is empty. */
  exists(): boolean {
    if (this.#exists) return true;
    const rows = this.#db.prepare("SELECT name FROM sqlite_schema WHERE tbl_name = ?").all(this.#table);
    const found = new Set(rows.map((row) => String(row["name"])));
    this.#exists = found.has(this.#table);
    const hasIndexes = [...this.#indexes.keys()].every((name) => found.has(name));
    this.#isReady = this.#exists && hasIndexes && !this.#formerIndexes.some((name) => found.has(name));
    return this.#exists;
  }

  create(): void {
    this.#db.exec(`CREATE TABLE IF NOT EXISTS ${this.name} (_id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`);
    for (const sql of this.#indexes.values()) this.#db.exec(sql);
    for (const name of this.#formerIndexes) this.#db.exec(`DROP INDEX IF EXISTS "${name}"`);
  }
}

function describeIndex(table: string, { fields, unique = false }: IndexSpec): [name: string, sql: string] {
  const name = [table, ...fields.map((field) => field.replaceAll(".", "-")), unique ? "unique" : "index"].join(":");
  const columns = fields.map(fieldSql).join(", ");
  return [name, `CREATE ${unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns})`];
}
