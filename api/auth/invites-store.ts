import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

export interface InviteDoc extends Doc {
  /**
   * `_id` is the code in clear text: administrators can read the link again, and it grants nothing but a new account.
   */
  emailLower: string | null;
  usedBy: string | null;
  createdAt: number;
  expiresAt: number;
}

const invites: CollectionSpec<InviteDoc> = { name: "invites", shardKey: "_id", indexes: [{ fields: ["createdAt"] }] };

export const saveInvite = (store: DocumentStore, invite: InviteDoc) => store.collection(invites).insert(invite);
export const listInvites = (store: DocumentStore) =>
  store.collection(invites).find({}, { order: [["createdAt", "desc"]], limit: 200 });
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
