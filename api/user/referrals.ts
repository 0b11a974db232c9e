import { randomBytes } from "node:crypto";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** `_id` is the code in an account's invitation link. */
type CodeDoc = OwnedDoc;

/** `_id` is the new account, which can be credited only once. */
interface CreditDoc extends OwnedDoc {
  createdAt: number;
}

const codes: CollectionSpec<CodeDoc> = {
  name: "referral_codes",
  shardKey: "_id",
  indexes: [{ fields: ["ownerId"], unique: true }],
};
const credits: CollectionSpec<CreditDoc> = {
  name: "referral_credits",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId"] }],
};

/** The account's code, created on first use. */
export async function getOrCreateReferralCode(own: Own): Promise<string> {
  await own.in(codes).insert({ _id: randomBytes(6).toString("base64url") });
  const [code] = await own.in(codes).find({}, { limit: 1 });
  if (!code) throw new Error("the referral code was not stored");
  return code._id;
}

export const countCredits = (own: Own): Promise<number> => own.in(credits).count({});

/** Credits the owner of the code; an unknown code is ignored. */
export async function creditReferral(
  store: DocumentStore,
  { code, newUserId, now }: { code: string; newUserId: string; now: number },
): Promise<void> {
  const referrer = await store.collection(codes).get(code);
  if (referrer) await store.collection(credits).insert({ _id: newUserId, ownerId: referrer.ownerId, createdAt: now });
}
