import { randomBytes } from "node:crypto";
import type { Middleware } from "koa";
import rawBody from "raw-body";
import { z } from "zod";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { UserDoc } from "#api/http/authenticate.ts";
import type { Ctx, Handlers } from "#api/http/handler.ts";
import { hashToken } from "#api/http/sessions/session-store.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";
import { signIn, isDeletionDue, createAccount } from "./accounts.ts";
import {
  APPLE_RETURN_PATH,
  buildSignInUrl,
  exchangeSignInCode,
  providerName,
  type IssuerIdentity,
  type Provider,
} from "./sign-in-issuers.ts";
import { notifyProviderLinked } from "./recovery.ts";
import { findIdentity, findUser, findUserByEmail, saveIdentity } from "./store.ts";

const SIGN_IN_TTL_MS = 10 * 60 * 1000;

interface SignInOptions {
  timezone?: string | undefined;
  referralCode?: string | undefined;
  inviteCode?: string | undefined;
}

/** An OAuth sign-in in progress, removed on first use. `_id` is the hash of its state. */
interface PendingSignInDoc extends Doc {
  provider: Provider;
  verifier: string;
  nonce: string;
  options: SignInOptions;
  /** Apple posts the name with the callback, and only at the first sign-in. */
  name?: string;
  expiresAt: number;
}

const pendingSignIns: CollectionSpec<PendingSignInDoc> = {
  name: "pending_sign_ins",
  shardKey: "_id",
  indexes: [{ fields: ["expiresAt"] }],
};

async function startSignIn({ settings, store, clock }: Ctx, provider: Provider, options: SignInOptions) {
  // The callback screen reads the provider from the part before the dot.
  const state = `${provider === "APPLE" ? "apple" : "google"}.${randomBytes(24).toString("base64url")}`;
  const { authUrl, verifier, nonce } = await buildSignInUrl(settings, provider, state);
  const now = clock.now();
  const signInsCollection = store.collection(pendingSignIns);
  await signInsCollection.remove({ expiresAt: { lt: now } });
  await signInsCollection.insert({
    _id: hashToken(state),
    provider,
    verifier,
    nonce,
    options,
    expiresAt: now + SIGN_IN_TTL_MS,
  });
  return { authUrl };
}

/** Finds a valid OAuth state and uses it up atomically. */
async function consumePendingSignIn(
  store: DocumentStore,
  state: string,
  now: number,
): Promise<PendingSignInDoc | undefined> {
  const signInsCollection = store.collection(pendingSignIns);
  const found = await signInsCollection.get(hashToken(state));
  const isClaimed = (await signInsCollection.remove({ _id: hashToken(state) })) === 1;
  return found && isClaimed && found.expiresAt > now ? found : undefined;
}

async function finishSignIn(ctx: Ctx, provider: Provider, { code, state }: { code: string; state: string }) {
  const pending = await consumePendingSignIn(ctx.store, state, ctx.clock.now());
  if (pending?.provider !== provider) throw new Failure("bad_input", "sign_in_attempt_expired");
  const issuerIdentity = await exchangeSignInCode(ctx.settings, provider, { code, state, ...pending });
  const identity = { ...issuerIdentity, name: issuerIdentity.name ?? pending.name ?? null };
  return signIn(ctx, await findOrCreateAccount(ctx, identity, { provider, options: pending.options }));
}

/**
 * Finds the account that is linked to the provider's subject. Otherwise links the account with the same email address,
 * or creates one; both sides must have verified the address.
 */
