import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

interface SecretDoc extends Doc {
  value: string;
}

const secrets: CollectionSpec<SecretDoc> = { name: "secrets", shardKey: "_id", indexes: [] };
const FILES = "file_signatures";

const known = new WeakMap<DocumentStore, Promise<string>>();

/** The instance's signing secret, created on first use and shared by every process on the store. */
function secretOf(store: DocumentStore): Promise<string> {
  const held = known.get(store) ?? findOrMake(store);
  known.set(store, held);
  // Do not cache a failure: retry next time.
  held.catch(() => known.delete(store));
  return held;
}

async function findOrMake(store: DocumentStore): Promise<string> {
  const all = store.collection(secrets);
  await all.insert({ _id: FILES, value: randomBytes(32).toString("base64url") });
  const secret = await all.get(FILES);
  if (!secret) throw new Error("the secret for file tickets is missing");
  return secret.value;
}

/** What a ticket grants: access to one file of one account until `expiresAt`. */
export interface Ticket {
  ownerId: string;
  fileId: string;
  expiresAt: number;
}

const sealOf = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("base64url");

/** A short-lived ticket for one file, for use in URLs where the client cannot send a header. */
export async function signTicket(store: DocumentStore, { ownerId, fileId, expiresAt }: Ticket): Promise<string> {
  const body = Buffer.from(JSON.stringify([ownerId, fileId, expiresAt])).toString("base64url");
  return `${body}.${sealOf(await secretOf(store), body)}`;
}

/** The verified ticket, or undefined if it is forged, altered or expired. */
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
