import { hash } from "node:crypto";
import { tooManyRequests } from "#api/http/rate-limits.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

export const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60 * 1000;

/** `_id` is the hash of the email address, whether or not an account has it. */
interface FailureCountDoc extends Doc {
  count: number;
  expiresAt: number;
}

const failureCounts: CollectionSpec<FailureCountDoc> = {
  name: "failed_sign_ins",
  shardKey: "_id",
  indexes: [{ fields: ["expiresAt"] }],
};

const idOf = (email: string) => hash("sha256", email.toLowerCase(), "base64url");

/**
 * Counts a sign-in as failed before its password is checked, so that simultaneous guesses cannot exceed the limit, even
 * in several processes. More than ten within 15 minutes are refused. Resolves to the number of counted sign-ins.
 */
export async function countSignIn(store: DocumentStore, email: string, now: number): Promise<number> {
  const counts = store.collection(failureCounts);
  const _id = idOf(email);
  const increment = { count: 1 };
  let counted = await counts.patch({ _id, expiresAt: { gt: now } }, { increment });
  if (!counted) {
    await counts.remove({ expiresAt: { lte: now } });
    counted = await counts.patchOrInsert({ _id, count: 0, expiresAt: now + WINDOW_MS }, { increment });
  }
  if (counted.count > MAX_FAILURES) throw tooManyRequests(counted.expiresAt - now);
  return counted.count;
}

/** Resets the count, after the right password. */
export const forgetFailures = (store: DocumentStore, email: string) =>
  store.collection(failureCounts).remove({ _id: idOf(email) });
