import { RateLimiterMemory } from "rate-limiter-flexible";
import type { auth } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { presentUser, type UserDoc } from "#api/http/guard.ts";
import type { Ctx, Handlers } from "#api/http/handler.ts";
import { tooMany } from "#api/http/limits.ts";
import type { Mail } from "#api/outside/mailer.ts";
import { publicUrlOf } from "#api/settings.ts";
import { DuplicateValue } from "#api/store/port.ts";
import { isGone } from "./accounts.ts";
import { makeLink, readLink, removeLinks, takeLink } from "./links.ts";
import { joinedMail, languageOf, movedMail, passwordChangedMail, resetMail, verifyMail } from "./mails.ts";
import { hashPassword, requireUncommonPassword } from "./passwords.ts";
import { endOtherSessions, requireOwner } from "./sessions.ts";
import { changeUser, findUser, findUserByEmail, removeAllTokens } from "./store.ts";

/** Mails per address and hour, whoever requests them. */
const mailsTo = new RateLimiterMemory({ points: 5, duration: 3600 });

const mayMail = (email: string) =>
  mailsTo.consume(email.toLowerCase()).then(
    () => true,
    () => false,
  );

/**
 * Composes and sends the mail after the response: neither timing nor failure may reveal whether an address is known.
 * Sends nothing if `write` returns undefined.
 */
function mailLater({ mailer, log, requestId }: Ctx, write: () => Promise<Mail | undefined>): void {
  if (!mailer.isSet) return;
  const send = async () => {
    const mail = await write();
    if (mail) await mailer.send(mail);
  };
  send().catch((error: unknown) => log.error({ requestId, err: error }, "a mail could not be sent"));
}

/** Puts the token in the URL fragment, which browsers do not send to servers. */
const linkTo = (ctx: Pick<Ctx, "settings">, screen: string, token: string) =>
  `${publicUrlOf(ctx.settings)}/${screen}#token=${token}`;

/** Creates a password-reset link for the operator to hand over. */
export async function makeResetLink(ctx: Pick<Ctx, "store" | "clock" | "settings">, user: UserDoc): Promise<string> {
  const link = { ownerId: user._id, kind: "reset", email: null, now: ctx.clock.now() } as const;
  return linkTo(ctx, "reset_password", await makeLink(ctx.store, link));
}

const readerOf = async (ctx: Ctx, user: UserDoc, to = user.email) => ({
  to,
  language: await languageOf(ctx, user._id),
});

async function writeQuestion(ctx: Ctx, user: UserDoc, email: string): Promise<Mail> {
  const token = await makeLink(ctx.store, { ownerId: user._id, kind: "address", email, now: ctx.clock.now() });
  return verifyMail(await readerOf(ctx, user, email), linkTo(ctx, "verify_email", token));
}

/** Asks for confirmation that an address belongs to the account. */
export const askAddress = (ctx: Ctx, user: UserDoc, email = user.email): void =>
  mailLater(ctx, () => writeQuestion(ctx, user, email));

/** Notifies an account that a sign-in provider was linked to it. */
export const tellJoined = (ctx: Ctx, user: UserDoc, issuer: string): void =>
  mailLater(ctx, async () => joinedMail(await readerOf(ctx, user), issuer));

const linkExpired = () => new Failure("link_expired", "link_expired");

type RecoveryHandlers = Pick<
  Handlers<typeof auth>,
  "forgotPassword" | "resetPassword" | "sendVerification" | "verifyEmail" | "changePassword" | "changeEmail"
>;

