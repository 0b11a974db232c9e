import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";
import { Podcast } from "#shared/podcasts/schema.ts";
import { ResearchListItem } from "#shared/research/schema.ts";
import { Component, ComponentSummary, ComponentVersion, HistoryEntry, Page } from "./schema.ts";
import { completion } from "./completion-contract.ts";

const PageWithComponents = z.object({ page: Page, components: z.array(Component) });

export const pages = {
  getContent: json({
    method: "GET",
    path: "/v1/auth/get_content",
    access: "user",
    forExtension: true,
    etag: true,
    summary: "Everything the caller has, as metadata only: no text and no cards",
    input: z.object({}),
    output: z.object({
      content: z.object({
        pages: z.array(Page),
        components: z.array(ComponentSummary),
        podcasts: z.array(Podcast),
        research_sessions: z.array(ResearchListItem).optional(),
      }),
    }),
    fails: [],
  }),
  // Must precede the routes with a page id, which would match this path.
  exportPages: file({
    method: "GET",
    path: "/v1/pages/export",
    access: "user",
    rate: "generation",
    summary: "Every page as Markdown with the files that stand on them, as one zip",
    input: z.object({}),
    fails: [],
  }),
  getPage: json({
    method: "GET",
    path: "/v1/pages/:id",
    access: "user",
    forExtension: true,
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
    forExtension: true,
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
  listPageHistory: json({
    method: "GET",
    path: "/v1/pages/:id/history",
    access: "user",
    summary: "Earlier texts of everything on a page, deleted things included, newest first",
    input: z.object({ id: z.string() }),
    output: z.object({ entries: z.array(HistoryEntry) }),
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
  exportPage: file({
    method: "GET",
    path: "/v1/pages/:id/export",
    access: "user",
    rate: "generation",
    summary: "A page as Markdown with the files that stand on it, as one zip",
    input: z.object({ id: z.string() }),
    fails: ["not_found"],
  }),
  ...completion,
};
