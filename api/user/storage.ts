import type { StorageUsage } from "#shared/user/schema.ts";
import type { user } from "#shared/user/contract.ts";
import { sumStoredBytes } from "#api/blobs/file-records.ts";
import { readUsedBytes, storageLimit } from "#api/blobs/storage-quota.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";

/** Functions for deleted files; passed in because the library uses this feature. */
interface DeletedFiles {
  /** Removes the files of deleted items at once. */
  eraseDeletedFiles: (ctx: UserCtx) => Promise<unknown>;
  /** Bytes that `eraseDeletedFiles` would free. */
  sumDeletedFiles: (own: Own) => Promise<number>;
}

export function createStorageHandlers({
  eraseDeletedFiles,
  sumDeletedFiles,
}: DeletedFiles): Pick<Handlers<typeof user>, "getStorage" | "eraseDeletedFiles"> {
  const readStorage = async (ctx: UserCtx): Promise<StorageUsage> => {
    const [usedBytes, deletedBytes] = await Promise.all([readUsedBytes(ctx, sumStoredBytes), sumDeletedFiles(ctx.own)]);
    return { usedBytes, limitBytes: storageLimit(ctx), deletedBytes: Math.min(deletedBytes, usedBytes) };
  };
  return {
    getStorage: (ctx) => readStorage(ctx),
    async eraseDeletedFiles(ctx) {
      await eraseDeletedFiles(ctx);
      return readStorage(ctx);
    },
  };
}
