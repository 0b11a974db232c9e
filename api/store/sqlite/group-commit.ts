import type { DatabaseSync } from "node:sqlite";
import { Failure } from "#shared/contract/failure.ts";

interface Queued {
  work(): unknown;
  resolve(value: never): void;
  reject(cause: unknown): void;
}

/** SQLITE_FULL. */
const isFull = (cause: unknown) => cause instanceof Error && "errcode" in cause && cause.errcode === 13;

const toStorageFull = (cause: unknown) =>
  Object.assign(new Failure("storage_full", "disk_full"), {
    cause,
  });

/** Bounds how long one group may block the event loop. */
const MAX_GROUP = 500;

/**
 * Writes requested in the same event loop turn share one transaction and one fsync. Each is a single statement, and
 * SQLite rolls back a failing statement alone, so one failure does not affect the others; all are acknowledged after
 * the commit.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  #queue: Queued[] = [];
  #isScheduled = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  write<R>(work: () => R): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /** Commits all queued writes now. */
  flush(): void {
    while (this.#queue.length > 0) this.#commit(this.#queue.splice(0, MAX_GROUP));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#commit(this.#queue.splice(0, MAX_GROUP));
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  #commit(group: Queued[]): void {
    if (group.length === 0) return;
    const acknowledgements: (() => void)[] = [];
    try {
      this.#db.exec("BEGIN IMMEDIATE");
      for (const queued of group) acknowledgements.push(this.#run(queued));
      this.#db.exec("COMMIT");
    } catch (cause) {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec("ROLLBACK");
      for (const queued of group) queued.reject(isFull(cause) ? toStorageFull(cause) : cause);
      return;
    }
    for (const acknowledge of acknowledgements) acknowledge();
  }

  #run(queued: Queued): () => void {
    try {
      const value = queued.work() as never;
      return () => queued.resolve(value);
    } catch (cause) {
      // A full disk rolls back the whole transaction, so nothing of the group was written.
      if (!this.#db.isOpen || !this.#db.isTransaction) throw cause;
      return () => queued.reject(cause);
    }
  }
}
