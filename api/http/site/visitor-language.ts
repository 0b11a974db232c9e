import type { Context } from "koa";

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
const LANGUAGE_COOKIE = "lamplight_language";
const YEAR_MS = 365 * 86_400_000;

const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language);

/** The language asked for in the address, else the one chosen before, else the first of the browser's that there is. */
export function languageOf(koa: Context): Language {
  const asked = koa.query["lang"];
  if (isLanguage(asked)) {
    if (koa.cookies.get(LANGUAGE_COOKIE) !== asked)
      koa.cookies.set(LANGUAGE_COOKIE, asked, { httpOnly: false, sameSite: "lax", maxAge: YEAR_MS, overwrite: true });
    return asked;
  }
  const chosen = koa.cookies.get(LANGUAGE_COOKIE);
  const accepted = koa.acceptsLanguages().map((tag) => tag.slice(0, 2));
  return isLanguage(chosen) ? chosen : (accepted.find(isLanguage) ?? "en");
}

/** Names the language of what is sent, and that it depends on the visitor. */
export function setLanguage(koa: Context, language: Language): void {
  koa.vary("Accept-Language");
  koa.vary("Cookie");
  koa.set("content-language", language);
}