async function findOrCreateAccount(
  ctx: Ctx,
  identity: IssuerIdentity,
  { provider, options }: { provider: Provider; options: SignInOptions },
): Promise<UserDoc> {
  const id = `${provider}:${identity.subject}`;
  const knownIdentity = await findIdentity(ctx.store, id);
  const user = knownIdentity && (await findUser(ctx.store, knownIdentity.ownerId));
  if (user && !isDeletionDue(user, ctx.clock.now())) return user;
  const { email } = identity;
  if (email === null || !identity.isVerified) throw new Failure("address_unverified", "issuer_address_unverified");
  const existing = await findUserByEmail(ctx.store, email);
  // It is being erased; a sign-in would cancel the deletion of what is left.
  if (existing && isDeletionDue(existing, ctx.clock.now())) throw new Failure("already_exists", "no_account_made");
  const account = existing ?? (await createOAuthAccount(ctx, { ...identity, email }, { provider, options }));
  // An unconfirmed address may have been registered by someone else, so such an account is not linked.
  if (!account.emailVerified) throw new Failure("already_exists", "address_unconfirmed_here");
  await saveIdentity(ctx.store, { _id: id, ownerId: account._id, email, createdAt: ctx.clock.now() });
  if (existing) notifyProviderLinked(ctx, existing, providerName(provider));
  return account;
}

async function createOAuthAccount(
  ctx: Ctx,
  identity: IssuerIdentity & { email: string },
  { provider, options }: { provider: Provider; options: SignInOptions },
): Promise<UserDoc> {
  const { email } = identity;
  const created = await createAccount(ctx, {
    name: identity.name ?? email.split("@")[0] ?? email,
    email,
    passwordHash: null,
    authProvider: provider,
    emailVerified: true,
    timezone: options.timezone,
    referralCode: options.referralCode,
    inviteCode: options.inviteCode,
  });
  const user = created === "taken" ? await findUserByEmail(ctx.store, email) : created;
  if (!user) throw new Failure("already_exists", "no_account_made");
  return user;
}

export const oauthHandlers: Pick<
  Handlers<typeof auth>,
  "startGoogle" | "finishGoogle" | "startApple" | "finishApple"
> = {
  startGoogle: (ctx, options) => startSignIn(ctx, "GOOGLE_OAUTH_2", options),
  finishGoogle: (ctx, callback) => finishSignIn(ctx, "GOOGLE_OAUTH_2", callback),
  startApple: (ctx, options) => startSignIn(ctx, "APPLE", options),
  finishApple: (ctx, callback) => finishSignIn(ctx, "APPLE", callback),
};

const MAX_FORM_BYTES = 64 * 1024;

const MAX_NAME_LENGTH = 120;
const AppleUserField = z.object({
  name: z.object({ firstName: z.string().default(""), lastName: z.string().default("") }),
});

/** Reads the name from Apple's `user` field; undefined if it is missing or malformed. */
function parseAppleName(posted: string | null): string | undefined {
  try {
    const { name } = AppleUserField.parse(JSON.parse(posted ?? ""));
    return `${name.firstName} ${name.lastName}`.trim().slice(0, MAX_NAME_LENGTH) || undefined;
  } catch {
    return undefined;
  }
}

/** Apple posts its callback cross-site; redirect it to the screen that handles Google's callback. */
export const forwardAppleCallback =
  ({ store }: Pick<Ctx, "store">): Middleware =>
  async (koa, next) => {
    if (koa.method !== "POST" || koa.path !== APPLE_RETURN_PATH) return next();
    const text = await rawBody(koa.req, { limit: MAX_FORM_BYTES, encoding: "utf8" }).catch(() => {
      throw new Failure("bad_input", "request_unreadable");
    });
    const posted = new URLSearchParams(text);
    const callbackParams = new URLSearchParams();
    for (const name of ["code", "state", "error"])
      if (posted.has(name)) callbackParams.set(name, posted.get(name) ?? "");
    // Store the name with the pending sign-in instead of putting it in the URL.
    const name = parseAppleName(posted.get("user"));
    if (name !== undefined)
      await store.collection(pendingSignIns).patch({ _id: hashToken(posted.get("state") ?? "") }, { set: { name } });
    koa.status = 303;
    koa.redirect(`/oauth/google/callback?${callbackParams.toString()}`);
    return undefined;
  };