export const recoveryHandlers: RecoveryHandlers = {
  async forgotPassword(ctx, { email }) {
    mailLater(ctx, async () => {
      const user = await findUserByEmail(ctx.store, email);
      const now = ctx.clock.now();
      if (!user || isGone(user, now) || !(await mayMail(email))) return undefined;
      const token = await makeLink(ctx.store, { ownerId: user._id, kind: "reset", email: user.email, now });
      return resetMail(await readerOf(ctx, user), linkTo(ctx, "reset_password", token));
    });
    return { accepted: true };
  },

  async resetPassword(ctx, { token, password }) {
    const { store, clock } = ctx;
    // Check the password before the link is used up, so that a refused one leaves another try.
    const ofLink = await readLink(store, token, { kind: "reset", now: clock.now() });
    requireUncommonPassword(password, ofLink && (await findUser(store, ofLink.ownerId)));
    const link = await takeLink(store, token, { kind: "reset", now: clock.now() });
    const user = link && (await findUser(store, link.ownerId));
    if (!user || isGone(user, clock.now())) throw linkExpired();
    // Opening a mailed link proves ownership of the mailbox, unless the address has changed since.
    const isProved = link.email !== null && link.email === user.email;
    await changeUser(store, user._id, {
      passwordHash: await hashPassword(password),
      ...(isProved && { emailVerified: true }),
    });
    await removeLinks(store, user._id, "reset");
    await removeAllTokens(store, user._id);
    mailLater(ctx, async () => passwordChangedMail(await readerOf(ctx, user)));
    return { success: true };
  },

  async sendVerification(ctx) {
    if (!ctx.mailer.isSet) throw new Failure("not_configured", "no_mail_server");
    const user = await findUser(ctx.store, ctx.caller.userId);
    if (!user) throw new Failure("signed_out", "sign_in");
    if (!(await mayMail(user.email))) throw tooMany(3_600_000);
    // Users know their own address, so a delivery failure may be reported.
    try {
      await ctx.mailer.send(await writeQuestion(ctx, user, user.email));
    } catch (error) {
      ctx.log.error({ requestId: ctx.requestId, err: error }, "a mail could not be sent");
      throw new Failure("unreachable", "mail_not_sent");
    }
    return { success: true };
  },

  async verifyEmail(ctx, { token }) {
    const { store, clock } = ctx;
    const link = await takeLink(store, token, { kind: "address", now: clock.now() });
    const user = link && (await findUser(store, link.ownerId));
    if (!user || link.email === null) throw linkExpired();
    const { email } = link;
    try {
      await changeUser(store, user._id, { email, emailLower: email.toLowerCase(), emailVerified: true });
    } catch (error) {
      if (!(error instanceof DuplicateValue)) throw error;
      throw new Failure("already_exists", "address_taken");
    }
    // Other confirmation links no longer prove anything, nor do reset links sent to the old address.
    await removeLinks(store, user._id, "address");
    if (email !== user.email) {
      await removeLinks(store, user._id, "reset");
      mailLater(ctx, async () => movedMail(await readerOf(ctx, user)));
    }
    return { email };
  },

  async changePassword(ctx, { password, newPassword }) {
    const user = await requireOwner(ctx, password);
    requireUncommonPassword(newPassword, user);
    await changeUser(ctx.store, user._id, { passwordHash: await hashPassword(newPassword) });
    await removeLinks(ctx.store, user._id, "reset");
    await endOtherSessions(ctx);
    mailLater(ctx, async () => passwordChangedMail(await readerOf(ctx, user)));
    return { success: true };
  },

  async changeEmail(ctx, { email, password }) {
    const user = await requireOwner(ctx, password);
    const unchanged = { changed: false, user: presentUser(ctx.settings, user) };
    if (ctx.mailer.isSet) {
      if (!(await mayMail(email))) throw tooMany(3_600_000);
      // An address that belongs to another account gets no mail and the same response.
      const other = await findUserByEmail(ctx.store, email);
      if (!other || other._id === user._id) askAddress(ctx, user, email);
      return unchanged;
    }
    try {
      const set = { email, emailLower: email.toLowerCase(), emailVerified: false };
      const moved = await changeUser(ctx.store, user._id, set);
      return moved ? { changed: true, user: presentUser(ctx.settings, moved) } : unchanged;
    } catch (error) {
      if (!(error instanceof DuplicateValue)) throw error;
      throw new Failure("already_exists", "address_refused");
    }
  },
};
