import { RateLimiterMemory } from "rate-limiter-flexible";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { presentUser, type UserDoc } from "#api/http/authenticate.ts";
import type { Ctx, Handlers } from "#api/http/handler.ts";
import { tooManyRequests } from "#api/http/rate-limits.ts";
import type { Mail } from "#api/outside/mailer.ts";
import { getPublicUrl } from "#api/settings.ts";
import { DuplicateValueError } from "#api/store/port.ts";
import { isDeletionDue } from "./accounts.ts";
import { forgetFailures } from "./failed-sign-ins.ts";
import { endAccountSessions } from "#api/http/sessions/end-sessions.ts";
import { createLink, findLink, removeLinks, consumeLink } from "./mailed-links.ts";
import {
  composeProviderLinkedMail,
  readMailLanguage,
  composeAddressChangedMail,
  composeGuessedPasswordMail,
  composeLockoutMail,
  composePasswordChangedMail,
  composeResetMail,
  composeVerifyMail,
} from "./mails.ts";
import { hashPassword, requireUncommonPassword } from "./passwords.ts";
import { endOtherSessions, requireOwner } from "./sessions.ts";
import { changeUser, findUser, findUserByEmail } from "./store.ts";

/** The number of mails to an address per hour, for all kinds of requests together. */
const mailLimiter = new RateLimiterMemory({ points: 5, duration: 3600 });

const canMail = (email: string) =>
  mailLimiter.consume(email.toLowerCase()).then(
    () => true,
    () => false,
  );

/**
 * Composes and sends the mail after the response, because neither timing nor failure may reveal whether an address is
 * known. Sends nothing if `compose` returns undefined.
 */
function sendMailLater({ mailer, log, requestId }: Ctx, compose: () => Promise<Mail | undefined>): void {
  if (!mailer.isConfigured) return;
  const send = async () => {
    const mail = await compose();
    if (mail) await mailer.send(mail);
  };
  send().catch((error: unknown) => log.error({ requestId, err: error }, "a mail could not be sent"));
}

/** Puts the token in the URL fragment, which browsers do not send to servers. */
const buildLink = (ctx: Pick<Ctx, "settings">, screen: string, token: string) =>
  `${getPublicUrl(ctx.settings)}/${screen}#token=${token}`;

/** Creates a password-reset link for the operator to hand over. */
export async function createResetLink(ctx: Pick<Ctx, "store" | "clock" | "settings">, user: UserDoc): Promise<string> {
  const link = { ownerId: user._id, kind: "reset", email: null, now: ctx.clock.now() } as const;
  return buildLink(ctx, "reset_password", await createLink(ctx.store, link));
}

const recipientOf = async (ctx: Ctx, user: UserDoc, to = user.email) => ({
  to,
  language: await readMailLanguage(ctx, user._id),
});

async function composeAddressCheck(ctx: Ctx, user: UserDoc, email: string): Promise<Mail> {
  const token = await createLink(ctx.store, { ownerId: user._id, kind: "address", email, now: ctx.clock.now() });
  return composeVerifyMail(await recipientOf(ctx, user, email), buildLink(ctx, "verify_email", token));
}

/** Asks for confirmation that an address belongs to the account. */
export const sendAddressCheck = (ctx: Ctx, user: UserDoc, email = user.email): void =>
  sendMailLater(ctx, () => composeAddressCheck(ctx, user, email));

/** Notifies an account that a sign-in provider was linked to it. */
export const notifyProviderLinked = (ctx: Ctx, user: UserDoc, issuer: string): void =>
  sendMailLater(ctx, async () => composeProviderLinkedMail(await recipientOf(ctx, user), issuer));

/** Notifies an account that wrong passwords have locked it. */
export const notifyLockout = (ctx: Ctx, user: UserDoc): void =>
  sendMailLater(ctx, async () => composeLockoutMail(await recipientOf(ctx, user)));

/** Notifies an account of a sign-in after many wrong passwords. */
export const notifyGuessedPassword = (ctx: Ctx, user: UserDoc, failures: number): void =>
  sendMailLater(ctx, async () => composeGuessedPasswordMail(await recipientOf(ctx, user), failures));

/** Composes the mail with a link to set a new password; opening the link proves the address. */
async function composeResetLink(ctx: Ctx, user: UserDoc): Promise<Mail> {
  const link = { ownerId: user._id, kind: "reset", email: user.email, now: ctx.clock.now() } as const;
  const token = await createLink(ctx.store, link);
  return composeResetMail(await recipientOf(ctx, user), buildLink(ctx, "reset_password", token));
}

/** Sends an account a link to set a new password, or returns the link if no mail server is set up. */
export async function sendResetLink(ctx: Ctx, user: UserDoc): Promise<string | null> {
  if (!ctx.mailer.isConfigured) return createResetLink(ctx, user);
  await sendMail(ctx, await composeResetLink(ctx, user));
  return null;
}

