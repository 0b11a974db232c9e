import type { Own } from "#api/store/owned-store.ts";
import { removeCalendar } from "./calendar/sync-calendar.ts";
import type { CalendarDeps } from "./calendar/google-calendar.ts";
import { decrypt } from "./encryption.ts";
import { type GoogleTokens, revokeTokens } from "./google.ts";
import { type ConnectionDoc, listConnections, removeConnection } from "./store.ts";

/**
 * Removes a connection and the calendar that it created at Google, and revokes the access. Continues if Google cannot
 * be reached. There is one grant for each Google account, so access is not revoked while another connection uses that
 * account.
 */
export async function disconnect(deps: CalendarDeps, own: Own, connection: ConnectionDoc): Promise<void> {
  const { settings, log } = deps;
  if (connection.type === "google_calendar") await removeCalendar(deps, own, connection);
  await removeConnection(own, connection._id);
  const remaining = await listConnections(own);
  if (remaining.some(({ email }) => email !== null && email === connection.email)) return;
  const tokens = decrypt(connection.sealedTokens, settings.GOOGLE_CLIENT_SECRET ?? "") as GoogleTokens | undefined;
  if (tokens)
    await revokeTokens(settings, tokens).catch(() => log.warn({ userId: own.ownerId }, "access could not be revoked"));
}

/** Removes all connections of an account, before the account is deleted permanently. */
export async function disconnectAll(deps: CalendarDeps, own: Own): Promise<void> {
  for (const connection of await listConnections(own))
    await disconnect(deps, own, connection).catch((error: unknown) =>
      deps.log.warn({ err: error, userId: own.ownerId }, "a connection could not be removed"),
    );
}
