import type { Context } from "koa";

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
const LANGUAGE_COOKIE = "lamplight_language";
const YEAR_MS = 365 * 86_400_000;

const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language);

/** The language in the URL, else the one chosen before, else the first supported one of the browser's languages. */
export function languageOf(koa: Context): Language {
  const requested = koa.query["lang"];
  if (isLanguage(requested)) {
    if (koa.cookies.get(LANGUAGE_COOKIE) !== requested)
      koa.cookies.set(LANGUAGE_COOKIE, requested, {
        httpOnly: false,
        sameSite: "lax",
        maxAge: YEAR_MS,
        overwrite: true,
      });
    return requested;
  }
  const chosen = koa.cookies.get(LANGUAGE_COOKIE);
  const accepted = koa.acceptsLanguages().map((tag) => tag.slice(0, 2));
  return isLanguage(chosen) ? chosen : (accepted.find(isLanguage) ?? "en");
}

/** Sets the headers that name the language of the response and say that it depends on the visitor. */
export function setLanguage(koa: Context, language: Language): void {
  koa.vary("Accept-Language");
  koa.vary("Cookie");
  koa.set("content-language", language);
}
