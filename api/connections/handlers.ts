import { randomBytes } from "node:crypto";
import { ulid } from "ulid";
import { BlobTooLargeError } from "#api/blobs/port.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { checkSize, singleUploadCount, storeFile } from "#api/uploads/store-upload.ts";
import { findFileComponent } from "#api/pages/uploaded-components.ts";
import type { Connection, connections, ConnectionType, DriveFile } from "#shared/connections/contract.ts";
import { limitsOf } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { familyOf } from "#shared/uploads/rules.ts";
import { calendarHandlers } from "./calendar/calendar-handlers.ts";
import { syncCalendarQuietly } from "./calendar/sync-calendar.ts";
import { disconnect } from "./disconnect.ts";
import { Drive } from "./drive.ts";
import { extensionHandlers } from "./extension.ts";
import { buildGoogleAuthUrl, exchangeGoogleCode, listMissingSettings, requireClientSecret } from "./google.ts";
import { encrypt } from "./encryption.ts";
import {
  type ConnectionDoc,
  findConnection,
  listConnections,
  removeConnection,
  saveConnection,
  saveOAuthFlow,
  consumeOAuthFlow,
} from "./store.ts";

const OAUTH_FLOW_TTL_MS = 10 * 60 * 1000;
const FIRST_SYNC_MS = 10 * 60 * 1000;
/** The OAuth state begins with what is being connected, also for the callback screen. */
const STATE_PREFIXES: Readonly<Record<ConnectionType, string>> = {
  google_drive: "drive.",
  google_calendar: "calendar.",
};
const typeOfState = (state: string): ConnectionType =>
  state.startsWith(STATE_PREFIXES.google_calendar) ? "google_calendar" : "google_drive";

const presentConnection = ({ _id, type, isActive, email, createdAt }: ConnectionDoc): Connection => ({
  _id,
  connection_type: type,
  is_active: isActive,
  email,
  createdAt,
});

async function startOAuth({ own, settings, clock }: UserCtx, type: ConnectionType): Promise<{ authUrl: string }> {
  const state = STATE_PREFIXES[type] + randomBytes(24).toString("base64url");
  const { authUrl, verifier } = await buildGoogleAuthUrl(settings, state, type);
  const now = clock.now();
  await saveOAuthFlow(own, state, { verifier, expiresAt: now + OAUTH_FLOW_TTL_MS }, now);
  return { authUrl };
}

/**
 * Removes earlier connections of a type, because an account has one of each. For the same Google account, access is not
 * revoked, because that would end the new access too. For another Google account, access is revoked.
 */
async function removePrevious(ctx: UserCtx, previous: readonly ConnectionDoc[], email: string | null): Promise<void> {
  for (const connection of previous)
    if (connection.email === email) await removeConnection(ctx.own, connection._id);
    else await disconnect(ctx, ctx.own, connection);
}

async function requireDrive(ctx: UserCtx, id: string): Promise<Drive> {
  const connection = await findConnection(ctx.own, id);
  if (connection?.type !== "google_drive") throw new Failure("not_found", "no_connection");
  return new Drive(ctx, connection);
}

export const handlers: Handlers<typeof connections> = {
  ...extensionHandlers,
  ...calendarHandlers,

  async listConnections({ own }) {
    return { connections: (await listConnections(own)).map(presentConnection) };
  },

  async getConnectionSettings({ settings }) {
    const missing = listMissingSettings(settings);
    return { google: { isConfigured: missing.length === 0, missing } };
  },

  startGoogleDrive: (ctx) => startOAuth(ctx, "google_drive"),
  startGoogleCalendar: (ctx) => startOAuth(ctx, "google_calendar"),

  async finishGoogle(ctx, { code, state }) {
    const { own, settings, clock } = ctx;
    const secret = requireClientSecret(settings);
    const now = clock.now();
    const flow = await consumeOAuthFlow(own, state, now);
    if (!flow) throw new Failure("bad_input", "google_expired");
    const { tokens, email } = await exchangeGoogleCode(settings, { code, state, verifier: flow.verifier }, now);
    const type = typeOfState(state);
    const previous = (await listConnections(own)).filter((earlier) => earlier.type === type);
    // The same Google account keeps its calendar.
    const calendarId = previous.findLast((earlier) => earlier.email === email)?.calendarId ?? null;
    const connection = { _id: ulid(now), type, isActive: true, email, createdAt: now };
    // The blocks are written below. Until then, the repeated task must not write them too.
    const calendar = type === "google_calendar" ? { calendarId, syncAt: now + FIRST_SYNC_MS } : {};
    // Saved before the earlier ones are removed, because only a connection names the calendar.
    await saveConnection(own, { ...connection, ...calendar, sealedTokens: encrypt(tokens, secret) });
    await removePrevious(ctx, previous, email);
    if (type === "google_calendar") await syncCalendarQuietly(ctx, own);
    return { connection: presentConnection({ ...connection, ownerId: own.ownerId, sealedTokens: "" }) };
  },

  async removeConnection(ctx, { id }) {
    const connection = await findConnection(ctx.own, id);
    if (!connection) throw new Failure("not_found", "no_connection");
    await disconnect(ctx, ctx.own, connection);
    return { success: true };
  },

  async listDriveFiles(ctx, { id, words, pageToken }) {
    return (await requireDrive(ctx, id)).list(words, pageToken);
  },

  async importDriveFile(ctx, { id, driveFileId, componentId, pageId }) {
    const existing = await findFileComponent(ctx.own, componentId);
    if (existing) return { component: existing };
    const drive = await requireDrive(ctx, id);
    const file = await drive.find(driveFileId);
    return { component: await importFile(ctx, { drive, file, componentId, pageId }) };
  },
};

interface DriveImport {
  drive: Drive;
  file: DriveFile;
  componentId: string;
  pageId: string | undefined;
}

/** Checks the size before fetching anything, then stores the file like any upload. */
async function importFile(ctx: UserCtx, { drive, file, componentId, pageId }: DriveImport) {
  const isGoogleDocument = file.sizeBytes === null;
  const fileType = isGoogleDocument
    ? { name: `${file.name}.pdf`, type: "application/pdf" }
    : { name: file.name, type: file.mimeType };
  const family = familyOf(fileType);
  checkSize(ctx, family, file.sizeBytes ?? 0);
  const maxBytes = limitsOf(ctx.caller.plan, ctx.clock.now()).fileSizeMb * 1024 * 1024;
  try {
    const received = await ctx.blobs.receive(drive.read(file), maxBytes);
    const upload = Object.assign(received, { field: "file", ...fileType });
    try {
      return await storeFile(ctx, { family, file: upload, pageId, componentId, day: singleUploadCount(ctx) });
    } finally {
      await received.discard();
    }
  } catch (error) {
    if (error instanceof BlobTooLargeError) checkSize(ctx, family, maxBytes + 1);
    throw error;
  }
}
