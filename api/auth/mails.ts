import { mails as german } from "#shared/messages/de/mails.ts";
import { mails as english } from "#shared/messages/en/mails.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Ctx } from "#api/kit/handler.ts";
import type { Mail } from "#api/kit/mailer.ts";
import { ownedBy } from "#api/kit/store/owned.ts";
import { preferencesOf } from "#api/user/service.ts";

type Words = Readonly<Record<keyof typeof english, string>>;
const words: Readonly<Record<Language, Words>> = { en: english, de: german };

interface Reader {
  to: string;
  language: Language;
}

/** The language that an account is read in: as its student set it, else that of the browser that asks. */
export async function languageOf({ store, language }: Pick<Ctx, "store" | "language">, userId: string) {
  const { appearance } = await preferencesOf(ownedBy(store, userId));
  return appearance.language === "system" ? language : appearance.language;
}

function mail(
  { to, language }: Reader,
  kind: "reset" | "verify" | "moved" | "password" | "invite",
  link?: string,
): Mail {
  const said = words[language];
  const lines = [said[kind], ...(link === undefined ? [] : [link]), said[`${kind}_else`]];
  return { to, subject: said[`${kind}_subject`], text: `${lines.join("\n\n")}\n\nLamplight\n` };
}

export const resetMail = (reader: Reader, link: string) => mail(reader, "reset", link);
export const verifyMail = (reader: Reader, link: string) => mail(reader, "verify", link);
export const movedMail = (reader: Reader) => mail(reader, "moved");
export const passwordChangedMail = (reader: Reader) => mail(reader, "password");
export const inviteMail = (reader: Reader, link: string) => mail(reader, "invite", link);
