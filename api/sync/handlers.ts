import type { sync } from "#shared/sync/contract.ts";
import type { Handlers } from "#api/kit/handler.ts";
import { listDigests } from "#api/pages/service.ts";
import { applyAll } from "./apply.ts";

export const handlers: Handlers<typeof sync> = {
  sendChanges: (ctx, { payload }) => applyAll(ctx, payload),
  sendBatches: (ctx, { batches }) =>
    applyAll(
      ctx,
      batches.flatMap(({ requests }) => requests),
    ),
  async getDigest({ own }, { pageId }) {
    return { pages: await listDigests(own, pageId) };
  },
};
