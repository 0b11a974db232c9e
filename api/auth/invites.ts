import { randomBytes } from "node:crypto";
import { type auth, type Invite, shortInviteCode } from "#shared/auth/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Ctx, Handlers, UserCtx } from "#api/http/handler.ts";
import { getPublicUrl, type Settings } from "#api/settings.ts";
import { formatPosition, parsePosition } from "#api/store/paging/newest-first.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";
import { type InviteDoc, listInvites, removeInvite, saveInvite } from "./invites-store.ts";
import { composeInviteMail, readMailLanguage } from "./mails.ts";

const INVITE_MS = 14 * 86_400_000;

export const newInviteCode = () => randomBytes(16).toString("base64url");

/** Creates an invitation for one account; also used by the operator's command line. */
export async function createInvite(
  { store, clock }: Pick<Ctx, "store" | "clock">,
  email?: string,
  code = newInviteCode(),
): Promise<InviteDoc> {
  const now = clock.now();
  const invite: InviteDoc = {
    _id: code,
    emailLower: email?.toLowerCase() ?? null,
    usedBy: null,
    createdAt: now,
    expiresAt: now + INVITE_MS,
  };
  await saveInvite(store, invite);
  return invite;
}

export const buildInviteLink = (settings: Settings, code: string) =>
  `${getPublicUrl(settings)}/register?invite=${encodeURIComponent(code)}`;

const presentInvite = (settings: Settings, { _id, emailLower, usedBy, createdAt, expiresAt }: InviteDoc): Invite => ({
  id: _id,
  link: buildInviteLink(settings, _id),
  email: emailLower,
  createdAt,
  expiresAt,
  isUsed: usedBy !== null,
});

/** Creates an invitation with this code, and mails it if an email address is given and the server can send mail. */
export async function sendInvite(ctx: UserCtx, email: string | undefined, code: string) {
  const { store, clock, settings, mailer, log, requestId } = ctx;
  const invite = presentInvite(settings, await createInvite({ store, clock }, email, code));
  let isMailed = false;
  if (email !== undefined && mailer.isConfigured) {
    // The invited person's language is unknown, so use that of the person who invites them.
    const language = await readMailLanguage(ctx, ctx.caller.userId);
    await mailer.send(composeInviteMail({ to: email, language }, invite.link)).then(
      () => (isMailed = true),
      (error: unknown) => log.warn({ requestId, err: error }, "an invitation could not be mailed"),
    );
  }
  return { invite, mailed: isMailed };
}

export const inviteHandlers: Pick<Handlers<typeof auth>, "listInvites" | "removeInvite"> = {
  async listInvites({ store, settings, clock }, { after, ...filter }) {
    const page = { after: after === undefined ? undefined : parsePosition(after), limit: PAGE_SIZE + 1 };
    const found = await listInvites(store, { ...filter, now: clock.now() }, page);
    // URLs are logged, so the position in them must not contain a whole code.
    const { items, next } = toPage(found, ({ _id, createdAt }) =>
      formatPosition({ _id: shortInviteCode(_id), createdAt }),
    );
    return { invites: items.map((invite) => presentInvite(settings, invite)), next };
  },

  async removeInvite({ store }, { id }) {
    if ((await removeInvite(store, id)) === 0) throw new Failure("not_found", "no_invitation");
    return { success: true };
  },
};
