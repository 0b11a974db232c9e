import { randomBytes } from "node:crypto";
import type { Middleware } from "koa";
import rawBody from "raw-body";
import { z } from "zod";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { hashToken, type UserDoc } from "#api/http/guard.ts";
import type { Ctx, Handlers } from "#api/http/handler.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";
import { enterAccount, isGone, makeAccount } from "./accounts.ts";
import { APPLE_RETURN_PATH, askIssuer, hearIssuer, nameOf, type Person, type Provider } from "./issuers.ts";
import { tellJoined } from "./recovery.ts";
import { findIdentity, findUser, findUserByEmail, saveIdentity } from "./store.ts";

const JOURNEY_MS = 10 * 60 * 1000;

interface Wishes {
  timezone?: string | undefined;
  referralCode?: string | undefined;
  inviteCode?: string | undefined;
}

/** An OAuth sign-in in progress, removed on first use. `_id` is the hash of its state. */
interface JourneyDoc extends Doc {
  provider: Provider;
  verifier: string;
  nonce: string;
  wishes: Wishes;
  /** Apple sends the name beside the callback, and only the first time. */
  name?: string;
  expiresAt: number;
}

const journeys: CollectionSpec<JourneyDoc> = {
  name: "sign_in_journeys",
  shardKey: "_id",
  indexes: [{ fields: ["expiresAt"] }],
};

async function setOut({ settings, store, clock }: Ctx, provider: Provider, wishes: Wishes) {
  // The callback screen reads the provider from the part before the dot.
  const state = `${provider === "APPLE" ? "apple" : "google"}.${randomBytes(24).toString("base64url")}`;
  const { authUrl, verifier, nonce } = await askIssuer(settings, provider, state);
  const now = clock.now();
  const all = store.collection(journeys);
  await all.remove({ expiresAt: { lt: now } });
  await all.insert({ _id: hashToken(state), provider, verifier, nonce, wishes, expiresAt: now + JOURNEY_MS });
  return { authUrl };
}

/** Finds a valid OAuth state and uses it up atomically. */
async function takeJourney(store: DocumentStore, state: string, now: number): Promise<JourneyDoc | undefined> {
  const all = store.collection(journeys);
  const found = await all.get(hashToken(state));
  const isMine = (await all.remove({ _id: hashToken(state) })) === 1;
  return found && isMine && found.expiresAt > now ? found : undefined;
}

async function comeBack(ctx: Ctx, provider: Provider, { code, state }: { code: string; state: string }) {
  const journey = await takeJourney(ctx.store, state, ctx.clock.now());
  if (journey?.provider !== provider) throw new Failure("bad_input", "sign_in_expired");
  const heard = await hearIssuer(ctx.settings, provider, { code, state, ...journey });
  const person = { ...heard, name: heard.name ?? journey.name ?? null };
  return enterAccount(ctx, await accountOf(ctx, person, { provider, wishes: journey.wishes }));
}

/** Finds the account by provider subject, else links or creates one by an address that both sides have verified. */
async function accountOf(
  ctx: Ctx,
  person: Person,
  { provider, wishes }: { provider: Provider; wishes: Wishes },
): Promise<UserDoc> {
  const id = `${provider}:${person.subject}`;
  const known = await findIdentity(ctx.store, id);
  const user = known && (await findUser(ctx.store, known.ownerId));
  if (user && !isGone(user, ctx.clock.now())) return user;
  const { email } = person;
  if (email === null || !person.isVerified) throw new Failure("address_unverified", "issuer_address_unverified");
  const here = await findUserByEmail(ctx.store, email);
  const joined = here ?? (await newcomer(ctx, { ...person, email }, { provider, wishes }));
  // Whoever typed this address here first may not be its owner: only a confirmed one is joined.
  if (!joined.emailVerified) throw new Failure("already_exists", "address_unconfirmed_here");
  await saveIdentity(ctx.store, { _id: id, ownerId: joined._id, email, createdAt: ctx.clock.now() });
  if (here) tellJoined(ctx, here, nameOf(provider));
  return joined;
}

async function newcomer(
  ctx: Ctx,
  person: Person & { email: string },
  { provider, wishes }: { provider: Provider; wishes: Wishes },
): Promise<UserDoc> {
  const { email } = person;
  const made = await makeAccount(ctx, {
    name: person.name ?? email.split("@")[0] ?? email,
    email,
    passwordHash: null,
    authProvider: provider,
    emailVerified: true,
    timezone: wishes.timezone,
    referralCode: wishes.referralCode,
    inviteCode: wishes.inviteCode,
  });
  const user = made === "taken" ? await findUserByEmail(ctx.store, email) : made;
  if (!user) throw new Failure("already_exists", "no_account_made");
  return user;
}

export const oauthHandlers: Pick<
  Handlers<typeof auth>,
  "startGoogle" | "finishGoogle" | "startApple" | "finishApple"
> = {
  startGoogle: (ctx, wishes) => setOut(ctx, "GOOGLE_OAUTH_2", wishes),
  finishGoogle: (ctx, came) => comeBack(ctx, "GOOGLE_OAUTH_2", came),
  startApple: (ctx, wishes) => setOut(ctx, "APPLE", wishes),
  finishApple: (ctx, came) => comeBack(ctx, "APPLE", came),
};

const FORM_BYTES = 64 * 1024;

const NAME_LENGTH = 120;
const Told = z.object({
  name: z.object({ firstName: z.string().default(""), lastName: z.string().default("") }),
});

/** Reads the name from Apple's `user` field; undefined if it is missing or malformed. */
function nameIn(sent: string | null): string | undefined {
  try {
    const { name } = Told.parse(JSON.parse(sent ?? ""));
    return `${name.firstName} ${name.lastName}`.trim().slice(0, NAME_LENGTH) || undefined;
  } catch {
    return undefined;
  }
}

/** Apple posts its callback cross-site; redirect it to the screen that handles Google's callback. */
export const appleReturn =
  ({ store }: Pick<Ctx, "store">): Middleware =>
  async (koa, next) => {
    if (koa.method !== "POST" || koa.path !== APPLE_RETURN_PATH) return next();
    const text = await rawBody(koa.req, { limit: FORM_BYTES, encoding: "utf8" }).catch(() => {
      throw new Failure("bad_input", "request_unreadable");
    });
    const sent = new URLSearchParams(text);
    const onward = new URLSearchParams();
    for (const name of ["code", "state", "error"]) if (sent.has(name)) onward.set(name, sent.get(name) ?? "");
    // Store the name with the pending sign-in instead of putting it in the URL.
    const name = nameIn(sent.get("user"));
    if (name !== undefined)
      await store.collection(journeys).patch({ _id: hashToken(sent.get("state") ?? "") }, { set: { name } });
    koa.status = 303;
    koa.redirect(`/oauth/google/callback?${onward.toString()}`);
    return undefined;
  };
