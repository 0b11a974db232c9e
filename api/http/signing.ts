import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

interface SecretDoc extends Doc {
  value: string;
}

const secrets: CollectionSpec<SecretDoc> = { name: "secrets", shardKey: "_id", indexes: [] };
const FILES = "file_signatures";

const known = new WeakMap<DocumentStore, Promise<string>>();

/** The instance's own secret, made the first time it is needed: every process over the store has the same. */
function secretOf(store: DocumentStore): Promise<string> {
  const held = known.get(store) ?? findOrMake(store);
  known.set(store, held);
  // A store that did not answer is asked again.
  held.catch(() => known.delete(store));
  return held;
}

async function findOrMake(store: DocumentStore): Promise<string> {
  const all = store.collection(secrets);
  await all.insert({ _id: FILES, value: randomBytes(32).toString("base64url") });
  const secret = await all.get(FILES);
  if (!secret) throw new Error("the secret of file signatures is not there");
  return secret.value;
}

/** What a ticket opens: one file of one account, up to a moment. */
export interface Ticket {
  ownerId: string;
  fileId: string;
  expiresAt: number;
}

const sealOf = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("base64url");

/** A ticket as it may stand in an address, for what cannot send a header: it opens one file and dies soon. */
export async function signTicket(store: DocumentStore, { ownerId, fileId, expiresAt }: Ticket): Promise<string> {
  const body = Buffer.from(JSON.stringify([ownerId, fileId, expiresAt])).toString("base64url");
  return `${body}.${sealOf(await secretOf(store), body)}`;
}

/** What a ticket opens; undefined for one that is not ours, was changed, or has expired. */
export async function readTicket(store: DocumentStore, text: string, now: number): Promise<Ticket | undefined> {
  const [body = "", seal = ""] = text.split(".");
  const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(await secretOf(store), body))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const [ownerId, fileId, expiresAt] = JSON.parse(Buffer.from(body, "base64url").toString()) as [
    string,
    string,
    number,
  ];
  return expiresAt > now ? { ownerId, fileId, expiresAt } : undefined;
}
