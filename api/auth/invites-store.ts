import { type InviteFilter, type InviteState, SHORT_CODE_CHARS } from "#shared/auth/contract.ts";
import { beginsWith } from "#api/store/paging/begins-with.ts";
import { findNewestFirst, type Position } from "#api/store/paging/newest-first.ts";
import type { CollectionSpec, Doc, DocumentStore, Filter } from "#api/store/port.ts";

export interface InviteDoc extends Doc {
  /**
   * `_id` is the code in clear text, so that administrators can read the link again. The code grants nothing but a new
   * account.
   */
  emailLower: string | null;
  usedBy: string | null;
  createdAt: number;
  expiresAt: number;
}

const invites: CollectionSpec<InviteDoc> = {
  name: "invites",
  shardKey: "_id",
  indexes: [{ fields: ["createdAt"] }, { fields: ["emailLower"] }, { fields: ["usedBy", "createdAt"] }],
};

export const saveInvite = (store: DocumentStore, invite: InviteDoc) => store.collection(invites).insert(invite);

export function inviteStateOf({ usedBy, expiresAt }: InviteDoc, now: number): InviteState {
  if (usedBy !== null) return "used";
  return expiresAt > now ? "open" : "expired";
}

const stateFilters: Readonly<Record<InviteState, (now: number) => Filter<InviteDoc>>> = {
  open: (now) => ({ usedBy: null, expiresAt: { gt: now } }),
  used: () => ({ usedBy: { not: null } }),
  expired: (now) => ({ usedBy: null, expiresAt: { lte: now } }),
};

/** Only the beginning of a code is matched, so that a search never puts a whole code into a URL. */
const CODE_START = new RegExp(String.raw`^[\w-]{${SHORT_CODE_CHARS}}$`, "u");

interface InviteQuery extends InviteFilter {
  now: number;
}

/** The newest first. */
export async function listInvites(
  store: DocumentStore,
  { q, state, now }: InviteQuery,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<InviteDoc[]> {
  const collection = store.collection(invites);
  const ofState = state === undefined ? {} : stateFilters[state](now);
  const ofCode = CODE_START.test(q) ? await collection.find({ ...ofState, _id: beginsWith(q) }, { limit }) : [];
  if (ofCode.length > 0) return after ? [] : ofCode;
  const filter = { ...ofState, ...(q !== "" && { emailLower: beginsWith(q.toLowerCase()) }) };
  return findNewestFirst(collection, { filter, after, limit });
}

export const removeInvite = (store: DocumentStore, code: string) => store.collection(invites).remove({ _id: code });

/** Uses up a valid invitation atomically; one issued for an address works only for that address. */
export async function claimInvite(
  store: DocumentStore,
  code: string,
  { userId, emailLower, now }: { userId: string; emailLower: string; now: number },
): Promise<boolean> {
  const validInvite = { _id: code, usedBy: null, expiresAt: { gt: now } };
  const patch = { set: { usedBy: userId } };
  const invitesCollection = store.collection(invites);
  return Boolean(
    (await invitesCollection.patch({ ...validInvite, emailLower }, patch)) ??
    (await invitesCollection.patch({ ...validInvite, emailLower: null }, patch)),
  );
}

export const releaseInvite = (store: DocumentStore, code: string, userId: string) =>
  store.collection(invites).patch({ _id: code, usedBy: userId }, { set: { usedBy: null } });
