import type { ConnectionType } from "#shared/connections/contract.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

export interface ConnectionDoc extends OwnedDoc {
  type: ConnectionType;
  isActive: boolean;
  email: string | null;
  /** Encrypted with the operator's secret: read access to the store alone is not enough. */
  sealedTokens: string;
  createdAt: number;
}

/** An OAuth flow in progress, removed on first use. */
interface JourneyDoc extends OwnedDoc {
  verifier: string;
  expiresAt: number;
}

const connections: CollectionSpec<ConnectionDoc> = {
  name: "connections",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "type"] }],
};
const journeys: CollectionSpec<JourneyDoc> = {
  name: "oauth_journeys",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "expiresAt"] }],
};

export const listConnections = (own: Own) => own.in(connections).find({}, { order: [["createdAt", "asc"]] });
export const findConnection = (own: Own, id: string) => own.in(connections).get(id);
export const removeConnection = (own: Own, id: string) => own.in(connections).remove({ _id: id });
export const removeOfType = (own: Own, type: ConnectionType) => own.in(connections).remove({ type });
export const saveConnection = (own: Own, doc: Omit<ConnectionDoc, "ownerId">) => own.in(connections).insert(doc);
export const changeConnection = (
  own: Own,
  id: string,
  set: Partial<Pick<ConnectionDoc, "isActive" | "sealedTokens">>,
) => own.in(connections).patch({ _id: id }, { set });

export async function saveJourney(own: Own, id: string, journey: { verifier: string; expiresAt: number }, now: number) {
  await own.in(journeys).remove({ expiresAt: { lt: now } });
  await own.in(journeys).insert({ _id: id, ...journey });
}

/** Finds a valid OAuth flow and uses it up atomically; undefined if it is unknown, used or expired. */
export async function takeJourney(own: Own, id: string, now: number): Promise<JourneyDoc | undefined> {
  const found = await own.in(journeys).get(id);
  const isMine = (await own.in(journeys).remove({ _id: id })) === 1;
  return found && isMine && found.expiresAt > now ? found : undefined;
}
