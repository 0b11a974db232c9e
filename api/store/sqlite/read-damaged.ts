import type { DatabaseSync } from "node:sqlite";

export interface FoundRow {
  readonly id: string;
  readonly text: string;
}

export interface TableContents {
  readonly rows: readonly FoundRow[];
  /** Ids in the index of the table whose documents cannot be read. */
  readonly lostIds: readonly string[];
}

/**
 * Reads the row numbers and ids from the index of ids, as far as it is readable. The index is stored apart from the
 * documents.
 */
function readIds(db: DatabaseSync, table: string): Map<number, string> {
  const ids = new Map<number, string>();
  for (const direction of ["ASC", "DESC"]) {
    try {
      const rows = db.prepare(`SELECT rowid AS rowNumber, _id FROM "${table}" ORDER BY _id ${direction}`).iterate();
      for (const row of rows) ids.set(Number(row["rowNumber"]), String(row["_id"]));
      break;
    } catch {
      // Read from the other end, up to the damage.
    }
  }
  return ids;
}

function readHighest(db: DatabaseSync, table: string, idByRow: ReadonlyMap<number, string>): number {
  const highest = [...idByRow.keys()].reduce((most, rowNumber) => Math.max(most, rowNumber), 0);
  try {
    return Math.max(highest, Number(db.prepare(`SELECT max(rowid) AS most FROM "${table}"`).get()?.["most"] ?? 0));
  } catch {
    return highest;
  }
}

/**
 * Reads the rows of a table of a damaged database. Where reading fails, the remaining range is halved until only the
 * rows on damaged pages are missing.
 */
export function readDamagedTable(db: DatabaseSync, table: string): TableContents {
  const idByRow = readIds(db, table);
  const rows: FoundRow[] = [];
  const query = db.prepare(
    `SELECT rowid AS rowNumber, _id, doc FROM "${table}" WHERE rowid > ? AND rowid <= ? ORDER BY rowid`,
  );
  const ranges = [{ after: 0, upTo: readHighest(db, table, idByRow) }];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    let { after } = range;
    try {
      for (const row of query.iterate(after, range.upTo)) {
        after = Number(row["rowNumber"]);
        rows.push({ id: String(row["_id"]), text: String(row["doc"]) });
      }
    } catch {
      if (range.upTo - after <= 1) continue;
      const middle = after + Math.floor((range.upTo - after) / 2);
      ranges.push({ after: middle, upTo: range.upTo }, { after, upTo: middle });
    }
  }
  const found = new Set(rows.map(({ id }) => id));
  return { rows, lostIds: [...idByRow.values()].filter((id) => !found.has(id)) };
}