/** Sends a mail and waits for it; only for callers who may know that sending failed. */
async function sendMail(ctx: Ctx, mail: Mail): Promise<void> {
  try {
    await ctx.mailer.send(mail);
  } catch (error) {
    ctx.log.error({ requestId: ctx.requestId, err: error }, "a mail could not be sent");
    throw new Failure("unreachable", "mail_not_sent");
  }
}

const linkExpiredFailure = () => new Failure("link_expired", "link_expired");

type RecoveryHandlers = Pick<
  Handlers<typeof auth>,
  "forgotPassword" | "resetPassword" | "sendVerification" | "verifyEmail" | "changePassword" | "changeEmail"
>;

export const recoveryHandlers: RecoveryHandlers = {
  async forgotPassword(ctx, { email }) {
    sendMailLater(ctx, async () => {
      const user = await findUserByEmail(ctx.store, email);
      if (!user || isDeletionDue(user, ctx.clock.now()) || !(await canMail(email))) return undefined;
      return composeResetLink(ctx, user);
    });
    return { accepted: true };
  },

  async resetPassword(ctx, { token, password }) {
    const { store, clock } = ctx;
    // Check the password before the link is used up, so that the link still works after a refused password.
    const foundLink = await findLink(store, token, { kind: "reset", now: clock.now() });
    requireUncommonPassword(password, foundLink && (await findUser(store, foundLink.ownerId)));
    const link = await consumeLink(store, token, { kind: "reset", now: clock.now() });
    const user = link && (await findUser(store, link.ownerId));
    if (!user || isDeletionDue(user, clock.now())) throw linkExpiredFailure();
    // Opening a mailed link proves ownership of the mailbox, unless the address has changed since.
    const isAddressProven = link.email !== null && link.email === user.email;
    await changeUser(store, user._id, {
      passwordHash: await hashPassword(password),
      ...(isAddressProven && { emailVerified: true }),
    });
    await removeLinks(store, user._id, "reset");
    // Wrong guesses at the old password must not refuse the new one.
    await forgetFailures(store, user.emailLower);
    await endAccountSessions(store, user._id);
    sendMailLater(ctx, async () => composePasswordChangedMail(await recipientOf(ctx, user)));
    return { success: true };
  },

  async sendVerification(ctx) {
    if (!ctx.mailer.isConfigured) throw new Failure("not_configured", "no_mail_server");
    const user = await findUser(ctx.store, ctx.caller.userId);
    if (!user) throw new Failure("signed_out", "sign_in");
    if (!(await canMail(user.email))) throw tooManyRequests(3_600_000);
    // Users know their own address, so a delivery failure may be reported.
    await sendMail(ctx, await composeAddressCheck(ctx, user, user.email));
    return { success: true };
  },

  async verifyEmail(ctx, { token }) {
    const { store, clock } = ctx;
    const link = await consumeLink(store, token, { kind: "address", now: clock.now() });
    const user = link && (await findUser(store, link.ownerId));
    if (!user || link.email === null) throw linkExpiredFailure();
    const { email } = link;
    try {
      await changeUser(store, user._id, { email, emailLower: email.toLowerCase(), emailVerified: true });
    } catch (error) {
      if (!(error instanceof DuplicateValueError)) throw error;
      throw new Failure("already_exists", "address_taken");
    }
    // Other confirmation links no longer prove anything, nor do reset links sent to the old address.
    await removeLinks(store, user._id, "address");
    if (email !== user.email) {
      await removeLinks(store, user._id, "reset");
      sendMailLater(ctx, async () => composeAddressChangedMail(await recipientOf(ctx, user)));
    }
    return { email };
  },

  async changePassword(ctx, { password, newPassword }) {
    const user = await requireOwner(ctx, password);
    requireUncommonPassword(newPassword, user);
    await changeUser(ctx.store, user._id, { passwordHash: await hashPassword(newPassword) });
    await removeLinks(ctx.store, user._id, "reset");
    await endOtherSessions(ctx);
    sendMailLater(ctx, async () => composePasswordChangedMail(await recipientOf(ctx, user)));
    return { success: true };
  },

  async changeEmail(ctx, { email, password }) {
    const user = await requireOwner(ctx, password);
    const unchanged = { changed: false, user: presentUser(ctx.settings, user) };
    if (ctx.mailer.isConfigured) {
      if (!(await canMail(email))) throw tooManyRequests(3_600_000);
      // An address that belongs to another account gets no mail and the same response.
      const owner = await findUserByEmail(ctx.store, email);
      if (!owner || owner._id === user._id) sendAddressCheck(ctx, user, email);
      return unchanged;
    }
    try {
      const set = { email, emailLower: email.toLowerCase(), emailVerified: false };
      const updated = await changeUser(ctx.store, user._id, set);
      return updated ? { changed: true, user: presentUser(ctx.settings, updated) } : unchanged;
    } catch (error) {
      if (!(error instanceof DuplicateValueError)) throw error;
      throw new Failure("already_exists", "address_refused");
    }
  },
};
