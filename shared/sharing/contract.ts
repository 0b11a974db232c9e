import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";
import { Component, Page } from "#shared/pages/schema.ts";
import {
  ExploreItem,
  Licence,
  MAX_ATTRIBUTION_CHARS,
  ReportFilter,
  ReportReason,
  Share,
  SharedItem,
  ShareReport,
  ShareType,
  Topic,
  Visibility,
} from "./schema.ts";

const Done = z.object({ success: z.literal(true) });
const Target = z.object({ type: ShareType, id: z.string().min(1).max(64) });
const ShareId = z.object({ share: z.string().min(1).max(64) });

export const sharing = {
  getShare: json({
    method: "GET",
    path: "/v1/share/:type/:id",
    access: "user",
    summary: "How a thing of the caller's is shared; null where it is private",
    input: Target,
    output: z.object({ share: Share.nullable() }),
    fails: ["not_found"],
  }),
  putShare: json({
    method: "PUT",
    path: "/v1/share/:type/:id",
    access: "user",
    summary: "Share a thing by link, or list it under Explore as well; the link stays the same",
    input: Target.extend({
      visibility: Visibility.default("unlisted"),
      topic: Topic.default("other"),
      description: z.string().trim().max(300).default(""),
      licence: Licence.default("none"),
      attribution: z.string().trim().max(MAX_ATTRIBUTION_CHARS).default(""),
    }),
    output: z.object({ share: Share }),
    fails: ["not_found", "forbidden"],
  }),
  endShare: json({
    method: "DELETE",
    path: "/v1/share/:type/:id",
    access: "user",
    summary: "Make a thing private again: its link opens nothing from now on, and none like it comes back",
    input: Target,
    output: Done,
    fails: [],
  }),
  recordView: json({
    method: "POST",
    path: "/v1/share/:type/:id/record_view",
    access: "public",
    rate: "anonymous",
    summary: "Count a look at a shared thing; one visitor counts once in half an hour, its owner never",
    input: Target,
    output: Done,
    fails: ["not_found"],
  }),
  recordDuplicate: json({
    method: "POST",
    path: "/v1/share/:type/:id/record_duplicate",
    access: "user",
    summary: "Count a copy that the caller made of a shared thing, once for each copy",
    input: Target.extend({ resultContentId: z.string().min(1).max(64) }),
    output: Done,
    fails: ["not_found"],
  }),
  openShare: json({
    method: "GET",
    path: "/v1/shared/:share",
    access: "public",
    rate: "anonymous",
    summary: "A shared thing with its content; a long one in parts, each naming where the next one begins",
    input: ShareId.extend({
      /** Position of the first component: `next` of the part before. */
      from: z.coerce.number().int().min(0).max(1_000_000).default(0),
    }),
    output: z.object({ shared: SharedItem }),
    fails: ["not_found"],
  }),
  getSharedFile: file({
    method: "GET",
    path: "/v1/shared/:share/files/:fileId",
    access: "public",
    rate: "ordinary",
    summary: "A file in a shared thing; range requests are supported",
    input: ShareId.extend({ fileId: z.string().min(1).max(100) }),
    fails: ["not_found", "range_not_satisfiable"],
  }),
  reportShare: json({
    method: "POST",
    path: "/v1/shared/:share/report",
    access: "public",
    rate: "sign_in",
    summary: "Tell the administrators that a shared thing should not be shared",
    input: ShareId.extend({ reason: ReportReason, text: z.string().trim().max(2000).default("") }),
    output: Done,
    fails: ["bad_input", "not_found", "too_many_requests"],
  }),
  listReports: json({
    method: "GET",
    path: "/v1/admin/share_reports",
    access: "admin",
    summary: "Reports of things that are still shared, the newest first",
    /** `after` is the `next` of the page before. */
    input: ReportFilter.extend({ after: z.string().max(100).optional() }),
    /** A page may have fewer entries than others: reports of what is no longer shared are left out. */
    output: z.object({ reports: z.array(ShareReport), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  dismissReport: json({
    method: "POST",
    path: "/v1/admin/share_reports/:id/dismiss",
    access: "admin",
    summary: "Remove a report; what it is about stays shared",
    input: z.object({ id: z.string().min(1).max(100) }),
    output: Done,
    fails: ["not_found"],
  }),
  takeDown: json({
    method: "POST",
    path: "/v1/admin/shares/:share/take_down",
    access: "admin",
    summary: "Show a shared thing to nobody any more; its owner keeps it and is told",
    input: ShareId,
    output: Done,
    fails: ["not_found"],
  }),
  explore: json({
    method: "GET",
    path: "/v1/explore",
    access: "public",
    rate: "anonymous",
    summary:
      "Things that their owners listed: the newest first, on each page those in `language` first; or the best match first",
    input: z.object({
      q: z.string().trim().max(400).default(""),
      topic: Topic.optional(),
      type: ShareType.optional(),
      /** The reader's, as the first part of a BCP 47 tag. */
      language: z
        .string()
        .regex(/^[a-z]{2,3}$/)
        .optional(),
      /** Only items listed before this time, epoch ms, for pagination. */
      before: z.coerce.number().optional(),
    }),
    output: z.object({
      items: z.array(ExploreItem),
      more: z.boolean(),
      /** The value of `before` for the next page. */
      next: z.number().nullable(),
      /** Topics with listed items, for the first page; empty for the others. */
      topics: z.array(Topic),
    }),
    fails: [],
  }),
  duplicatePage: json({
    method: "POST",
    path: "/v1/pages/:id/duplicate",
    access: "user",
    summary: "A deep copy of a page of the caller's, or of one that is shared; `copyId` twice makes one copy",
    input: z.object({ id: z.string(), copyId: z.string().min(10).max(64).optional() }),
    output: z.object({ page: Page, components: z.array(Component) }),
    fails: ["not_found", "already_exists", "too_large"],
  }),
  duplicateComponent: json({
    method: "POST",
    path: "/v1/share/:type/:id/duplicate",
    access: "user",
    summary: "A copy of a document, video or deck of the caller's, or of a shared one, on a page of its own",
    input: Target.extend({ copyId: z.string().min(10).max(64).optional() }),
    output: z.object({ component: Component }),
    fails: ["not_found", "already_exists", "too_large"],
  }),
};
