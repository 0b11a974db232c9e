import { hashToken, createToken, type TokenDoc, tokens, type UserDoc, users } from "#api/http/authenticate.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

interface InstallationFactDoc extends Doc {
  userId: string;
}

/** Facts that are true once per installation. */
const installationFacts: CollectionSpec<InstallationFactDoc> = { name: "marks", shardKey: "_id", indexes: [] };

/** A linked sign-in provider account; `_id` is provider and subject. */
interface IdentityDoc extends Doc {
  ownerId: string;
  email: string;
  createdAt: number;
}

const identities: CollectionSpec<IdentityDoc> = {
  name: "identities",
  shardKey: "_id",
  indexes: [{ fields: ["ownerId"] }],
};

export const findUser = (store: DocumentStore, userId: string) => store.collection(users).get(userId);

export async function findUserByEmail(store: DocumentStore, email: string): Promise<UserDoc | undefined> {
  const [user] = await store.collection(users).find({ emailLower: email.toLowerCase() }, { limit: 1 });
  return user;
}

export const saveUser = (store: DocumentStore, user: UserDoc) => store.collection(users).insert(user);

/** Rejects with `DuplicateValue` where another account has the address. */
export const changeUser = (store: DocumentStore, userId: string, set: Partial<UserDoc>) =>
  store.collection(users).patch({ _id: userId }, { set });

/** True for the first account only, even under concurrent calls. */
export async function claimFirstAccount(store: DocumentStore, userId: string): Promise<boolean> {
  return (await store.collection(installationFacts).insert({ _id: "first-account", userId })) === "inserted";
}

export const findIdentity = (store: DocumentStore, id: string) => store.collection(identities).get(id);
export const saveIdentity = (store: DocumentStore, identity: IdentityDoc) =>
  store.collection(identities).insert(identity);

type TokenFields = Omit<TokenDoc, "_id">;

/** Stores the hash of a new token and returns the token. */
export async function saveToken(store: DocumentStore, fields: TokenFields): Promise<string> {
  const token = createToken();
  await store.collection(tokens).insert({ _id: hashToken(token), ...fields });
  return token;
}

export const findToken = (store: DocumentStore, tokenId: string) => store.collection(tokens).get(tokenId);

/** Session tokens of an account, without temp tokens. */
export const listSessionTokens = (store: DocumentStore, userId: string) =>
  store.collection(tokens).find({ userId, kind: "session" }, { order: [["createdAt", "desc"]] });

export const saveLastSeen = (store: DocumentStore, tokenId: string, lastSeenAt: number) =>
  store.collection(tokens).patch({ _id: tokenId }, { set: { lastSeenAt } });

/** Brings the expiry forward to `expiresAt`; never extends it. */
export const expireTokenBy = (store: DocumentStore, tokenId: string, expiresAt: number) =>
  store.collection(tokens).patch({ _id: tokenId, expiresAt: { gt: expiresAt } }, { set: { expiresAt } });

/** Revokes a token and the temp tokens derived from it. */
export async function removeToken(store: DocumentStore, tokenId: string): Promise<void> {
  await store.collection(tokens).remove({ _id: tokenId });
  await store.collection(tokens).remove({ parent: tokenId });
}

export const removeAllTokens = (store: DocumentStore, userId: string) => store.collection(tokens).remove({ userId });

export const removeExpiredTokens = (store: DocumentStore, userId: string, now: number) =>
  store.collection(tokens).remove({ userId, expiresAt: { lt: now } });
