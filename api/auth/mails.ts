import { mails as german } from "#shared/messages/de/account/mails.ts";
import { mails as english } from "#shared/messages/en/account/mails.ts";
import { fill } from "#shared/messages/fill.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Ctx } from "#api/http/handler.ts";
import type { Mail } from "#api/outside/mailer.ts";
import { ownedBy } from "#api/store/owned.ts";
import { preferencesOf } from "#api/user/service.ts";

type Words = Readonly<Record<keyof typeof english, string>>;
const words: Readonly<Record<Language, Words>> = { en: english, de: german };

interface Reader {
  to: string;
  language: Language;
}

/** The language for mails to an account: the student's setting, else that of the requesting browser. */
export async function languageOf({ store, language }: Pick<Ctx, "store" | "language">, userId: string) {
  const { appearance } = await preferencesOf(ownedBy(store, userId));
  return appearance.language === "system" ? language() : appearance.language;
}

interface Told {
  link?: string;
  /** Name of the sign-in provider. */
  name?: string;
}

function mail(
  { to, language }: Reader,
  kind: "reset" | "verify" | "moved" | "password" | "joined" | "invite",
  { link, name = "" }: Told = {},
): Mail {
  const said = words[language];
  const lines = [said[kind], ...(link === undefined ? [] : [link]), said[`${kind}_else`]];
  const text = fill(lines.join("\n\n"), { name });
  return { to, subject: said[`${kind}_subject`], text: `${text}\n\nLamplight\n` };
}

export const resetMail = (reader: Reader, link: string) => mail(reader, "reset", { link });
export const verifyMail = (reader: Reader, link: string) => mail(reader, "verify", { link });
export const movedMail = (reader: Reader) => mail(reader, "moved");
export const passwordChangedMail = (reader: Reader) => mail(reader, "password");
export const joinedMail = (reader: Reader, name: string) => mail(reader, "joined", { name });
export const inviteMail = (reader: Reader, link: string) => mail(reader, "invite", { link });
