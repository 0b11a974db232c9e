import { z } from "zod";
import { json, stream, SYNC_BODY_BYTES } from "#shared/contract/endpoint.ts";
import { ChangeEvent, PageDigest, SyncAnswer } from "./schema.ts";

/** `unknown`, because each request is parsed separately, so that an invalid request fails alone. */
const Requests = z.array(z.unknown()).max(2000);

/** The account that the changes belong to. A call with another account's token is rejected, and nothing is applied. */
const accountId = z.string().max(64).optional();

export const sync = {
  sendChanges: json({
    method: "POST",
    path: "/v1/sync",
    access: "user",
    bodyBytes: SYNC_BODY_BYTES,
    summary: "Apply queued changes in order; the same request id changes nothing the second time",
    input: z.object({ accountId, payload: Requests }),
    output: SyncAnswer,
    fails: ["bad_input", "forbidden"],
  }),
  sendBatches: json({
    method: "POST",
    path: "/v1/sync/batch",
    access: "user",
    forExtension: true,
    bodyBytes: SYNC_BODY_BYTES,
    summary: "Apply queued changes grouped by resource",
    input: z.object({ accountId, batches: z.array(z.object({ resourceId: z.string(), requests: Requests })).max(500) }),
    output: SyncAnswer,
    fails: ["bad_input", "forbidden"],
  }),
  getDigest: json({
    method: "GET",
    path: "/v1/sync/digest",
    access: "user",
    summary: "Count and hash of each page's components, to compare with a client's copy",
    input: z.object({ pageId: z.string().optional() }),
    output: z.object({ pages: z.array(PageDigest) }),
    fails: [],
  }),
  followChanges: stream({
    method: "GET",
    path: "/v1/sync/events",
    access: "user",
    summary:
      "Changes of the account from every device: first those after a sequence number, then new ones as they happen",
    input: z.object({ after: z.coerce.number().int().min(0).optional() }),
    event: ChangeEvent,
    fails: ["too_many_requests"],
  }),
};
