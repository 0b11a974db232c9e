import type { DatabaseSync } from "node:sqlite";
import { STORE_TIMEOUT_MS, toStoreUnavailable } from "../store-failures.ts";
import { isBusy, isFull, toSqliteFailure } from "./sqlite-errors.ts";

interface Queued {
  work(): unknown;
  resolve(value: never): void;
  reject(cause: unknown): void;
}

/** Bounds how long one group may block the event loop. */
const MAX_GROUP = 500;
/** Delay before the lock of another process is tried again; random, so that two processes do not stay in step. */
const RETRY_MS = { least: 2, most: 20 };

/**
 * Writes requested in the same event loop turn share one transaction and one fsync. Each write is a single statement, and
 * SQLite rolls back a failing statement alone, so one failure does not affect the others; all are acknowledged after
 * the commit.
 *
 * The connection has no busy timeout, because SQLite would wait in the event loop: while another process holds the
 * lock, a timer tries the queue again. After `STORE_TIMEOUT_MS` without the lock, its writes are rejected. Later writes
 * are rejected at their first attempt, until a write succeeds.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  #queue: Queued[] = [];
  #isScheduled = false;
  /** When the lock was first unavailable (ms of `performance.now`). */
  #busySince: number | undefined;
  #isFailing = false;
  #refusal: Error | undefined;
  /** Whether a statement of the current group found the disk full. */
  #isFull = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Whether the latest group could not be written: the disk is full, or the lock was not available in time. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Rejects every later write with this error. */
  refuse(cause: Error): void {
    this.#refusal = cause;
  }

  write<R>(work: () => R): Promise<R> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when all queued writes are committed or rejected. */
  async drain(): Promise<void> {
    await this.write(() => undefined).catch(() => undefined);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    const group = this.#queue.splice(0, MAX_GROUP);
    if (this.#commit(group) === "busy") return this.#retryOrReject(group);
    if (this.#queue.length > 0) this.#schedule();
  }

  #retryOrReject(group: Queued[]): void {
    this.#busySince ??= performance.now();
    if (performance.now() - this.#busySince >= STORE_TIMEOUT_MS) {
      this.#isFailing = true;
      const waiting = [...group, ...this.#queue.splice(0)];
      return this.#rejectAll(waiting, toStoreUnavailable(new Error("Another process holds the lock")));
    }
    this.#queue.unshift(...group);
    this.#isScheduled = true;
    setTimeout(() => this.#run(), RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
  }

  #commit(group: Queued[]): "done" | "busy" {
    if (group.length === 0 || !this.#db.isOpen) {
      this.#rejectAll(group, toStoreUnavailable(new Error("The database is closed")));
      return "done";
    }
    const acknowledgements: (() => void)[] = [];
    this.#isFull = false;
    try {
      this.#db.exec("BEGIN IMMEDIATE");
      for (const queued of group) acknowledgements.push(this.#runOne(queued));
      this.#db.exec("COMMIT");
    } catch (cause) {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec("ROLLBACK");
      if (isBusy(cause)) return "busy";
      this.#busySince = undefined;
      this.#isFailing = true;
      this.#rejectAll(group, toSqliteFailure(cause));
      return "done";
    }
    this.#busySince = undefined;
    this.#isFailing = this.#isFull;
    for (const acknowledge of acknowledgements) acknowledge();
    return "done";
  }

  #rejectAll(group: readonly Queued[], cause: unknown): void {
    for (const queued of group) queued.reject(cause);
  }

  #runOne(queued: Queued): () => void {
    try {
      const value = queued.work() as never;
      return () => queued.resolve(value);
    } catch (cause) {
      // A full disk rolls back the whole transaction, so nothing of the group was written.
      if (!this.#db.isOpen || !this.#db.isTransaction) throw cause;
      this.#isFull ||= isFull(cause);
      return () => queued.reject(toSqliteFailure(cause));
    }
  }
}
