import { mails as german } from "#shared/messages/de/account/mails.ts";
import { mails as english } from "#shared/messages/en/account/mails.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Ctx } from "#api/http/handler.ts";
import type { Mail } from "#api/outside/mailer.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { readLanguage } from "#api/user/service.ts";

type MailTexts = Readonly<Record<keyof typeof english, string>>;
const mailTexts: Readonly<Record<Language, MailTexts>> = { en: english, de: german };

interface Recipient {
  to: string;
  language: Language;
}

/** The language for mails to an account. */
export async function readMailLanguage({ store, language }: Pick<Ctx, "store" | "language">, userId: string) {
  return readLanguage({ own: ownedBy(store, userId), language });
}

interface MailParams {
  link?: string;
  /** Name of the sign-in provider, or number of wrong passwords. */
  name?: string;
}

function composeMail(
  { to, language }: Recipient,
  kind:
    | "reset"
    | "verify"
    | "email_changed"
    | "password"
    | "provider_linked"
    | "invite"
    | "lockout"
    | "sign_in_after_failures",
  { link, name = "" }: MailParams = {},
): Mail {
  const texts = mailTexts[language];
  const lines = [texts[kind], ...(link === undefined ? [] : [link]), texts[`${kind}_not_you`]];
  const text = interpolate(lines.join("\n\n"), { name });
  return { to, subject: texts[`${kind}_subject`], text: `${text}\n\nLamplight\n` };
}

export const composeResetMail = (recipient: Recipient, link: string) => composeMail(recipient, "reset", { link });
export const composeVerifyMail = (recipient: Recipient, link: string) => composeMail(recipient, "verify", { link });
export const composeAddressChangedMail = (recipient: Recipient) => composeMail(recipient, "email_changed");
export const composePasswordChangedMail = (recipient: Recipient) => composeMail(recipient, "password");
export const composeProviderLinkedMail = (recipient: Recipient, name: string) =>
  composeMail(recipient, "provider_linked", { name });
export const composeLockoutMail = (recipient: Recipient) => composeMail(recipient, "lockout");
export const composeGuessedPasswordMail = (recipient: Recipient, failures: number) =>
  composeMail(recipient, "sign_in_after_failures", { name: String(failures) });
export const composeInviteMail = (recipient: Recipient, link: string) => composeMail(recipient, "invite", { link });
