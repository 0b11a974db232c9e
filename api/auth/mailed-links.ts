import { retentionMs } from "#shared/retention.ts";
import { hashToken, createToken } from "#api/http/sessions/session-store.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

/** A link sent by mail or handed out by the operator. `_id` is the hash of its token. */
interface LinkDoc extends Doc {
  ownerId: string;
  kind: "reset" | "address";
  /** The address that opening the link proves; null for a link that was not mailed. */
  email: string | null;
  createdAt: number;
  expiresAt: number;
}

const links: CollectionSpec<LinkDoc> = {
  name: "mail_links",
  shardKey: "_id",
  indexes: [{ fields: ["ownerId", "kind"] }, { fields: ["expiresAt"] }],
};

const LIFETIME_MS = { reset: 60 * 60 * 1000, address: retentionMs("mailedAddressLinks") } as const;

type NewLink = Pick<LinkDoc, "ownerId" | "kind" | "email"> & { now: number };

/** Returns the token of a new link; only its hash is stored. Also removes links that have expired. */
export async function createLink(store: DocumentStore, { ownerId, kind, email, now }: NewLink): Promise<string> {
  await store.collection(links).remove({ expiresAt: { lte: now } });
  const token = createToken();
  const expiresAt = now + LIFETIME_MS[kind];
  await store.collection(links).insert({ _id: hashToken(token), ownerId, kind, email, createdAt: now, expiresAt });
  return token;
}

type LinkQuery = Pick<LinkDoc, "kind"> & { now: number };

/** Finds a valid link of this kind without using it up. */
export async function findLink(
  store: DocumentStore,
  token: string,
  { kind, now }: LinkQuery,
): Promise<LinkDoc | undefined> {
  const found = await store.collection(links).get(hashToken(token));
  return found?.kind === kind && found.expiresAt > now ? found : undefined;
}

/** Finds a valid link and uses it up atomically. */
export async function consumeLink(store: DocumentStore, token: string, query: LinkQuery): Promise<LinkDoc | undefined> {
  const found = await findLink(store, token, query);
  return found && (await store.collection(links).remove({ _id: found._id })) === 1 ? found : undefined;
}

export const removeLinks = (store: DocumentStore, ownerId: string, kind: LinkDoc["kind"]) =>
  store.collection(links).remove({ ownerId, kind });
