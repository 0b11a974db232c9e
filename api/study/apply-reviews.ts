import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { SyncTable } from "#api/sync/sync-table.ts";
import { applyStudy, type StudyEvent } from "./service.ts";

type ReviewRequest = SyncRequestOf<"review_add" | "review_undo">;

const toStudyEvent = (request: ReviewRequest): StudyEvent =>
  request.type === "review_add"
    ? { type: request.type, review: request.data }
    : { type: request.type, reviewId: request.data.reviewId };

const applyBatch = (ctx: UserCtx, requests: readonly ReviewRequest[]) => applyStudy(ctx, requests.map(toStudyEvent));

const change = () => ({ kind: "study", ids: [] }) as const;

/** Reviews are independent of other changes, so they are applied as one batch. */
export const reviewTable: SyncTable<"review_add" | "review_undo"> = {
  review_add: { applyBatch, change },
  review_undo: { applyBatch, change },
};
