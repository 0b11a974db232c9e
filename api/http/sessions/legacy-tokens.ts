import type { CollectionSpec, DocumentStore } from "#api/store/port.ts";
import {
  extensions,
  findSession,
  insertSession,
  listSessionDocs,
  removeSession,
  type SessionDoc,
  type TokenDoc,
  tokens,
} from "./session-store.ts";

/** A token as it was stored before sessions had documents. */
interface LegacyTokenDoc extends TokenDoc {
  /** The session token that a temp token was drawn from. */
  parent?: string | null;
  /** The sign-in of a session token, the same through every refresh; missing until the first refresh of an extension. */
  sessionId?: string;
  signedInAt?: number;
  lastSeenAt?: number;
  device?: string;
}

const legacyTokens = tokens as CollectionSpec<LegacyTokenDoc>;
const sessionIdOf = (token: LegacyTokenDoc) => token.session ?? token.sessionId ?? token._id;

/** The session that owns a token; a token from before sessions had documents gets one on its first use. */
export async function findSessionOf(store: DocumentStore, token: TokenDoc): Promise<SessionDoc | undefined> {
  if (token.session !== undefined) return findSession(store, token.session);
  const { parent } = token as LegacyTokenDoc;
  const root = token.kind === "session" ? token : parent && (await store.collection(legacyTokens).get(parent));
  // A revocation removes the session tokens: what they had given out is then refused.
  if (!root) return undefined;
  const session = root.session === undefined ? await adopt(store, root) : await findSession(store, root.session);
  if (!session) return undefined;
  const set = { session: session._id };
  const isAdopted = (await store.collection(tokens).patch({ _id: token._id }, { set })) !== undefined;
  return isAdopted ? session : undefined;
}

/** Makes the session document of a legacy session token. */
async function adopt(store: DocumentStore, root: LegacyTokenDoc): Promise<SessionDoc | undefined> {
  const id = sessionIdOf(root);
  const { userId } = root;
  const all = await store
    .collection(legacyTokens)
    .find({ userId, kind: "session" }, { order: [["createdAt", "desc"]] });
  const [current, previous] = all.filter((token) => sessionIdOf(token) === id);
  if (!current) return undefined;
  const [extension] = await store.collection(extensions).find({ ownerId: userId, tokenId: id }, { limit: 1 });
  await insertSession(store, {
    _id: id,
    userId,
    kind: extension ? "extension" : "browser",
    tokenId: current._id,
    replaced: previous ? { tokenId: previous._id, until: previous.expiresAt } : null,
    device: extension?.name ?? current.device ?? "",
    signedInAt: current.signedInAt ?? null,
    lastSeenAt: current.lastSeenAt ?? current.createdAt,
    createdAt: current.signedInAt ?? current.createdAt,
    expiresAt: current.expiresAt,
  });
  // Revoked in between: the session tokens go last, so one that is still there was not.
  if (await store.collection(tokens).patch({ _id: current._id }, { set: { session: id } }))
    return findSession(store, id);
  await removeSession(store, id);
  return undefined;
}

/** Every session of an account, newest sign-in first. */
export async function listSessions(store: DocumentStore, userId: string): Promise<SessionDoc[]> {
  const all = await store.collection(tokens).find({ userId, kind: "session" });
  for (const token of all) if (token.session === undefined) await findSessionOf(store, token);
  return listSessionDocs(store, userId);
}
