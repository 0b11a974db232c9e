import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { isDamaged } from "./sqlite-errors.ts";

/** How long a start waits for the check; on a large database the check continues in the background. */
const START_TIMEOUT_MS = 3_000;
/** Up to this size the indexes are compared with the tables too, which takes several times as long. */
const FULL_CHECK_BYTES = 64 * 1024 * 1024;

/**
 * Returns what is wrong with a database, in one line, or undefined if it is intact. SQLite has no checksums: a damaged
 * page is found by its structure, and a damaged document by its JSON and its id.
 */
export function findDamage(path: string): string | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 10_000 });
    const check = statSync(path).size <= FULL_CHECK_BYTES ? "integrity_check" : "quick_check";
    const [problem] = Object.values(db.prepare(`PRAGMA ${check}(1)`).get() ?? {});
    if (problem !== "ok") return toLine(problem);
    return findDamagedDocuments(db);
  } catch (cause) {
    if (isDamaged(cause)) return toLine(cause instanceof Error ? cause.message : cause);
    throw cause;
  } finally {
    db?.close();
  }
}

const toLine = (problem: unknown): string => String(problem).split("\n").slice(-1)[0] ?? "";

function findDamagedDocuments(db: DatabaseSync): string | undefined {
  for (const table of listTables(db)) {
    const sql = `SELECT count(*) AS total FROM "${table}"
      WHERE CASE WHEN json_valid(doc) THEN json_extract(doc, '$._id') IS NOT _id ELSE 1 END`;
    const total = Number(db.prepare(sql).get()?.["total"]);
    if (total > 0) return `${total} unreadable documents in ${table}`;
  }
  return undefined;
}

/** The tables of collections. */
export function listTables(db: DatabaseSync): string[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const names = rows.map((row) => String(row["name"]));
  return names.filter((name) => {
    const columns = db.prepare("SELECT name FROM pragma_table_info(?)").all(name);
    return columns.map((column) => column["name"]).join() === "_id,doc";
  });
}

export interface IntegrityCheck {
  /** Damage found; undefined if the database is intact, or if the check takes longer than a start waits. */
  readonly damage: string | undefined;
  /** The final result of the check. */
  readonly outcome: Promise<string | undefined>;
}

/**
 * Checks a database in a worker thread. An error other than damage is ignored here: opening the database reports it
 * better.
 */
export async function checkAtStart(path: string): Promise<IntegrityCheck> {
  const worker = new Worker(new URL("./integrity-worker.ts", import.meta.url), { workerData: path, execArgv: [] });
  const outcome = new Promise<string | undefined>((resolve) => {
    worker.once("message", (damage: string | undefined) => resolve(damage));
    worker.once("error", () => resolve(undefined));
    worker.once("exit", () => resolve(undefined));
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), START_TIMEOUT_MS);
  });
  const damage = await Promise.race([outcome, timeout]);
  clearTimeout(timer);
  worker.unref();
  return { damage, outcome };
}
