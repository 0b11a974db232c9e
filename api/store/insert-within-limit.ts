import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import type { Own } from "./owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "./port.ts";

/** A lock of an account; `_id` names what it is for. */
interface LimitLockDoc extends OwnedDoc {
  holder: string;
  heldUntil: number;
}

const locks: CollectionSpec<LimitLockDoc> = { name: "limit_locks", shardKey: "ownerId", indexes: [] };

/** An insertion takes milliseconds; after this time its process has crashed. */
const LOCK_MS = 5_000;
const MIN_RETRY_MS = 10;
const MAX_RETRY_MS = 200;

interface Limited {
  /** What is limited, such as "uploads". */
  name: string;
  max: number;
  count: () => Promise<number>;
  /** A duplicate counts as inserted. At the limit nothing is inserted, so the caller looks whether it is there. */
  insert: () => Promise<"inserted" | "duplicate">;
  remove: () => Promise<unknown>;
  now: () => number;
}

/**
 * Inserts a document unless the account then has more than `max`; returns whether it is there. Of many calls at once,
 * also in several processes, exactly as many succeed as the limit allows. Each counts after its insertion, so none
 * passes the limit. Those that exceed it together try again one at a time, so that not all of them give way.
 */
export async function insertWithinLimit(own: Own, limited: Limited): Promise<boolean> {
  if ((await limited.count()) >= limited.max) return false;
  if (await tryInsert(limited)) return true;
  return withLock(own, limited, () => tryInsert(limited));
}

async function tryInsert({ max, count, insert, remove }: Limited): Promise<boolean> {
  if ((await insert()) === "duplicate") return true;
  if ((await count()) <= max) return true;
  await remove();
  return false;
}

async function withLock<T>(own: Own, { name, now }: Limited, work: () => Promise<T>): Promise<T> {
  const [_id, holder] = [`${own.ownerId}:${name}`, ulid()];
  const acquire = async () => {
    const lock = { holder, heldUntil: now() + LOCK_MS };
    if ((await own.in(locks).insert({ _id, ...lock })) === "inserted") return true;
    return (await own.in(locks).patch({ _id, heldUntil: { lt: now() } }, { set: lock })) !== undefined;
  };
  for (let waitMs = MIN_RETRY_MS; !(await acquire()); waitMs = Math.min(2 * waitMs, MAX_RETRY_MS))
    await pause(waitMs * (0.5 + Math.random()));
  try {
    return await work();
  } finally {
    await own.in(locks).remove({ _id, holder });
  }
}
