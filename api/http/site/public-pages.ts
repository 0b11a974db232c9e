import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Middleware } from "koa";
import { isPublicPage, matchScreen, trimPath } from "#shared/marketing/match-screen.ts";
import { blogRedirect } from "#shared/marketing/redirects.ts";
import { screens } from "#shared/screens.ts";
import { arePaymentsConfigured, type Settings } from "#api/settings.ts";
import { escapeHtml } from "./escape-html.ts";
import { renderFeed, type Post } from "./feed.ts";

const LANGUAGES = ["en", "de"] as const;
type Language = (typeof LANGUAGES)[number];
const LANGUAGE_COOKIE = "lamplight_language";
/** Whether somebody is signed in; its content is never read here. */
const TOKEN_COOKIE = "lamplight_token";
const YEAR_MS = 365 * 86_400_000;

interface ListedPage {
  path: string;
  language: Language;
  title: string;
  date?: string;
}

/** What pages may show of the settings; they mark what the operator has not said of themselves. */
const valuesOf = (settings: Settings): Readonly<Record<string, string | undefined>> => ({
  PUBLIC_URL: settings.PUBLIC_URL,
  OPERATOR_NAME: settings.OPERATOR_NAME,
  OPERATOR_ADDRESS: settings.OPERATOR_ADDRESS,
  OPERATOR_EMAIL: settings.OPERATOR_EMAIL,
  OPERATOR_COUNTRY: settings.OPERATOR_COUNTRY,
  COMMUNITY_CHAT_URL: settings.COMMUNITY_CHAT_URL,
  COMMUNITY_FORUM_URL: settings.COMMUNITY_FORUM_URL,
  STORAGE_GB_FREE: String(settings.STORAGE_GB_FREE),
  STORAGE_GB_PLUS: String(settings.STORAGE_GB_PLUS),
  STORAGE_GB_ULTIMATE: String(settings.STORAGE_GB_ULTIMATE),
  PAYMENTS: arePaymentsConfigured(settings) ? "configured" : undefined,
});

const unfilled: Readonly<Record<Language, string>> = {
  en: "not filled in by the operator",
  de: "vom Betreiber nicht eingetragen",
};

const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language);

/** The language asked for in the address, else the one chosen before, else the first of the browser's that there is. */
function languageOf(koa: Context): Language {
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

/** Fills in what only the running server knows: its address, and what the operator says of themselves. */
export function fillPage(html: string, values: Readonly<Record<string, string | undefined>>, missing: string): string {
  return html
    .replaceAll(/<!--(if|unless) (\w+)-->([\s\S]*?)<!--\/\1-->/g, (_, kind: string, name: string, inner: string) =>
      (kind === "if") === (values[name] !== undefined) ? inner : "",
    )
    .replaceAll(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
      const value = values[name];
      return value === undefined ? `<mark class="unfilled">[${missing}]</mark>` : escapeHtml(value);
    });
}

/**
 * Serves the documents that the build made of the public pages, the list of them for search engines and the feed of the
 * blog; everything else is passed on.
 */
