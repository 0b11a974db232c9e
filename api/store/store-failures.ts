import { Failure } from "#shared/contract/failure.ts";

/** A request must be answered within two seconds; the rest of the time is for reading and sending. */
export const STORE_TIMEOUT_MS = 1_500;
const RETRY_AFTER_SECONDS = 2;

/** The store does not answer, or another process holds its lock. Nothing is known to be wrong with the data. */
export const toStoreUnavailable = (cause: unknown): Failure =>
  Object.assign(new Failure("store_unavailable", "store_unavailable", {}, { retryAfterSeconds: RETRY_AFTER_SECONDS }), {
    cause,
  });

export const toStorageFull = (cause: unknown): Failure =>
  Object.assign(new Failure("storage_full", "disk_full"), { cause });

/** A failure, or an error of the file system that callers can act on: no space left, or the quota is used up. */
export function toKnownFailure(cause: unknown): Failure | undefined {
  if (cause instanceof Failure) return cause;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT" ? toStorageFull(cause) : undefined;
}

/** The database is damaged: what can be read is served, and nothing is written. */
export const toStoreDamaged = (cause?: unknown): Failure =>
  Object.assign(new Failure("store_unavailable", "store_damaged"), { cause });
