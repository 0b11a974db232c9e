import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

const deriveKey = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "lamplight connection tokens", 32));

/** Encrypts with AES-256-GCM under a key derived from `secret`. */
export function encrypt(value: unknown, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret), iv);
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString("base64url");
}

/** Decrypts; undefined if the secret has changed or the text was tampered with. */
export function decrypt(text: string, secret: string): unknown {
  try {
    const bytes = Buffer.from(text, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", deriveKey(secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const plaintext = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(plaintext.toString("utf8"));
  } catch {
    return undefined;
  }
}
