import { hash, randomBytes } from "node:crypto";
import { Failure } from "#shared/contract/failure.ts";
import type { Plan, User } from "#shared/user/schema.ts";
import type { Caller, Deps } from "./handler.ts";
import type { Settings } from "#api/settings.ts";
import type { CollectionSpec, Doc } from "#api/store/port.ts";

export interface TokenDoc extends Doc {
  /** `_id` is the SHA-256 of the token, so that read access to the store does not allow signing in. */
  userId: string;
  kind: "session" | "temp";
  /** The session token that a temp token was issued from. */
  parent: string | null;
  /** The sign-in it belongs to; stays the same through every renewal. */
  sessionId?: string;
  /** Epoch ms of that sign-in. */
  signedInAt?: number;
  lastSeenAt?: number;
  /** The user agent at sign-in. */
  device?: string;
  createdAt: number;
  expiresAt: number;
}

export interface UserDoc extends Doc {
  name: string;
  email: string;
  emailLower: string;
  passwordHash: string | null;
  timezone: string;
  profilePictureUrl: string | null;
  seenFeatures: string[];
  onboardingComplete: boolean;
  plan: Plan;
  authProvider: "EMAIL_PASSWORD" | "GOOGLE_OAUTH_2" | "APPLE";
  /** Admin rights that were granted explicitly; a verified address in `ADMIN_EMAILS` has them too. */
  isAdmin: boolean;
  emailVerified?: boolean;
  /** Epoch ms at which the account is erased; null or missing unless deletion was requested. */
  deleteAt?: number | null;
  referralCode: string | null;
  createdAt: number;
}

export const tokens: CollectionSpec<TokenDoc> = {
  name: "tokens",
  shardKey: "_id",
  indexes: [{ fields: ["userId"] }, { fields: ["parent"] }, { fields: ["expiresAt"] }],
};

export const users: CollectionSpec<UserDoc> = {
  name: "users",
  shardKey: "_id",
  indexes: [{ fields: ["emailLower"], unique: true }, { fields: ["deleteAt"] }],
};

export const hashToken = (token: string) => hash("sha256", token, "base64url");
/** 256 random bits cannot be guessed, so a fast hash is enough for storage. */
export const createToken = () => randomBytes(32).toString("base64url");

/** Authenticates by the Authorization header alone: a cookie would allow cross-site request forgery. */
export async function authenticate(deps: Deps, authorization: string | undefined): Promise<Caller> {
  const bearer = authorization?.match(/^Bearer ([\w-]{20,200})$/)?.[1];
  if (bearer === undefined) throw new Failure("signed_out", "sign_in");
  const tokenId = hashToken(bearer);
  const token = await deps.store.collection(tokens).get(tokenId);
  if (!token) throw new Failure("signed_out", "sign_in");
  if (token.expiresAt <= deps.clock.now())
    throw new Failure(token.kind === "temp" ? "temp_token_expired" : "signed_out", "sign_in_again");
  const user = await deps.store.collection(users).get(token.userId);
  if (!user) throw new Failure("signed_out", "sign_in");
  const { _id: userId, email, plan } = user;
  return { userId, email, plan, isAdmin: isAdmin(deps.settings, user), tokenId, tokenKind: token.kind };
}

/** True for users who were granted admin rights, and for verified addresses in `ADMIN_EMAILS`. */
function isAdmin({ ADMIN_EMAILS }: Settings, user: UserDoc): boolean {
  if (user.isAdmin) return true;
  const adminEmails = ADMIN_EMAILS.split(",").map((email) => email.trim().toLowerCase());
  return user.emailVerified === true && adminEmails.includes(user.emailLower);
}

/** The user as sent over the wire, without any credentials. */
export function presentUser(settings: Settings, doc: UserDoc): User {
  const { emailLower: _, passwordHash, referralCode: __, deleteAt: ___, ...user } = doc;
  return {
    ...user,
    isAdmin: isAdmin(settings, doc),
    emailVerified: doc.emailVerified ?? false,
    hasPassword: passwordHash !== null,
  };
}
