import { z } from "zod";
import { file, json, upload } from "#shared/contract/endpoint.ts";
import { Component, ComponentSummary, ComponentVersion, Page } from "./schema.ts";

const PageWithComponents = z.object({ page: Page, components: z.array(Component) });

export const pages = {
  getContent: json({
    method: "GET",
    path: "/v1/auth/get_content",
    access: "user",
    etag: true,
    summary: "Everything the caller has, as metadata only: no text and no cards",
    input: z.object({}),
    output: z.object({
      content: z.object({
        pages: z.array(Page),
        components: z.array(ComponentSummary),
        podcasts: z.array(z.unknown()),
      }),
    }),
    fails: [],
  }),
  getPage: json({
    method: "GET",
    path: "/v1/pages/:id",
    access: "user",
    summary: "A page with its components, in order",
    input: z.object({ id: z.string() }),
    output: PageWithComponents,
    fails: ["not_found"],
  }),
  listComponents: json({
    method: "GET",
    path: "/v1/pages/:id/components",
    access: "user",
    summary: "The components of a page, in order",
    input: z.object({ id: z.string() }),
    output: z.object({ components: z.array(Component) }),
    fails: ["not_found"],
  }),
  getComponent: json({
    method: "GET",
    path: "/v1/pages/components/:id",
    access: "user",
    summary: "One component",
    input: z.object({ id: z.string() }),
    output: z.object({ component: Component }),
    fails: ["not_found"],
  }),
  getFileName: json({
    method: "GET",
    path: "/v1/pages/components/:id/fileName",
    access: "user",
    summary: "The name of the file that a component holds",
    input: z.object({ id: z.string() }),
    output: z.object({ fileName: z.string() }),
    fails: ["not_found"],
  }),
  markRecentlyOpened: json({
    method: "POST",
    path: "/v1/pages/components/:id/mark_recently_opened",
    access: "user",
    summary: "Note that a component was opened just now",
    input: z.object({ id: z.string() }),
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
  listHistory: json({
    method: "GET",
    path: "/v1/pages/components/:id/history",
    access: "user",
    summary: "Earlier contents of a component, newest first, kept for 30 days",
    input: z.object({ id: z.string() }),
    output: z.object({ versions: z.array(ComponentVersion) }),
    fails: ["not_found"],
  }),
  restoreVersion: json({
    method: "POST",
    path: "/v1/pages/components/:id/history/:versionId/restore",
    access: "user",
    summary: "Put an earlier content back; what stood there goes into the history",
    input: z.object({ id: z.string(), versionId: z.string() }),
    output: z.object({ component: Component }),
    fails: ["not_found"],
  }),
  uploadImageComponent: upload({
    method: "POST",
    path: "/v1/pages/upload/image_component",
    access: "user",
    rate: "upload",
    summary: "Store an image, a PDF, a Word or a PowerPoint file as a component",
    /** `pageId` puts it on a page; `componentId` is the client's own id, so that a repeat makes no second one. */
    input: z.object({
      pageId: z.string().max(64).optional(),
      componentId: z.string().min(10).max(64).optional(),
    }),
    maxFiles: 1,
    output: z.object({ component: Component }),
    fails: [
      "bad_input",
      "invalid_file",
      "invalid_pdf",
      "unsupported_file_type",
      "limit_reached",
      "too_large",
      "not_found",
    ],
  }),
  getFile: file({
    method: "GET",
    path: "/v1/files/:fileId",
    access: "user",
    summary: "The bytes of one of the caller's files; ranges are answered",
    input: z.object({ fileId: z.string() }),
    fails: ["not_found", "range_not_satisfiable"],
  }),
};
