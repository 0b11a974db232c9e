import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Handlers } from "#api/http/handler.ts";
import { removeExpired } from "#api/http/sessions/session-store.ts";
import { getRegistrationMode } from "#api/settings.ts";
import { signIn, isDeletionDue, createAccount } from "./accounts.ts";
import { countSignIn, forgetFailures, MAX_FAILURES } from "./failed-sign-ins.ts";
import { inviteHandlers } from "./invites.ts";
import { offersApple, offersGoogle } from "./sign-in-issuers.ts";
import { oauthHandlers } from "./oauth.ts";
import { checkDummyPassword, hashPassword, isPassword, requireUncommonPassword } from "./passwords.ts";
import { notifyGuessedPassword, notifyLockout, sendAddressCheck, recoveryHandlers } from "./recovery.ts";
import { sessionHandlers } from "./sessions.ts";
import { findUserByEmail } from "./store.ts";

/** A sign-in after this many wrong passwords or more is reported to the owner. */
const SUSPICIOUS_FAILURES = 5;

export const handlers: Omit<Handlers<typeof auth>, "createInvite"> = {
  ...sessionHandlers,
  ...recoveryHandlers,
  ...oauthHandlers,
  ...inviteHandlers,

  async register(ctx, { password, timezone, referralCode, inviteCode, ...entered }) {
    requireUncommonPassword(password, entered);
    const user = await createAccount(ctx, {
      ...entered,
      passwordHash: await hashPassword(password),
      authProvider: "EMAIL_PASSWORD",
      emailVerified: false,
      timezone,
      referralCode,
      inviteCode,
    });
    if (user === "taken") throw new Failure("already_exists", "no_account_made_sign_in");
    sendAddressCheck(ctx, user);
    return signIn(ctx, user);
  },

  async login(ctx, { email, password }) {
    const key = email.toLowerCase();
    const now = ctx.clock.now();
    const attempts = await countSignIn(ctx.store, key, now);
    const user = await findUserByEmail(ctx.store, key);
    const isPasswordCorrect = user?.passwordHash
      ? await isPassword(password, user.passwordHash)
      : await checkDummyPassword(password);
    if (!user || !isPasswordCorrect || isDeletionDue(user, now)) {
      if (user && attempts === MAX_FAILURES) notifyLockout(ctx, user);
      throw new Failure("wrong_credentials", "wrong_credentials");
    }
    if (attempts > SUSPICIOUS_FAILURES) notifyGuessedPassword(ctx, user, attempts - 1);
    await forgetFailures(ctx.store, key);
    await removeExpired(ctx.store, user._id, now);
    return signIn(ctx, user);
  },

  async getEntry({ settings, mailer }) {
    const registration = getRegistrationMode(settings);
    return { registration, google: offersGoogle(settings), apple: offersApple(settings), mail: mailer.isConfigured };
  },
};
