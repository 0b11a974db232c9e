import { toStorageFull, toStoreDamaged } from "../store-failures.ts";

/** SQLite's primary [result code](https://www.sqlite.org/rescode.html), if the error comes from SQLite. */
export const sqliteErrorCode = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" ? cause.errcode & 0xff : undefined;

/** BUSY and LOCKED: another connection holds a lock. */
export const isBusy = (cause: unknown): boolean => [5, 6].includes(sqliteErrorCode(cause) ?? 0);

/** FULL. */
export const isFull = (cause: unknown): boolean => sqliteErrorCode(cause) === 13;

/** CORRUPT and NOTADB; JSON functions report a damaged document as a plain error. */
export const isDamaged = (cause: unknown): boolean =>
  [11, 26].includes(sqliteErrorCode(cause) ?? 0) ||
  (sqliteErrorCode(cause) === 1 && cause instanceof Error && cause.message.includes("malformed JSON"));

/** The error that a caller gets for an error of SQLite. */
export function toSqliteFailure(cause: unknown): unknown {
  if (isFull(cause)) return toStorageFull(cause);
  return isDamaged(cause) ? toStoreDamaged(cause) : cause;
}
