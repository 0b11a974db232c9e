import { type UserDoc, users } from "#api/http/authenticate.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

interface InstallationFactDoc extends Doc {
  userId: string;
}

/** Facts that are true once per installation. */
const installationFacts: CollectionSpec<InstallationFactDoc> = {
  name: "installation_facts",
  shardKey: "_id",
  indexes: [],
};

/** A linked sign-in provider account; `_id` is provider and subject. */
interface IdentityDoc extends Doc {
  ownerId: string;
  email: string;
  createdAt: number;
}

const identities: CollectionSpec<IdentityDoc> = {
  name: "identities",
  shardKey: "_id",
  indexes: [{ fields: ["ownerId"] }],
};

export const findUser = (store: DocumentStore, userId: string) => store.collection(users).get(userId);

export async function findUserByEmail(store: DocumentStore, email: string): Promise<UserDoc | undefined> {
  const [user] = await store.collection(users).find({ emailLower: email.toLowerCase() }, { limit: 1 });
  return user;
}

export const saveUser = (store: DocumentStore, user: UserDoc) => store.collection(users).insert(user);

/** Rejects with `DuplicateValueError` if another account has the address. */
export const changeUser = (store: DocumentStore, userId: string, set: Partial<UserDoc>) =>
  store.collection(users).patch({ _id: userId }, { set });

/** True for the first account only, even under concurrent calls. */
export async function claimFirstAccount(store: DocumentStore, userId: string): Promise<boolean> {
  return (await store.collection(installationFacts).insert({ _id: "first-account", userId })) === "inserted";
}

export const findIdentity = (store: DocumentStore, id: string) => store.collection(identities).get(id);
export const saveIdentity = (store: DocumentStore, identity: IdentityDoc) =>
  store.collection(identities).insert(identity);
