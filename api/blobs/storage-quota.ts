import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { formatStorageSize } from "#shared/billing/format-storage.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Clock } from "#api/clock.ts";
import type { Settings } from "#api/settings.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import type { Blobs } from "./port.ts";

const GIGABYTE = 1024 ** 3;

/** The bytes that an account's files and unfinished uploads use. */
interface StorageDoc extends OwnedDoc {
  usedBytes: number;
  /** When bytes were last added, and when they were last counted from the files; epoch ms. */
  reservedAt: number;
  countedAt: number;
}

const storage: CollectionSpec<StorageDoc> = { name: "storage_usage", shardKey: "ownerId", indexes: [] };

/** Adds up the account's bytes from its documents, without the counter. */
export type SumBytes = (own: Own) => Promise<number>;

export interface QuotaContext {
  own: Own;
  settings: Settings;
  clock: Clock;
  /** The account whose plan sets the limit. */
  caller: { plan: Parameters<typeof effectivePlan>[0] };
}

/** ENTERPRISE falls back to FREE, as with the other limits. */
export function storageLimit({ settings, caller, clock }: Omit<QuotaContext, "own">): number {
  const { STORAGE_GB_FREE: free, STORAGE_GB_PLUS: plus, STORAGE_GB_ULTIMATE: ultimate } = settings;
  const gigabytes = { FREE: free, PLUS: plus, ULTIMATE: ultimate, ENTERPRISE: free };
  return gigabytes[effectivePlan(caller.plan, clock.now())] * GIGABYTE;
}

const storageFull = (usedBytes: number, limitBytes: number) =>
  new Failure(
    "too_large",
    "storage_quota_reached",
    { used: formatStorageSize(usedBytes), limit: formatStorageSize(limitBytes) },
    { limit: "storage", usedBytes, limitBytes },
  );

async function findOrCount(own: Own, sumBytes: SumBytes, now: number): Promise<StorageDoc> {
  const existing = await own.in(storage).get(own.ownerId);
  if (existing) return existing;
  const usedBytes = await sumBytes(own);
  await own.in(storage).insert({ _id: own.ownerId, usedBytes, reservedAt: 0, countedAt: now });
  const counted = await own.in(storage).get(own.ownerId);
  if (!counted) throw new Error("The storage counter is missing");
  return counted;
}

export const readUsedBytes = async ({ own, clock }: QuotaContext, sumBytes: SumBytes): Promise<number> =>
  (await findOrCount(own, sumBytes, clock.now())).usedBytes;

/** Refuses bytes that do not fit now, before work is done for them. Does not count them; `reserveStorage` does. */
export async function requireStorage(ctx: QuotaContext, bytes: number, sumBytes: SumBytes): Promise<void> {
  const limit = storageLimit(ctx);
  const used = await readUsedBytes(ctx, sumBytes);
  if (used + bytes > limit && !(await recount(ctx, sumBytes, limit - bytes))) throw storageFull(used, limit);
}

/** Counts bytes before they are stored, atomically, so that two simultaneous uploads pass only if they fit together. */
export async function reserveStorage(ctx: QuotaContext, bytes: number, sumBytes: SumBytes): Promise<void> {
  const { own, clock } = ctx;
  const limit = storageLimit(ctx);
  await findOrCount(own, sumBytes, clock.now());
  const filter = { _id: own.ownerId, usedBytes: { lte: limit - bytes } };
  const patch = { increment: { usedBytes: bytes }, set: { reservedAt: clock.now() } };
  if (await own.in(storage).patch(filter, patch)) return;
  if ((await recount(ctx, sumBytes, limit - bytes)) && (await own.in(storage).patch(filter, patch))) return;
  throw storageFull(await readUsedBytes(ctx, sumBytes), limit);
}

export async function releaseStorage(own: Own, bytes: number): Promise<void> {
  const _id = own.ownerId;
  const released = await own
    .in(storage)
    .patch({ _id, usedBytes: { gte: bytes } }, { increment: { usedBytes: -bytes } });
  if (!released) await own.in(storage).patch({ _id }, { set: { usedBytes: 0 } });
}

/** How long a count is trusted. A crash between counting and storing leaves bytes counted that do not exist. */
const RECOUNT_AFTER_MS = 60 * 60 * 1000;
/** No upload takes this long between counting and storing. */
const QUIET_MS = 10 * 60 * 1000;

/**
 * Counts the files again if the last count is old and no upload is running. Returns whether the account then uses at
 * most `maxBytes`.
 */
async function recount({ own, clock }: QuotaContext, sumBytes: SumBytes, maxBytes: number): Promise<boolean> {
  const now = clock.now();
  const doc = await own.in(storage).get(own.ownerId);
  if (!doc || now - doc.countedAt < RECOUNT_AFTER_MS || now - doc.reservedAt < QUIET_MS) return false;
  const usedBytes = await sumBytes(own);
  const { _id, usedBytes: counted, reservedAt } = doc;
  const updated = await own
    .in(storage)
    .patch({ _id, usedBytes: counted, reservedAt }, { set: { usedBytes, countedAt: now } });
  return updated !== undefined && usedBytes <= maxBytes;
}

/** Refuses files while the disk is nearly full, because the database on it needs free space. */
export async function requireFreeDisk(blobs: Blobs, settings: Settings): Promise<void> {
  const free = await blobs.freeBytes().catch(() => undefined);
  if (free !== undefined && free < settings.FREE_DISK_FLOOR_GB * GIGABYTE)
    throw new Failure("storage_full", "disk_floor_reached");
}
