import { hashToken, createToken, type TokenDoc, tokens, type UserDoc, users } from "#api/http/authenticate.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, Doc, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** A pairing request of an extension; belongs to no account until a student approves it. */
export interface PairingRequestDoc extends Doc {
  code: string;
  challenge: string;
  name: string;
  state: "waiting" | "allowed" | "refused";
  userId: string | null;
  createdAt: number;
  expiresAt: number;
}

/** `_id` is that of its pairing request. */
export interface ExtensionDoc extends OwnedDoc {
  name: string;
  tokenId: string;
  createdAt: number;
}

const pairingRequests: CollectionSpec<PairingRequestDoc> = {
  name: "extension_requests",
  shardKey: "_id",
  indexes: [{ fields: ["code"], unique: true }, { fields: ["expiresAt"] }],
};
const extensions: CollectionSpec<ExtensionDoc> = {
  name: "extensions",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }],
};

export async function savePairingRequest(
  store: DocumentStore,
  doc: PairingRequestDoc,
): Promise<"inserted" | "duplicate"> {
  await store.collection(pairingRequests).remove({ expiresAt: { lt: doc.createdAt } });
  return store.collection(pairingRequests).insert(doc);
}

export const findPairingRequest = (store: DocumentStore, id: string) => store.collection(pairingRequests).get(id);

export async function findPendingPairing(
  store: DocumentStore,
  code: string,
  now: number,
): Promise<PairingRequestDoc | undefined> {
  const [found] = await store.collection(pairingRequests).find({ code, state: "waiting" }, { limit: 1 });
  return found && found.expiresAt > now ? found : undefined;
}

/** Undefined if the request was already answered. */
export const answerPairingRequest = (
  store: DocumentStore,
  id: string,
  set: Pick<PairingRequestDoc, "state" | "userId">,
) => store.collection(pairingRequests).patch({ _id: id, state: "waiting" }, { set });

export const findPairedUser = (store: DocumentStore, userId: string): Promise<UserDoc | undefined> =>
  store.collection(users).get(userId);

export const findExtension = (own: Own, id: string) => own.in(extensions).get(id);
export const listExtensions = (own: Own) => own.in(extensions).find({}, { order: [["createdAt", "desc"]] });
export const removeExtension = (own: Own, id: string) => own.in(extensions).remove({ _id: id });

export const findExtensionToken = (store: DocumentStore, tokenId: string): Promise<TokenDoc | undefined> =>
  store.collection(tokens).get(tokenId);

/** Revokes a token and the temp tokens derived from it. */
export async function revokeToken(store: DocumentStore, tokenId: string): Promise<void> {
  await store.collection(tokens).remove({ _id: tokenId });
  await store.collection(tokens).remove({ parent: tokenId });
}

/** Issues a token to an extension and revokes the previous one, whose response may have been lost. */
export async function issueExtensionToken(
  store: DocumentStore,
  own: Own,
  grant: { extension: Omit<ExtensionDoc, "tokenId" | "ownerId">; expiresAt: number },
): Promise<string> {
  const { extension, expiresAt } = grant;
  const token = createToken();
  const tokenId = hashToken(token);
  const fields = { userId: own.ownerId, kind: "session", parent: null, createdAt: extension.createdAt } as const;
  await store.collection(tokens).insert({ _id: tokenId, ...fields, expiresAt });
  const previous = await own.in(extensions).get(extension._id);
  if (previous) await revokeToken(store, previous.tokenId);
  if ((await own.in(extensions).insert({ ...extension, tokenId })) === "duplicate")
    await own.in(extensions).patch({ _id: extension._id }, { set: { tokenId } });
  return token;
}
