import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import type { Own } from "./owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "./port.ts";
import { toStoreUnavailable } from "./store-failures.ts";

/** A lock of an account; `_id` contains the owner and the name of the limit. */
interface LimitLockDoc extends OwnedDoc {
  holder: string;
  expiresAt: number;
}

const locks: CollectionSpec<LimitLockDoc> = { name: "limit_locks", shardKey: "ownerId", indexes: [] };

/** An insertion takes milliseconds; after this time its process has probably crashed. */
const LOCK_MS = 5_000;
/** Longer than the lock of a crashed process is held. */
const MAX_WAIT_MS = 8_000;
const MIN_RETRY_MS = 10;
const MAX_RETRY_MS = 200;

interface Limited {
  /** What is limited, such as "uploads". */
  name: string;
  max: number;
  count: () => Promise<number>;
  /**
   * A duplicate counts as inserted. At the limit `insert` is not called, so the caller must look whether the document
   * exists.
   */
  insert: () => Promise<"inserted" | "duplicate">;
  remove: () => Promise<unknown>;
  now: () => number;
}

/**
 * Inserts a document unless the account would then have more than `max`; returns whether the document is stored. Of
 * concurrent calls, even in several processes, exactly as many succeed as the limit allows. Each call counts after its
 * insertion, so that no call exceeds the limit. Calls that exceed the limit together try again one at a time, so that
 * not all of them fail.
 */
export async function insertWithinLimit(own: Own, limited: Limited): Promise<boolean> {
  if ((await limited.count()) >= limited.max) return false;
  if (await tryInsert(limited)) return true;
  const lock = new LimitLock(own, limited);
  for (;;) {
    await lock.acquire();
    let wasAlone: boolean;
    try {
      if ((await limited.count()) < limited.max && (await tryInsert(limited))) return true;
    } finally {
      wasAlone = await lock.release();
    }
    // If the lock expired, another call took it: each may have counted the other's document and removed its own.
    if (wasAlone) return false;
  }
}

async function tryInsert({ max, count, insert, remove }: Limited): Promise<boolean> {
  if ((await insert()) === "duplicate") return true;
  if ((await count()) <= max) return true;
  await remove();
  return false;
}

class LimitLock {
  readonly #own: Own;
  readonly #id: string;
  readonly #holder = ulid();
  readonly #now: () => number;
  readonly #waitUntil: number;

  constructor(own: Own, { name, now }: Limited) {
    this.#own = own;
    this.#id = `${own.ownerId}:${name}`;
    this.#now = now;
    this.#waitUntil = now() + MAX_WAIT_MS;
  }

  /** Waits for the lock; after too long a wait it fails with the code of a store that doesn't answer. */
  async acquire(): Promise<void> {
    for (let waitMs = MIN_RETRY_MS; !(await this.#tryAcquire()); waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
      if (this.#now() > this.#waitUntil)
        throw toStoreUnavailable(new Error(`The lock ${this.#id} is still held by another call`));
      await pause(waitMs * (0.5 + Math.random()));
    }
  }

  async #tryAcquire(): Promise<boolean> {
    const lock = { holder: this.#holder, expiresAt: this.#now() + LOCK_MS };
    const current = await this.#own.in(locks).get(this.#id);
    if (!current) return (await this.#own.in(locks).insert({ _id: this.#id, ...lock })) === "inserted";
    if (!this.#isExpired(current)) return false;
    return (await this.#own.in(locks).patch({ _id: this.#id, holder: current.holder }, { set: lock })) !== undefined;
  }

  /** A lock that expires far in the future was made before the clock was set back. */
  #isExpired({ expiresAt }: LimitLockDoc): boolean {
    return expiresAt < this.#now() || expiresAt > this.#now() + 2 * LOCK_MS;
  }

  /** Returns whether the lock was held until now. */
  async release(): Promise<boolean> {
    return (await this.#own.in(locks).remove({ _id: this.#id, holder: this.#holder })) === 1;
  }
}