export function servePublicPages(webFolder: string, settings: Settings): Middleware {
  const folder = join(webFolder, ".site");
  if (!existsSync(join(folder, "pages.json"))) return (_, next) => next();
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const pages = JSON.parse(read("pages.json")) as ListedPage[];
  const paths = new Set(pages.map(({ path }) => path));
  const written = new Set(pages.map(({ path, language }) => `${language} ${path}`));
  const cache = new Map<string, string>();
  const pageOf = (path: string, language: Language, origin: string) => {
    const key = `${language} ${origin} ${path}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const values = { ...valuesOf(settings), ORIGIN: origin };
    const html = fillPage(
      read(`${language}/${path === "/" ? "index" : path.slice(1)}.html`),
      values,
      unfilled[language],
    );
    // The origin comes from a header where the operator named none; it must not fill the memory.
    if (settings.PUBLIC_URL !== undefined) cache.set(key, html);
    return html;
  };
  // oxlint-disable-next-line complexity -- one line for each address
  return async (koa, next) => {
    if (koa.method !== "GET" && koa.method !== "HEAD") return next();
    const path = trimPath(koa.path);
    const origin = (settings.PUBLIC_URL ?? `${koa.protocol}://${koa.host}`).replace(/\/+$/, "");
    const send = (type: string, body: string) => {
      koa.type = type;
      koa.set("cache-control", "no-cache");
      koa.etag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
      koa.status = 200;
      if (koa.fresh) koa.status = 304;
      else koa.body = body;
    };
    if (path === "/robots.txt") return send("text/plain; charset=utf-8", robots(origin));
    if (path === "/sitemap.xml") return send("application/xml; charset=utf-8", sitemap(pages, origin));
    const isFeed = path === "/blog/feed.xml";
    if (!isFeed && path !== "/help/search.json" && !paths.has(path)) return passOn(koa, path, next);
    // A member's own plan, currency and purchase are in the app.
    if (path === screens.pricing.path && koa.cookies.get(TOKEN_COOKIE)) {
      koa.vary("Cookie");
      return next();
    }
    const wanted = languageOf(koa);
    // A page that nobody has translated yet is shown in English.
    const language = paths.has(path) && !written.has(`${wanted} ${path}`) ? "en" : wanted;
    koa.vary("Accept-Language");
    koa.vary("Cookie");
    koa.set("content-language", language);
    if (path === "/help/search.json") return send("application/json; charset=utf-8", read(`${language}/search.json`));
    if (!isFeed) return send("text/html; charset=utf-8", pageOf(path, language, origin));
    const posts = JSON.parse(read(`${language}/posts.json`)) as Post[];
    return send("application/rss+xml; charset=utf-8", renderFeed(posts, origin, language));
  };
}

/** A public page that is not there: another one answers the same question, or nothing is found. */
async function passOn(koa: Context, path: string, next: () => Promise<unknown>): Promise<void> {
  const target = blogRedirect(path);
  if (target === undefined) return void (await next());
  koa.status = 301;
  koa.redirect(target);
}

const PRIVATE_PATHS = Object.values(screens)
  .filter(({ access }) => access === "user" || access === "admin")
  .map(({ path }) => path.replace(/[:*].*$/, ""));

const robots = (origin: string) =>
  [
    "User-agent: *",
    ...[...new Set(["/v1/", ...PRIVATE_PATHS])].map((path) => `Disallow: ${path}`),
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");

/** Screens of the app that anyone may read and that have one address. */
const APP_PATHS = Object.values(screens)
  .filter(({ access, layout, path, feature }) => {
    const isListed = access === "public" && layout === "landing" && !/[:*]/.test(path);
    return isListed && feature !== "marketing" && !path.endsWith("/search");
  })
  .map(({ path }) => path);

/** Every page of the screens table that a visitor may read, in each language. */
function sitemap(pages: readonly ListedPage[], origin: string): string {
  const address = (path: string, language: Language) =>
    escapeHtml(`${origin}${path}${language === "en" ? "" : `?lang=${language}`}`);
  const dates = new Map(pages.map(({ path, date }) => [path, date]));
  const entries = [...dates].map(([path, date]) => {
    const links = LANGUAGES.map(
      (language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${address(path, language)}"/>`,
    );
    return `<url><loc>${address(path, "en")}</loc>${date ? `<lastmod>${date}</lastmod>` : ""}${links.join("")}</url>`;
  });
  const screensOfApp = APP_PATHS.filter((path) => !dates.has(path)).map(
    (path) => `<url><loc>${address(path, "en")}</loc></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${[...entries, ...screensOfApp].join("\n")}
</urlset>
`;
}

/** Whether the app has something to show at a path; public pages that exist are served before it is asked. */
export function isAppPath(path: string): boolean {
  const screen = matchScreen(path);
  return screen !== undefined && !(isPublicPage(screen) && screen !== "changelog" && screen !== "landing");
}
