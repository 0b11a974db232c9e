import { hash, randomBytes } from "node:crypto";
import type { CollectionSpec, Doc, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/**
 * A sign-in, or a connected extension. It owns every token that is issued from it, and a token without its session is
 * refused, so removing this one document ends all of them, in every process.
 */
export interface SessionDoc extends Doc {
  userId: string;
  kind: "browser" | "extension";
  /** Hash of the session token. */
  tokenId: string;
  /** The token that the last refresh replaced. It serves reads until `until`. */
  replaced: { tokenId: string; until: number } | null;
  /** The user agent at sign-in, or the name of the extension. */
  device: string;
  /** Epoch ms of the sign-in, which a refresh does not change; null if it was not recorded. */
  signedInAt: number | null;
  lastSeenAt: number;
  createdAt: number;
  expiresAt: number;
  /** An extension has not used its token yet, so the answer that carried it may have been lost. */
  isUnused?: boolean;
}

export interface TokenDoc extends Doc {
  /** `_id` is the SHA-256 of the token, so that read access to the store does not allow signing in. */
  userId: string;
  kind: "session" | "temp";
  /** The session that owns it. */
  session: string;
  /** Issued with a replaced token, so it serves only reads. */
  isReadOnly?: boolean;
  createdAt: number;
  expiresAt: number;
}

/** The extensions that a student sees in the settings. */
export interface ExtensionDoc extends OwnedDoc {
  name: string;
  sessionId: string;
  createdAt: number;
}

export const sessions: CollectionSpec<SessionDoc> = {
  name: "sessions",
  shardKey: "_id",
  indexes: [{ fields: ["userId", "createdAt"] }],
};
export const tokens: CollectionSpec<TokenDoc> = {
  name: "tokens",
  shardKey: "_id",
  indexes: [{ fields: ["userId"] }, { fields: ["session"] }, { fields: ["expiresAt"] }],
};
export const extensions: CollectionSpec<ExtensionDoc> = {
  name: "extensions",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }],
};

export const hashToken = (token: string) => hash("sha256", token, "base64url");
/** 256 random bits cannot be guessed, so a fast hash is enough for storage. */
export const createToken = () => randomBytes(32).toString("base64url");

export const findToken = (store: DocumentStore, tokenId: string) => store.collection(tokens).get(tokenId);
export const findSession = (store: DocumentStore, id: string) => store.collection(sessions).get(id);
export const insertSession = (store: DocumentStore, session: SessionDoc) => store.collection(sessions).insert(session);
export const removeSession = (store: DocumentStore, id: string) => store.collection(sessions).remove({ _id: id });
export const removeSessionsOf = (store: DocumentStore, userId: string) => store.collection(sessions).remove({ userId });
export const removeTokensOfSession = (store: DocumentStore, session: string) =>
  store.collection(tokens).remove({ session });
export const removeTokensOfUser = (store: DocumentStore, userId: string) => store.collection(tokens).remove({ userId });

/** The session, unless it is missing or expired. */
export async function findActiveSession(
  store: DocumentStore,
  id: string,
  now: number,
): Promise<SessionDoc | undefined> {
  const session = await findSession(store, id);
  return session && session.expiresAt > now ? session : undefined;
}

type NewSession = Omit<SessionDoc, "tokenId" | "replaced" | "lastSeenAt">;

/** Stores a session and the hash of its token. */
export async function saveSession(store: DocumentStore, fields: NewSession, token: string): Promise<void> {
  const { _id, userId, createdAt, expiresAt } = fields;
  const tokenId = hashToken(token);
  await store.collection(tokens).insert({ _id: tokenId, userId, kind: "session", session: _id, createdAt, expiresAt });
  await insertSession(store, { ...fields, tokenId, replaced: null, lastSeenAt: createdAt });
}

/** Stores the hash of a new temp token of a session and returns the token. */
export async function saveTempToken(
  store: DocumentStore,
  fields: Pick<TokenDoc, "userId" | "createdAt" | "expiresAt" | "isReadOnly"> & { session: string },
): Promise<string> {
  const token = createToken();
  await store.collection(tokens).insert({ _id: hashToken(token), kind: "temp", ...fields });
  return token;
}

export const saveLastSeen = (store: DocumentStore, id: string, lastSeenAt: number) =>
  store.collection(sessions).patch({ _id: id }, { set: { lastSeenAt } });

export const markUsed = (store: DocumentStore, id: string) =>
  store.collection(sessions).patch({ _id: id }, { set: { isUnused: false } });

interface Replacement {
  tokenId: string;
  now: number;
  expiresAt: number;
  /** Until when the replaced token serves reads. */
  until: number;
}

/** Replaces the session's token and returns the new one; undefined unless `tokenId` is the session's token. */
export async function replaceToken(
  store: DocumentStore,
  { _id: id, userId }: Pick<SessionDoc, "_id" | "userId">,
  { tokenId, now, expiresAt, until }: Replacement,
): Promise<string | undefined> {
  const token = createToken();
  const newTokenId = hashToken(token);
  const fields = { userId, kind: "session", session: id, createdAt: now, expiresAt } as const;
  await store.collection(tokens).insert({ _id: newTokenId, ...fields });
  const set = { tokenId: newTokenId, replaced: { tokenId, until }, lastSeenAt: now, expiresAt };
  if (await store.collection(sessions).patch({ _id: id, tokenId }, { set })) return token;
  await store.collection(tokens).remove({ _id: newTokenId });
  return undefined;
}

/** The sessions of an account, newest sign-in first. */
export const listSessions = (store: DocumentStore, userId: string) =>
  store.collection(sessions).find({ userId }, { order: [["createdAt", "desc"]] });

const DAY_MS = 86_400_000;

/**
 * Removes expired sessions and tokens. Tokens stay for another day, so that a temp token is answered as expired and not
 * as unknown.
 */
export async function removeExpired(store: DocumentStore, userId: string, now: number): Promise<void> {
  await store.collection(tokens).remove({ userId, expiresAt: { lt: now - DAY_MS } });
  const expired = (await listSessions(store, userId)).filter(({ expiresAt }) => expiresAt <= now);
  for (const { _id } of expired) await removeSession(store, _id);
}
