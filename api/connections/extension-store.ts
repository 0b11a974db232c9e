import { hashToken, makeToken, type TokenDoc, tokens, type UserDoc, users } from "#api/http/guard.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, Doc, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** A pairing request of an extension; belongs to no account until a student approves it. */
export interface RequestDoc extends Doc {
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

const requests: CollectionSpec<RequestDoc> = {
  name: "extension_requests",
  shardKey: "_id",
  indexes: [{ fields: ["code"], unique: true }, { fields: ["expiresAt"] }],
};
const extensions: CollectionSpec<ExtensionDoc> = {
  name: "extensions",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }],
};

export async function saveRequest(store: DocumentStore, doc: RequestDoc): Promise<"inserted" | "duplicate"> {
  await store.collection(requests).remove({ expiresAt: { lt: doc.createdAt } });
  return store.collection(requests).insert(doc);
}

export const findRequest = (store: DocumentStore, id: string) => store.collection(requests).get(id);

export async function findWaiting(store: DocumentStore, code: string, now: number): Promise<RequestDoc | undefined> {
  const [found] = await store.collection(requests).find({ code, state: "waiting" }, { limit: 1 });
  return found && found.expiresAt > now ? found : undefined;
}

/** Undefined if the request was already answered. */
export const answerRequest = (store: DocumentStore, id: string, set: Pick<RequestDoc, "state" | "userId">) =>
  store.collection(requests).patch({ _id: id, state: "waiting" }, { set });

export const findOwner = (store: DocumentStore, userId: string): Promise<UserDoc | undefined> =>
  store.collection(users).get(userId);

export const findExtension = (own: Own, id: string) => own.in(extensions).get(id);
export const listExtensions = (own: Own) => own.in(extensions).find({}, { order: [["createdAt", "desc"]] });
export const removeExtension = (own: Own, id: string) => own.in(extensions).remove({ _id: id });

export const findToken = (store: DocumentStore, tokenId: string): Promise<TokenDoc | undefined> =>
  store.collection(tokens).get(tokenId);

/** Revokes a token and the temp tokens derived from it. */
export async function removeToken(store: DocumentStore, tokenId: string): Promise<void> {
  await store.collection(tokens).remove({ _id: tokenId });
  await store.collection(tokens).remove({ parent: tokenId });
}

/** Issues a token to an extension and revokes the previous one, whose response may have been lost. */
export async function giveToken(
  store: DocumentStore,
  own: Own,
  given: { extension: Omit<ExtensionDoc, "tokenId" | "ownerId">; expiresAt: number },
): Promise<string> {
  const { extension, expiresAt } = given;
  const token = makeToken();
  const tokenId = hashToken(token);
  const fields = { userId: own.ownerId, kind: "session", parent: null, createdAt: extension.createdAt } as const;
  await store.collection(tokens).insert({ _id: tokenId, ...fields, expiresAt });
  const before = await own.in(extensions).get(extension._id);
  if (before) await removeToken(store, before.tokenId);
  if ((await own.in(extensions).insert({ ...extension, tokenId })) === "duplicate")
    await own.in(extensions).patch({ _id: extension._id }, { set: { tokenId } });
  return token;
}
