import type { StorageUsage } from "#shared/user/schema.ts";
import { sumStoredBytes } from "#api/blobs/file-records.ts";
import { readUsedBytes, storageLimit } from "#api/blobs/storage-quota.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { sumDeletedFiles } from "#api/library/service.ts";

export async function readStorage(ctx: UserCtx): Promise<StorageUsage> {
  const [usedBytes, deletedBytes] = await Promise.all([readUsedBytes(ctx, sumStoredBytes), sumDeletedFiles(ctx.own)]);
  return { usedBytes, limitBytes: storageLimit(ctx), deletedBytes: Math.min(deletedBytes, usedBytes) };
}
