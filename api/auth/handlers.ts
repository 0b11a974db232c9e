import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ulid } from "ulid";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { presentUser, type UserDoc } from "#api/kit/guard.ts";
import type { Ctx, Handlers, UserCtx } from "#api/kit/handler.ts";
import { tooMany } from "#api/kit/limits.ts";
import { defaultPlanOf, isLoopbackHost, registrationOf } from "#api/kit/settings.ts";
import { checkNothing, hashPassword, isPassword, requireUncommonPassword } from "./passwords.ts";
import {
  claimFirstAccount,
  findUser,
  findUserByEmail,
  removeExpiredTokens,
  removeToken,
  saveAdmin,
  saveToken,
  saveUser,
  shortenToken,
} from "./store.ts";

const DAY_MS = 86_400_000;
/** As long as the cookie that keeps it. */
const SESSION_MS = 2 * 365 * DAY_MS;
const TEMP_MS = DAY_MS;
/** So long an old token still serves calls that were under way when it was replaced. */
const REPLACED_MS = 60_000;

/** Failed sign-ins by address of the account: after ten, a quarter of an hour of rest. */
const failedSignIns = new RateLimiterMemory({ points: 10, duration: 900 });

const CLOSED = {
  closed: "This Lamplight takes no new accounts. Ask the person who runs it.",
  // Said as it is: with this setting nobody gets in yet.
  invite:
    "This Lamplight is set to take invited people alone, and cannot send invitations yet. Ask the person who runs it.",
} as const;

export const handlers: Handlers<typeof auth> = {
  async register(ctx, { name, email, password, timezone, referralCode }) {
    const registration = registrationOf(ctx.settings);
    if (registration !== "open") throw new Failure("registration_closed", CLOSED[registration]);
    requireUncommonPassword(password);
    const user: UserDoc = {
      ...blankUser(ctx),
      name,
      email,
      emailLower: email.toLowerCase(),
      passwordHash: await hashPassword(password),
      timezone: validTimezone(timezone),
      referralCode: referralCode ?? null,
    };
    if ((await saveUser(ctx.store, user)) === "duplicate")
      throw new Failure(
        "already_exists",
        "No account could be made with this address. If it is yours, sign in instead.",
      );
    // On one's own machine there is nobody else to make the first account an administrator's.
    if (isLoopbackHost(ctx.settings.HOST) && (await claimFirstAccount(ctx.store, user._id))) {
      user.isAdmin = true;
      await saveAdmin(ctx.store, user._id);
    }
    return { user: presentUser(user), token: await startSession(ctx, user._id) };
  },

  async login(ctx, { email, password }) {
    const key = email.toLowerCase();
    await requireFewFailures(key);
    const user = await findUserByEmail(ctx.store, key);
    const isRight = user?.passwordHash ? await isPassword(password, user.passwordHash) : await checkNothing(password);
    if (!user || !isRight) {
      await failedSignIns.penalty(key);
      throw new Failure("wrong_credentials", "The address or the password is not right.");
    }
    await failedSignIns.delete(key);
    await removeExpiredTokens(ctx.store, user._id, ctx.clock.now());
    return { user: presentUser(user), token: await startSession(ctx, user._id) };
  },

  async logout(ctx) {
    requireSession(ctx);
    await removeToken(ctx.store, ctx.caller.tokenId);
    return { success: true };
  },

  async refresh(ctx) {
    requireSession(ctx);
    const token = await startSession(ctx, ctx.caller.userId);
    await shortenToken(ctx.store, ctx.caller.tokenId, ctx.clock.now() + REPLACED_MS);
    return { token };
  },

  async getUser(ctx) {
    requireSession(ctx);
    const user = await findUser(ctx.store, ctx.caller.userId);
    if (!user) throw new Failure("signed_out", "Please sign in.");
    const now = ctx.clock.now();
    const parent = ctx.caller.tokenId;
    const fields = { userId: user._id, kind: "temp", parent, createdAt: now, expiresAt: now + TEMP_MS } as const;
    return { user: presentUser(user), organization: null, tempToken: await saveToken(ctx.store, fields) };
  },
};

function blankUser({ clock, settings }: Ctx): UserDoc {
  return {
    _id: ulid(),
    name: "",
    email: "",
    emailLower: "",
    passwordHash: null,
    timezone: "UTC",
    profilePictureUrl: null,
    seenFeatures: [],
    onboardingComplete: false,
    plan: { type: defaultPlanOf(settings), endAt: null, paused: false, pausedUntil: null },
    authProvider: "EMAIL_PASSWORD",
    isAdmin: false,
    referralCode: null,
    createdAt: clock.now(),
  };
}

function startSession({ store, clock }: Ctx, userId: string): Promise<string> {
  const now = clock.now();
  return saveToken(store, { userId, kind: "session", parent: null, createdAt: now, expiresAt: now + SESSION_MS });
}

/** A temp token serves for a day and no longer: it must not turn itself into a session. */
function requireSession({ caller }: UserCtx): void {
  if (caller.tokenKind !== "session") throw new Failure("signed_out", "Please sign in.");
}

async function requireFewFailures(key: string): Promise<void> {
  const state = await failedSignIns.get(key);
  if (state instanceof RateLimiterRes && state.remainingPoints <= 0) throw tooMany(state.msBeforeNext);
}

/** An unknown zone is no reason to refuse an account: the student can set it later. */
function validTimezone(timezone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone ?? "UTC" }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
