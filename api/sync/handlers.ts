import { Failure } from "#shared/contract/failure.ts";
import type { sync } from "#shared/sync/contract.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { listDigests } from "#api/pages/service.ts";
import { applyAll } from "./apply.ts";
import { followAccountChanges } from "./change-stream.ts";

/** A browser may be used by two accounts: queued changes must never reach the other one. */
function checkAccount({ caller }: UserCtx, accountId: string | undefined): void {
  if (accountId !== undefined && accountId !== caller.userId)
    throw new Failure("forbidden", "changes_of_other_account");
}

export const handlers: Handlers<typeof sync> = {
  async sendChanges(ctx, { accountId, payload }) {
    checkAccount(ctx, accountId);
    return applyAll(ctx, payload);
  },
  async sendBatches(ctx, { accountId, batches }) {
    checkAccount(ctx, accountId);
    const allRequests = batches.flatMap(({ requests }) => requests);
    return applyAll(ctx, allRequests);
  },
  async *followChanges(ctx, { after }) {
    yield* followAccountChanges(ctx, after);
  },
  async getDigest({ own }, { pageId }) {
    return { pages: await listDigests(own, pageId) };
  },
};
