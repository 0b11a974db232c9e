import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { Component } from "#shared/pages/schema.ts";
import { calendar } from "./calendar-contract.ts";
import { extensions } from "./extension-contract.ts";

export const ConnectionType = z.enum(["google_drive", "google_calendar"]);
export type ConnectionType = z.infer<typeof ConnectionType>;

/** A connected external account; its access tokens are never sent. */
export const Connection = z.object({
  _id: z.string(),
  connection_type: ConnectionType,
  /** False after access was revoked there; connecting again restores it. */
  is_active: z.boolean(),
  /** The address of the external account, if the provider returned it. */
  email: z.string().nullable(),
  createdAt: z.number(),
});
export type Connection = z.infer<typeof Connection>;

export const DriveFile = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  /** Null for Google's own formats, which are fetched as PDF. */
  sizeBytes: z.int().nullable(),
  modifiedAt: z.number().nullable(),
  canImport: z.boolean(),
});
export type DriveFile = z.infer<typeof DriveFile>;

export const connections = {
  ...extensions,
  ...calendar,
  listConnections: json({
    method: "GET",
    path: "/v1/external_connections/user/connections",
    access: "user",
    summary: "The caller's connected accounts elsewhere",
    input: z.object({}),
    output: z.object({ connections: z.array(Connection) }),
    fails: [],
  }),
  getConnectionSettings: json({
    method: "GET",
    path: "/v1/external_connections/settings",
    access: "user",
    summary: "Whether accounts elsewhere can be connected on this server, and which settings are missing where not",
    input: z.object({}),
    output: z.object({ google: z.object({ isConfigured: z.boolean(), missing: z.array(z.string()) }) }),
    fails: [],
  }),
  startGoogleDrive: json({
    method: "GET",
    path: "/v1/external_connections/oauth/google/google_drive/auth",
    access: "user",
    noStore: true,
    summary: "Where the browser goes to allow reading of Google Drive",
    input: z.object({}),
    output: z.object({ authUrl: z.string() }),
    fails: ["not_configured", "unreachable"],
  }),
  startGoogleCalendar: json({
    method: "GET",
    path: "/v1/external_connections/oauth/google/google_calendar/auth",
    access: "user",
    noStore: true,
    summary: "Where the browser goes to allow a calendar of our own in Google Calendar",
    input: z.object({}),
    output: z.object({ authUrl: z.string() }),
    fails: ["not_configured", "unreachable"],
  }),
  finishGoogle: json({
    method: "POST",
    path: "/v1/external_connections/oauth/google/callback",
    access: "user",
    summary: "Take what Google sent the browser back with; once, by the account that set out, within ten minutes",
    input: z.object({ code: z.string().min(1).max(4000), state: z.string().min(1).max(200) }),
    output: z.object({ connection: Connection }),
    fails: ["bad_input", "not_configured", "unreachable"],
  }),
  removeConnection: json({
    method: "DELETE",
    path: "/v1/external_connections/:id",
    access: "user",
    summary: "Forget a connected account and give its access back",
    input: z.object({ id: z.string() }),
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
  listDriveFiles: json({
    method: "GET",
    path: "/v1/external_connections/:id/files",
    access: "user",
    summary: "Files of a connected Drive, the one changed last first, or those whose name holds some words",
    input: z.object({
      id: z.string(),
      words: z.string().max(200).optional(),
      pageToken: z.string().max(4000).optional(),
    }),
    output: z.object({ files: z.array(DriveFile), nextPageToken: z.string().nullable() }),
    fails: ["not_found", "not_configured", "access_revoked", "unreachable"],
  }),
  importDriveFile: json({
    method: "POST",
    path: "/v1/external_connections/:id/import",
    access: "user",
    rate: "upload",
    summary: "Fetch a file of a connected Drive and store it as every upload is stored",
    input: z.object({
      id: z.string(),
      driveFileId: z.string().min(1).max(200),
      componentId: z.string().min(10).max(64),
      pageId: z.string().max(64).optional(),
    }),
    output: z.object({ component: Component }),
    fails: [
      "bad_input",
      "invalid_file",
      "invalid_pdf",
      "unsupported_file_type",
      "limit_reached",
      "too_large",
      "timed_out",
      "not_found",
      "not_configured",
      "access_revoked",
      "unreachable",
    ],
  }),
};
