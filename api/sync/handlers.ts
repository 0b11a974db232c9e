import { Failure } from "#shared/contract/failure.ts";
import type { sync } from "#shared/sync/contract.ts";
import type { PageDigest } from "#shared/sync/schema.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { ApplyChanges } from "./apply.ts";
import { followAccountChanges } from "./change-stream.ts";

/** A browser may be used by two accounts: queued changes of one account must never reach the other. */
function checkAccount({ caller }: UserCtx, accountId: string | undefined): void {
  if (accountId !== undefined && accountId !== caller.userId)
    throw new Failure("forbidden", "changes_of_other_account");
}

interface SyncDeps {
  applyChanges: ApplyChanges;
  /** Content digests of all pages or one. */
  listDigests: (own: Own, pageId: string | undefined) => Promise<PageDigest[]>;
}

/** Both are passed in, because the features that they come from use this one. */
export function createHandlers({ applyChanges, listDigests }: SyncDeps): Handlers<typeof sync> {
  return {
    async sendChanges(ctx, { accountId, payload }) {
      checkAccount(ctx, accountId);
      return applyChanges(ctx, payload);
    },
    async sendBatches(ctx, { accountId, batches }) {
      checkAccount(ctx, accountId);
      const allRequests = batches.flatMap(({ requests }) => requests);
      return applyChanges(ctx, allRequests);
    },
    async *followChanges(ctx, { after }) {
      yield* followAccountChanges(ctx, after);
    },
    async getDigest({ own }, { pageId }) {
      return { pages: await listDigests(own, pageId) };
    },
  };
}
