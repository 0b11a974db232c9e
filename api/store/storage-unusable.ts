import { sqliteErrorCode } from "./sqlite/sqlite-errors.ts";

/** Aborts the start. Its message is one line for the operator: what is wrong and what to do. */
export class StorageUnusableError extends Error {}

const errorCode = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;

/**
 * By SQLite's primary [result codes](https://www.sqlite.org/rescode.html): FULL, READONLY, PERM, CANTOPEN, CORRUPT,
 * NOTADB.
 */
function classifyError(cause: unknown): "full" | "refused" | "damaged" | "other" {
  const code = errorCode(cause) ?? "";
  const sqlite = sqliteErrorCode(cause) ?? 0;
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code) || sqlite === 13) return "full";
  if (["EROFS", "EACCES", "EPERM", "ENOTDIR", "EEXIST", "ENOENT"].includes(code) || [3, 8, 14].includes(sqlite))
    return "refused";
  return sqlite === 11 || sqlite === 26 ? "damaged" : "other";
}

export const describeDamage = (folder: string, what: string): string =>
  `The database in ${folder} is damaged (${what}). Restore a backup (npm run restore -- FILE --replace), or copy what can be read to a new folder (npm run rescue -- NEW_FOLDER).`;

/** Describes in one line why a data folder cannot be used. */
export function toStorageUnusable(folder: string, cause: unknown): StorageUnusableError {
  if (cause instanceof StorageUnusableError) return cause;
  const text = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
  const lines = {
    full: `The data folder ${folder} has no space left. Free some space and start again. Nothing was changed.`,
    refused: `The data folder ${folder} cannot be written to (${errorCode(cause) ?? text}). Make it writable, or choose another folder. Example: DATA_DIR=/var/lib/lamplight`,
    damaged: describeDamage(folder, text ?? ""),
    other: `The data folder ${folder} cannot be used: ${text}`,
  };
  return new StorageUnusableError(lines[classifyError(cause)], { cause });
}
