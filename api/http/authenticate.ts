import { Failure } from "#shared/contract/failure.ts";
import type { Subscription } from "#shared/billing/schema.ts";
import type { Plan, User } from "#shared/user/schema.ts";
import type { Caller, Deps } from "./handler.ts";
import {
  findSession,
  findToken,
  hashToken,
  markUsed,
  type SessionDoc,
  type TokenDoc,
} from "./sessions/session-store.ts";
import type { Settings } from "#api/settings.ts";
import { recordActivity } from "#api/store/figures/activity.ts";
import type { CollectionSpec, Doc } from "#api/store/port.ts";

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
  /** Epoch ms at which an administrator disabled the account, which then cannot sign in. */
  disabledAt?: number | null;
  referralCode: string | null;
  /** How often sessions were revoked. A revocation ends earlier approvals (`api/connections/extension.ts`). */
  revocations?: number;
  /** Written with `plan`, in one change; missing until the first purchase. */
  billing?: {
    /** Counts refreshes of the plan, of which only the latest one writes (`api/billing/refresh-plan.ts`). */
    refreshCount: number;
    /** The plan without a subscription: what the operator granted, or the default of a new account. */
    granted: Plan;
    subscription: Subscription | null;
  };
  createdAt: number;
}

export const users: CollectionSpec<UserDoc> = {
  name: "users",
  shardKey: "_id",
  indexes: [{ fields: ["emailLower"], unique: true }, { fields: ["deleteAt"] }],
};

/** Authenticates by the Authorization header alone, because a cookie would allow cross-site request forgery. */
export async function authenticate(deps: Deps, authorization: string | undefined): Promise<Caller> {
  const now = deps.clock.now();
  const token = await requireToken(deps, authorization, now);
  const [session, user] = await Promise.all([
    findSession(deps.store, token.session),
    deps.store.collection(users).get(token.userId),
  ]);
  if (!session || !user || session.expiresAt <= now) throw new Failure("signed_out", "sign_in");
  if (isDisabled(user)) throw new Failure("signed_out", "account_disabled");
  const readOnlyUntil = findReadOnlyUntil(token, session);
  if (readOnlyUntil !== null && readOnlyUntil <= now) throw new Failure("signed_out", "sign_in_again");
  if (session.isUnused) await markUsed(deps.store, session._id);
  await recordActivity(deps, user).catch((error: unknown) =>
    deps.log.warn({ err: error }, "an active account could not be counted"),
  );
  const { _id: userId, email, plan } = user;
  return {
    userId,
    email,
    plan,
    isAdmin: isAdmin(deps.settings, user),
    tokenId: token._id,
    tokenKind: token.kind,
    sessionId: session._id,
    isExtension: session.kind === "extension",
    readOnlyUntil,
  };
}

async function requireToken({ store }: Deps, authorization: string | undefined, now: number): Promise<TokenDoc> {
  const bearer = authorization?.match(/^Bearer ([\w-]{20,200})$/)?.[1];
  const token = bearer === undefined ? undefined : await findToken(store, hashToken(bearer));
  if (!token) throw new Failure("signed_out", "sign_in");
  if (token.expiresAt <= now)
    throw new Failure(token.kind === "temp" ? "temp_token_expired" : "signed_out", "sign_in_again");
  return token;
}

/**
 * The end of a token that serves only reads: one that a refresh replaced, or a temp token issued with such a token.
 * Null for every other token.
 */
function findReadOnlyUntil(token: TokenDoc, { tokenId, replaced }: SessionDoc): number | null {
  if (token.kind === "temp") return token.isReadOnly ? token.expiresAt : null;
  if (token._id === tokenId) return null;
  return replaced?.tokenId === token._id ? replaced.until : 0;
}

export const isDisabled = (user: Pick<UserDoc, "disabledAt">): boolean => typeof user.disabledAt === "number";

/**
 * Whether an account is disabled, scheduled for deletion or deleted. Until it is active again, nothing that it made
 * public can be opened.
 */
export async function isInactive({ store }: Pick<Deps, "store">, userId: string): Promise<boolean> {
  const user = await store.collection(users).get(userId);
  return !user || isDisabled(user) || typeof user.deleteAt === "number";
}

/** True for users who were granted admin rights, and for verified addresses in `ADMIN_EMAILS`. */
export const isAdmin = (settings: Settings, user: UserDoc): boolean => user.isAdmin || isAdminBySetting(settings, user);

export const isAdminBySetting = (settings: Settings, user: UserDoc): boolean =>
  user.emailVerified === true && listAdminEmails(settings).includes(user.emailLower);

export const listAdminEmails = ({ ADMIN_EMAILS }: Settings): string[] =>
  ADMIN_EMAILS.split(",").map((email) => email.trim().toLowerCase());

/** The user as sent over the wire, without any credentials. */
export function presentUser(settings: Settings, doc: UserDoc): User {
  const {
    emailLower: _,
    passwordHash,
    referralCode: __,
    deleteAt: ___,
    revocations: ____,
    billing: _____,
    disabledAt: ______,
    ...user
  } = doc;
  return {
    ...user,
    isAdmin: isAdmin(settings, doc),
    emailVerified: doc.emailVerified ?? false,
    hasPassword: passwordHash !== null,
  };
}
