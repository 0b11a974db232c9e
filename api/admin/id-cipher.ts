import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { Failure } from "#shared/contract/failure.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";
import { toPage } from "#api/store/paging/to-page.ts";

/** A secret of this installation; never sent. */
interface AdminKeyDoc extends Doc {
  secret: string;
}

const adminKeys: CollectionSpec<AdminKeyDoc> = { name: "admin_keys", shardKey: "_id", indexes: [] };

const KEY_ID = "hidden-ids";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Creates the key on first use and stores it, so that all processes of an installation share it. */
async function readKey(store: DocumentStore): Promise<Buffer> {
  const keys = store.collection(adminKeys);
  let key = await keys.get(KEY_ID);
  if (!key) {
    await keys.insert({ _id: KEY_ID, secret: randomBytes(KEY_BYTES).toString("base64url") });
    key = await keys.get(KEY_ID);
  }
  return Buffer.from(key?.secret ?? "", "base64url");
}

/** Deterministic, so that an encrypted id can be part of a URL. */
function encrypt(text: string, key: Buffer): string {
  const iv = createHmac("sha256", key).update(text).digest().subarray(0, IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString("base64url");
}

function decrypt(encrypted: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(encrypted, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

interface IdCipher {
  encrypt: (id: string) => string;
  /** Undefined unless this installation encrypted it. */
  decrypt: (encrypted: string) => string | undefined;
}

/**
 * Encrypts ids for lists that show no accounts, because the ids of ratings, prompts and figure records begin with the
 * id of their account.
 */
export async function openIdCipher(store: DocumentStore): Promise<IdCipher> {
  const key = await readKey(store);
  return { encrypt: (id) => encrypt(id, key), decrypt: (encrypted) => decrypt(encrypted, key) };
}

interface ListQuery<T> {
  after: string | undefined;
  keyOf: (item: T) => string;
  read: (after: string | undefined) => Promise<readonly T[]>;
}

/** Reads a page of a list that shows no accounts. The position of the next page is encrypted too. */
export async function readEncryptedPage<T>(store: DocumentStore, { after, keyOf, read }: ListQuery<T>) {
  const ids = await openIdCipher(store);
  const from = after === undefined ? undefined : ids.decrypt(after);
  if (after !== undefined && from === undefined) throw new Failure("bad_input", "something_missing");
  const { items, next } = toPage(await read(from), keyOf);
  return { ids, items, next: next === null ? null : ids.encrypt(next) };
}
