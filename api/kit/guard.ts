import { hash, randomBytes } from "node:crypto";
import { Failure } from "#shared/contract/failure.ts";
import type { Plan, User } from "#shared/user/schema.ts";
import type { Caller, Deps } from "./handler.ts";
import type { Settings } from "./settings.ts";
import type { CollectionSpec, Doc } from "./store/port.ts";

export interface TokenDoc extends Doc {
  /** `_id` is the SHA-256 of the token: who reads the store cannot sign in with what is found there. */
  userId: string;
  kind: "session" | "temp";
  /** The session token that a temp token was drawn from. */
  parent: string | null;
  /** The sign-in that it goes back to, through every renewal. */
  sessionId?: string;
  /** Epoch ms of that sign-in. */
  signedInAt?: number;
  lastSeenAt?: number;
  /** What the browser said of itself at the sign-in. */
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
  /** As it was granted; an address of `ADMIN_EMAILS` counts besides, once it is verified. */
  isAdmin: boolean;
  emailVerified?: boolean;
  /** Epoch ms at which everything of the account goes; null or missing where nobody asked for it. */
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
/** 256 bits: not to be guessed, so a fast hash is enough to store it. */
export const makeToken = () => randomBytes(32).toString("base64url");

/** Who calls, by the Authorization header alone: a cookie would let another site's form speak for its visitor. */
export async function identify(deps: Deps, authorization: string | undefined): Promise<Caller> {
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

/** Whoever was granted it on the server, and an address of `ADMIN_EMAILS` that was shown to be its owner's. */
function isAdmin({ ADMIN_EMAILS }: Settings, user: UserDoc): boolean {
  if (user.isAdmin) return true;
  const named = ADMIN_EMAILS.split(",").map((email) => email.trim().toLowerCase());
  return user.emailVerified === true && named.includes(user.emailLower);
}

/** A user as the wire shows it: nothing of how they sign in. */
export function presentUser(settings: Settings, doc: UserDoc): User {
  const { emailLower: _, passwordHash, referralCode: __, deleteAt: ___, ...user } = doc;
  return {
    ...user,
    isAdmin: isAdmin(settings, doc),
    emailVerified: doc.emailVerified ?? false,
    hasPassword: passwordHash !== null,
  };
}
