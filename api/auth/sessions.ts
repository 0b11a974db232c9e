import { ulid } from "ulid";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { presentUser, type TokenDoc, type UserDoc } from "#api/http/authenticate.ts";
import type { Ctx, Handlers, UserCtx } from "#api/http/handler.ts";
import { isPassword } from "./passwords.ts";
import {
  findToken,
  findUser,
  listSessionTokens,
  saveLastSeen,
  removeToken,
  saveToken,
  expireTokenBy,
} from "./store.ts";

const DAY_MS = 86_400_000;
/** Same lifetime as the cookie that stores the token. */
const SESSION_MS = 2 * 365 * DAY_MS;
const TEMP_TOKEN_MS = DAY_MS;
/** How long a replaced token stays valid for requests already in flight. */
const REPLACED_TOKEN_MS = 60_000;
/** How recent a sign-in must be for an account without a password to do what otherwise needs one. */
const RECENT_SIGN_IN_MS = 10 * 60 * 1000;
const MAX_DEVICE_LENGTH = 200;

/** Issues a session token after a successful sign-in. */
export function startSession(ctx: Ctx, userId: string): Promise<string> {
  const now = ctx.clock.now();
  return saveToken(ctx.store, {
    userId,
    kind: "session",
    parent: null,
    sessionId: ulid(now),
    signedInAt: now,
    lastSeenAt: now,
    device: (ctx.header("user-agent") ?? "").slice(0, MAX_DEVICE_LENGTH),
    createdAt: now,
    expiresAt: now + SESSION_MS,
  });
}

/** Rejects temp tokens: they last a day and must not turn into a session. */
export async function requireSession({ caller, store }: UserCtx): Promise<TokenDoc> {
  const token = caller.tokenKind === "session" ? await findToken(store, caller.tokenId) : undefined;
  if (!token) throw new Failure("signed_out", "sign_in");
  return token;
}

/** Changing how an account signs in needs the password, or a recent sign-in if there is no password. */
export async function requireOwner(ctx: UserCtx, password: string | undefined): Promise<UserDoc> {
  const token = await requireSession(ctx);
  const user = await findUser(ctx.store, ctx.caller.userId);
  if (!user) throw new Failure("signed_out", "sign_in");
  if (user.passwordHash === null) {
    if (ctx.clock.now() - (token.signedInAt ?? 0) > RECENT_SIGN_IN_MS)
      throw new Failure("sign_in_again", "confirm_it_is_you");
    return user;
  }
  if (!(await isPassword(password ?? "", user.passwordHash))) throw new Failure("wrong_password", "wrong_password");
  return user;
}

/** Ends every session of the caller except the current one; returns how many were active. */
export async function endOtherSessions(ctx: UserCtx): Promise<number> {
  const current = await requireSession(ctx);
  const all = await listSessionTokens(ctx.store, ctx.caller.userId);
  const others = all.filter((token) => token._id !== current._id);
  for (const token of others) await removeToken(ctx.store, token._id);
  const now = ctx.clock.now();
  return new Set(others.filter((token) => token.expiresAt > now).map(sessionIdOf)).size;
}

/** Tokens from before sessions had ids are identified by their hash. */
const sessionIdOf = (token: TokenDoc) => token.sessionId ?? token._id;

type SessionHandlers = Pick<
  Handlers<typeof auth>,
  "logout" | "refresh" | "getUser" | "listSessions" | "removeSession" | "removeOtherSessions"
>;

export const sessionHandlers: SessionHandlers = {
  async logout(ctx) {
    await requireSession(ctx);
    await removeToken(ctx.store, ctx.caller.tokenId);
    return { success: true };
  },

  async refresh(ctx) {
    const { _id, ...old } = await requireSession(ctx);
    const now = ctx.clock.now();
    const token = await saveToken(ctx.store, {
      ...old,
      sessionId: old.sessionId ?? _id,
      lastSeenAt: now,
      createdAt: now,
      expiresAt: now + SESSION_MS,
    });
    await expireTokenBy(ctx.store, _id, now + REPLACED_TOKEN_MS);
    return { token };
  },

  async getUser(ctx) {
    const { _id: parent } = await requireSession(ctx);
    const user = await findUser(ctx.store, ctx.caller.userId);
    if (!user) throw new Failure("signed_out", "sign_in");
    const now = ctx.clock.now();
    await saveLastSeen(ctx.store, parent, now);
    const fields = { userId: user._id, kind: "temp", parent, createdAt: now, expiresAt: now + TEMP_TOKEN_MS } as const;
    const tempToken = await saveToken(ctx.store, fields);
    return { user: presentUser(ctx.settings, user), organization: null, tempToken };
  },

  async listSessions(ctx) {
    const current = await requireSession(ctx);
    const now = ctx.clock.now();
    const active = (await listSessionTokens(ctx.store, ctx.caller.userId)).filter(({ expiresAt }) => expiresAt > now);
    // A replaced token stays valid for a minute: list its session only once.
    const tokenBySession = new Map(active.toReversed().map((token) => [sessionIdOf(token), token]));
    return {
      sessions: [...tokenBySession.values()].toReversed().map((token) => ({
        id: sessionIdOf(token),
        device: token.device ?? "",
        signedInAt: token.signedInAt ?? token.createdAt,
        lastSeenAt: token.lastSeenAt ?? token.createdAt,
        isCurrent: sessionIdOf(token) === sessionIdOf(current),
      })),
    };
  },

  async removeSession(ctx, { id }) {
    await requireSession(ctx);
    const matching = (await listSessionTokens(ctx.store, ctx.caller.userId)).filter(
      (token) => sessionIdOf(token) === id,
    );
    if (matching.length === 0) throw new Failure("not_found", "no_session");
    for (const token of matching) await removeToken(ctx.store, token._id);
    return { success: true };
  },

  async removeOtherSessions(ctx) {
    return { removed: await endOtherSessions(ctx) };
  },
};
