import type { ConnectionType } from "#shared/connections/contract.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

export interface ConnectionDoc extends OwnedDoc {
  type: ConnectionType;
  isActive: boolean;
  email: string | null;
  /** Encrypted with the operator's secret, so that read access to the store alone is not enough. */
  sealedTokens: string;
  /** Google Calendar only: id of our own calendar, null before it is created. */
  calendarId?: string | null;
  /** Google Calendar only: the blocks' times when last seen; null for a block that the student deleted. */
  syncedBlocks?: { day: string; times: { startAt: number; endAt: number } | null }[];
  /** Google Calendar only: epoch ms of the next sync. */
  syncAt?: number;
  createdAt: number;
}

/** An OAuth flow in progress, removed on first use. */
interface OAuthFlowDoc extends OwnedDoc {
  verifier: string;
  expiresAt: number;
}

const connections: CollectionSpec<ConnectionDoc> = {
  name: "connections",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "type"] }, { fields: ["syncAt"] }],
};
const oauthFlows: CollectionSpec<OAuthFlowDoc> = {
  name: "pending_oauth_flows",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "expiresAt"] }],
};

export const listConnections = (own: Own) => own.in(connections).find({}, { order: [["createdAt", "asc"]] });
export const findConnection = (own: Own, id: string) => own.in(connections).get(id);
export const removeConnection = (own: Own, id: string) => own.in(connections).remove({ _id: id });
export const saveConnection = (own: Own, doc: Omit<ConnectionDoc, "ownerId">) => own.in(connections).insert(doc);
export const changeConnection = (
  own: Own,
  id: string,
  set: Partial<Pick<ConnectionDoc, "isActive" | "sealedTokens" | "syncAt" | "syncedBlocks">>,
) => own.in(connections).patch({ _id: id }, { set });

/** Stores a new calendar unless another call stored one first; returns the id of the stored one. */
export async function replaceCalendar(own: Own, { _id, calendarId }: ConnectionDoc, made: string): Promise<string> {
  await own.in(connections).patch({ _id, calendarId: calendarId ?? null }, { set: { calendarId: made } });
  return (await findConnection(own, _id))?.calendarId ?? made;
}

export async function findCalendarConnection(own: Own): Promise<ConnectionDoc | undefined> {
  const [found] = await own.in(connections).find({ type: "google_calendar" }, { limit: 1 });
  return found;
}

/** Calendars whose blocks are due to be written again, the longest overdue first. */
export const listDueCalendars = (store: DocumentStore, now: number, limit: number) =>
  store
    .collection(connections)
    .find({ type: "google_calendar", isActive: true, syncAt: { lte: now } }, { order: [["syncAt", "asc"]], limit });

export async function saveOAuthFlow(own: Own, id: string, flow: { verifier: string; expiresAt: number }, now: number) {
  await own.in(oauthFlows).remove({ expiresAt: { lt: now } });
  await own.in(oauthFlows).insert({ _id: id, ...flow });
}

/** Finds a valid OAuth flow and uses it up atomically; undefined if it is unknown, used or expired. */
export async function consumeOAuthFlow(own: Own, id: string, now: number): Promise<OAuthFlowDoc | undefined> {
  const found = await own.in(oauthFlows).get(id);
  const isClaimed = (await own.in(oauthFlows).remove({ _id: id })) === 1;
  return found && isClaimed && found.expiresAt > now ? found : undefined;
}
