import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Handlers } from "#api/http/handler.ts";
import { tooMany } from "#api/http/limits.ts";
import { registrationOf } from "#api/settings.ts";
import { enterAccount, isGone, makeAccount } from "./accounts.ts";
import { inviteHandlers } from "./invites.ts";
import { offersApple, offersGoogle } from "./issuers.ts";
import { oauthHandlers } from "./oauth.ts";
import { checkNothing, hashPassword, isPassword, requireUncommonPassword } from "./passwords.ts";
import { askAddress, recoveryHandlers } from "./recovery.ts";
import { sessionHandlers } from "./sessions.ts";
import { findUserByEmail, removeExpiredTokens } from "./store.ts";

/** Failed sign-ins per email address: after ten, a 15-minute lockout. */
const failedSignIns = new RateLimiterMemory({ points: 10, duration: 900 });

export const handlers: Handlers<typeof auth> = {
  ...sessionHandlers,
  ...recoveryHandlers,
  ...oauthHandlers,
  ...inviteHandlers,

  async register(ctx, { password, timezone, referralCode, inviteCode, ...entered }) {
    requireUncommonPassword(password, entered);
    const user = await makeAccount(ctx, {
      ...entered,
      passwordHash: await hashPassword(password),
      authProvider: "EMAIL_PASSWORD",
      emailVerified: false,
      timezone,
      referralCode,
      inviteCode,
    });
    if (user === "taken") throw new Failure("already_exists", "no_account_made_sign_in");
    askAddress(ctx, user);
    return enterAccount(ctx, user);
  },

  async login(ctx, { email, password }) {
    const key = email.toLowerCase();
    const now = ctx.clock.now();
    await requireFewFailures(key);
    const user = await findUserByEmail(ctx.store, key);
    const isRight = user?.passwordHash ? await isPassword(password, user.passwordHash) : await checkNothing(password);
    if (!user || !isRight || isGone(user, now)) {
      await failedSignIns.penalty(key);
      throw new Failure("wrong_credentials", "wrong_credentials");
    }
    await failedSignIns.delete(key);
    await removeExpiredTokens(ctx.store, user._id, now);
    return enterAccount(ctx, user);
  },

  async getEntry({ settings, mailer }) {
    const registration = registrationOf(settings);
    return { registration, google: offersGoogle(settings), apple: offersApple(settings), mail: mailer.isSet };
  },
};

async function requireFewFailures(key: string): Promise<void> {
  const state = await failedSignIns.get(key);
  if (state instanceof RateLimiterRes && state.remainingPoints <= 0) throw tooMany(state.msBeforeNext);
}
