import type { CollectionSpec, Doc, DocumentStore } from "../port.ts";

// The shapes that earlier versions stored. They do not change with the shapes of the program.
interface Token extends Doc {
  userId: string;
  kind: "session" | "temp";
  session?: string;
  /** Version 1: the session token that a temp token was drawn from. */
  parent?: string | null;
  /** Version 1: the sign-in of a session token; missing until the first refresh of an extension. */
  sessionId?: string;
  signedInAt?: number;
  lastSeenAt?: number;
  device?: string;
  createdAt: number;
  expiresAt: number;
}

interface Extension extends Doc {
  ownerId: string;
  name: string;
  sessionId?: string;
  /** Version 1: the hash of its first token. */
  tokenId?: string;
}

interface Session extends Doc {
  userId: string;
  kind: "browser" | "extension";
  tokenId: string;
  replaced: { tokenId: string; until: number } | null;
  device: string;
  signedInAt: number | null;
  lastSeenAt: number;
  createdAt: number;
  expiresAt: number;
}

const spec = <T extends Doc>(name: string, shardKey: keyof T & string): CollectionSpec<T> => ({
  name,
  shardKey,
  indexes: [],
});
const tokens = spec<Token>("tokens", "_id");
const extensions = spec<Extension>("extensions", "ownerId");
const sessions = spec<Session>("sessions", "_id");

const sessionIdOf = (token: Token) => token.session ?? token.sessionId ?? token._id;

/** Version 2: a session is a document that owns its tokens. Removes temp tokens whose session token is gone. */
export async function migrateSessions(store: DocumentStore): Promise<void> {
  const sessionTokens = await store.collection(tokens).find({ kind: "session" }, { order: [["createdAt", "desc"]] });
  const tokensBySession = new Map<string, Token[]>();
  for (const token of sessionTokens)
    tokensBySession.set(sessionIdOf(token), [...(tokensBySession.get(sessionIdOf(token)) ?? []), token]);
  for (const [id, family] of tokensBySession)
    if (family.some(({ session }) => session === undefined)) await addSession(store, id, family);
  for (const { _id, tokenId } of await store.collection(extensions).find({ sessionId: null }))
    await store.collection(extensions).patch({ _id }, { set: { sessionId: tokenId ?? _id }, unset: ["tokenId"] });
  const sessionOf = new Map(sessionTokens.map((token) => [token._id, sessionIdOf(token)]));
  for (const token of await store.collection(tokens).find({ kind: "temp", session: null })) {
    const session = token.parent ? sessionOf.get(token.parent) : undefined;
    if (session === undefined) await store.collection(tokens).remove({ _id: token._id });
    else await setSession(store, token, session);
  }
}

/** Creates the session of a family of session tokens, which are given newest first. */
async function addSession(store: DocumentStore, id: string, family: readonly Token[]): Promise<void> {
  const [current, previous] = family;
  if (!current) return;
  const { userId, createdAt, expiresAt, signedInAt, lastSeenAt, device } = current;
  const [extension] = await store.collection(extensions).find({ ownerId: userId, tokenId: id }, { limit: 1 });
  await store.collection(sessions).insert({
    _id: id,
    userId,
    kind: extension ? "extension" : "browser",
    tokenId: current._id,
    replaced: previous ? { tokenId: previous._id, until: previous.expiresAt } : null,
    device: extension?.name ?? device ?? "",
    signedInAt: signedInAt ?? null,
    lastSeenAt: lastSeenAt ?? createdAt,
    createdAt: signedInAt ?? createdAt,
    expiresAt,
  });
  for (const token of family) await setSession(store, token, id);
}

const setSession = (store: DocumentStore, { _id }: Token, session: string) =>
  store.collection(tokens).patch({ _id }, { set: { session }, unset: ["parent", "sessionId"] });
