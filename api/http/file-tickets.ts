import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";
import { findActiveSession } from "./sessions/session-store.ts";

interface SecretDoc extends Doc {
  value: string;
}

const secrets: CollectionSpec<SecretDoc> = { name: "secrets", shardKey: "_id", indexes: [] };
const FILE_SECRET_ID = "file_signatures";

const secretsByStore = new WeakMap<DocumentStore, Promise<string>>();

/** The instance's signing secret, created on first use and shared by every process on the store. */
function getSecret(store: DocumentStore): Promise<string> {
  const cachedSecret = secretsByStore.get(store) ?? findOrCreateSecret(store);
  secretsByStore.set(store, cachedSecret);
  // Do not cache a failure, so that the next call tries again.
  cachedSecret.catch(() => secretsByStore.delete(store));
  return cachedSecret;
}

async function findOrCreateSecret(store: DocumentStore): Promise<string> {
  const secretsCollection = store.collection(secrets);
  await secretsCollection.insert({ _id: FILE_SECRET_ID, value: randomBytes(32).toString("base64url") });
  const secret = await secretsCollection.get(FILE_SECRET_ID);
  if (!secret) throw new Error("the secret for file tickets is missing");
  return secret.value;
}

/** What a ticket grants: access to one file of one account until `expiresAt`, or until its session ends. */
export interface Ticket {
  ownerId: string;
  fileId: string;
  sessionId: string;
  expiresAt: number;
}

const computeMac = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("base64url");

/** A short-lived ticket for one file, for use in URLs where the client cannot send a header. */
export async function signTicket(store: DocumentStore, ticket: Ticket): Promise<string> {
  const { ownerId, fileId, sessionId, expiresAt } = ticket;
  const body = Buffer.from(JSON.stringify([ownerId, fileId, expiresAt, sessionId])).toString("base64url");
  return `${body}.${computeMac(await getSecret(store), body)}`;
}

/** The verified ticket; undefined if it is forged, altered or expired, or if its session has ended. */
export async function readTicket(store: DocumentStore, text: string, now: number): Promise<Ticket | undefined> {
  const [body = "", mac = ""] = text.split(".");
  const [actualMac, expectedMac] = [Buffer.from(mac), Buffer.from(computeMac(await getSecret(store), body))];
  if (actualMac.length !== expectedMac.length || !timingSafeEqual(actualMac, expectedMac)) return undefined;
  const [ownerId, fileId, expiresAt, sessionId = ""] = JSON.parse(Buffer.from(body, "base64url").toString()) as [
    string,
    string,
    number,
    string | undefined,
  ];
  if (expiresAt <= now || !(await findActiveSession(store, sessionId, now))) return undefined;
  return { ownerId, fileId, sessionId, expiresAt };
}
