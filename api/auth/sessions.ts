import { ulid } from "ulid";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { presentUser, type UserDoc } from "#api/http/authenticate.ts";
import type { Ctx, Handlers, UserCtx } from "#api/http/handler.ts";
import {
  createToken,
  findActiveSession,
  listSessions,
  replaceToken,
  saveLastSeen,
  saveSession,
  saveTempToken,
  type SessionDoc,
} from "#api/http/sessions/session-store.ts";
import { countRevocation, endSession } from "#api/http/sessions/end-sessions.ts";
import { isPassword } from "./passwords.ts";
import { findUser } from "./store.ts";

const DAY_MS = 86_400_000;
/** Same lifetime as the cookie that stores the token. */
const SESSION_MS = 2 * 365 * DAY_MS;
const TEMP_TOKEN_MS = DAY_MS;
/** How long a replaced token serves reads, for requests that are in flight. */
const REPLACED_TOKEN_MS = 60_000;
/** How recent a sign-in must be for an account without a password to do what otherwise needs one. */
const RECENT_SIGN_IN_MS = 10 * 60 * 1000;
const MAX_DEVICE_LENGTH = 200;

/** Issues a session token after a successful sign-in. The account is passed as it was when its password was checked. */
export async function startSession(ctx: Ctx, { _id: userId, passwordHash }: UserDoc): Promise<string> {
  const now = ctx.clock.now();
  const id = ulid(now);
  const token = createToken();
  const session = {
    _id: id,
    userId,
    kind: "browser",
    signedInAt: now,
    device: (ctx.header("user-agent") ?? "").slice(0, MAX_DEVICE_LENGTH),
    createdAt: now,
    expiresAt: now + SESSION_MS,
  } as const;
  await saveSession(ctx.store, session, token);
  // If the password was changed during the check, that change ended all sessions before this one was stored.
  if ((await findUser(ctx.store, userId))?.passwordHash === passwordHash) return token;
  await endSession(ctx.store, userId, id);
  throw new Failure("wrong_credentials", "wrong_credentials");
}

/** Rejects temp tokens, because they last a day and must not turn into a session. */
export async function requireSession({ caller, store, clock }: UserCtx): Promise<SessionDoc> {
  const isSession = caller.tokenKind === "session";
  const session = isSession ? await findActiveSession(store, caller.sessionId, clock.now()) : undefined;
  if (!session) throw new Failure("signed_out", "sign_in");
  return session;
}

/** Changing how an account signs in needs the password, or a recent sign-in if there is no password. */
export async function requireOwner(ctx: UserCtx, password: string | undefined): Promise<UserDoc> {
  const session = await requireSession(ctx);
  const user = await findUser(ctx.store, ctx.caller.userId);
  if (!user) throw new Failure("signed_out", "sign_in");
  if (user.passwordHash === null) {
    if (ctx.clock.now() - (session.signedInAt ?? 0) > RECENT_SIGN_IN_MS)
      throw new Failure("sign_in_again", "confirm_it_is_you");
    return user;
  }
  if (!(await isPassword(password ?? "", user.passwordHash))) throw new Failure("wrong_password", "wrong_password");
  return user;
}

/** Ends every session of the caller except the current one; returns how many were active. */
export async function endOtherSessions(ctx: UserCtx): Promise<number> {
  const current = await requireSession(ctx);
  const all = await listSessions(ctx.store, ctx.caller.userId);
  const otherSessions = all.filter((session) => session._id !== current._id);
  // Counts a revocation even if there is no other session, because it also ends approvals that have issued no token
  // yet.
  await countRevocation(ctx.store, ctx.caller.userId);
  for (const session of otherSessions) await endSession(ctx.store, session.userId, session._id);
  return otherSessions.filter(({ expiresAt }) => expiresAt > ctx.clock.now()).length;
}

type SessionHandlers = Pick<
  Handlers<typeof auth>,
  "logout" | "refresh" | "getUser" | "listSessions" | "removeSession" | "removeOtherSessions"
>;

export const sessionHandlers: SessionHandlers = {
  async logout(ctx) {
    const session = await requireSession(ctx);
    await endSession(ctx.store, session.userId, session._id);
    return { success: true };
  },

  async refresh(ctx) {
    const session = await requireSession(ctx);
    const now = ctx.clock.now();
    const token = await replaceToken(ctx.store, session, {
      tokenId: ctx.caller.tokenId,
      now,
      expiresAt: now + SESSION_MS,
      until: now + REPLACED_TOKEN_MS,
    });
    // Another refresh of the same token came first.
    if (token === undefined) throw new Failure("token_replaced", "token_replaced");
    return { token };
  },

  async getUser(ctx) {
    const { _id: session, userId } = await requireSession(ctx);
    const user = await findUser(ctx.store, userId);
    if (!user) throw new Failure("signed_out", "sign_in");
    const now = ctx.clock.now();
    await saveLastSeen(ctx.store, session, now);
    const { readOnlyUntil } = ctx.caller;
    const rights =
      readOnlyUntil === null ? { expiresAt: now + TEMP_TOKEN_MS } : { expiresAt: readOnlyUntil, isReadOnly: true };
    const tempToken = await saveTempToken(ctx.store, { userId, session, createdAt: now, ...rights });
    return { user: presentUser(ctx.settings, user), organization: null, tempToken };
  },

  async listSessions(ctx) {
    const current = await requireSession(ctx);
    const now = ctx.clock.now();
    const active = (await listSessions(ctx.store, ctx.caller.userId)).filter(({ expiresAt }) => expiresAt > now);
    return {
      sessions: active.map((session) => ({
        id: session._id,
        device: session.device,
        signedInAt: session.signedInAt ?? session.createdAt,
        lastSeenAt: session.lastSeenAt,
        isCurrent: session._id === current._id,
      })),
    };
  },

  async removeSession(ctx, { id }) {
    await requireSession(ctx);
    const session = (await listSessions(ctx.store, ctx.caller.userId)).find(({ _id }) => _id === id);
    if (!session) throw new Failure("not_found", "no_session");
    await endSession(ctx.store, session.userId, id);
    return { success: true };
  },

  async removeOtherSessions(ctx) {
    return { removed: await endOtherSessions(ctx) };
  },
};
