import { type UserDoc, users } from "#api/http/authenticate.ts";
import { type ExtensionDoc, extensions } from "#api/http/sessions/session-store.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

/** A pairing request of an extension; belongs to no account until a student approves it. */
export interface PairingRequestDoc extends Doc {
  code: string;
  challenge: string;
  name: string;
  /** `spent`: its token was issued, which happens once. */
  state: "waiting" | "allowed" | "refused" | "spent";
  userId: string | null;
  /** Set by the approval. The token is derived from it and from the verifier, which is not stored. */
  salt?: string;
  /** The account's number of revocations at the approval. Any later revocation ends the approval. */
  revocations?: number;
  createdAt: number;
  expiresAt: number;
}

const pairingRequests: CollectionSpec<PairingRequestDoc> = {
  name: "extension_requests",
  shardKey: "_id",
  indexes: [{ fields: ["code"], unique: true }, { fields: ["expiresAt"] }],
};
export async function savePairingRequest(
  store: DocumentStore,
  doc: PairingRequestDoc,
): Promise<"inserted" | "duplicate"> {
  await store.collection(pairingRequests).remove({ expiresAt: { lt: doc.createdAt } });
  return store.collection(pairingRequests).insert(doc);
}

export const findPairingRequest = (store: DocumentStore, id: string) => store.collection(pairingRequests).get(id);

export async function findPendingPairing(
  store: DocumentStore,
  code: string,
  now: number,
): Promise<PairingRequestDoc | undefined> {
  const [found] = await store.collection(pairingRequests).find({ code, state: "waiting" }, { limit: 1 });
  return found && found.expiresAt > now ? found : undefined;
}

/** Undefined if the request was already answered. */
export const answerPairingRequest = (
  store: DocumentStore,
  id: string,
  set: Pick<PairingRequestDoc, "state" | "userId" | "salt" | "revocations">,
) => store.collection(pairingRequests).patch({ _id: id, state: "waiting" }, { set });

/** True for one caller only, because an approval issues one token. */
export const spendApproval = async (store: DocumentStore, id: string): Promise<boolean> =>
  (await store.collection(pairingRequests).patch({ _id: id, state: "allowed" }, { set: { state: "spent" } })) !==
  undefined;

export const findPairedUser = (store: DocumentStore, userId: string): Promise<UserDoc | undefined> =>
  store.collection(users).get(userId);

export const findExtension = (own: Own, id: string) => own.in(extensions).get(id);
export const listExtensions = (own: Own) => own.in(extensions).find({}, { order: [["createdAt", "desc"]] });
export const removeExtension = (own: Own, id: string) => own.in(extensions).remove({ _id: id });

export const saveExtension = (own: Own, extension: Omit<ExtensionDoc, "ownerId">) =>
  own.in(extensions).insert(extension);
