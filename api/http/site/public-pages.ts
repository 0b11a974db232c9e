import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Middleware } from "koa";
import { isPublicPage, matchScreen, trimPath } from "#shared/marketing/match-screen.ts";
import { blogRedirect } from "#shared/marketing/redirects.ts";
import { screens } from "#shared/screens.ts";
import { getRegistrationMode, type Settings } from "#api/settings.ts";
import { escapeHtml } from "./escape-html.ts";
import { fillPage, missingText, siteValues } from "./fill-page.ts";
import { createPageSender, originOf, sendDocument } from "./send-document.ts";
import { LANGUAGES, type Language, languageOf, setLanguage } from "./visitor-language.ts";

/** Set if the visitor is signed in. Its content is not read here. */
const TOKEN_COOKIE = "lamplight_token";

interface ListedPage {
  path: string;
  language: Language;
  title: string;
  date?: string;
}

/** A page that comes from the store and not from the build, for the sitemap. */
export interface StoredAddress {
  path: string;
  date: string;
  /** All languages if not given. */
  languages?: readonly Language[];
}

/** Serves the public pages that the build rendered, `robots.txt` and the sitemap. Passes all other requests on. */
export function servePublicPages(
  webFolder: string,
  settings: Settings,
  listStored: () => Promise<readonly StoredAddress[]>,
): Middleware {
  const folder = join(webFolder, ".site");
  if (!existsSync(join(folder, "pages.json"))) return (_, next) => next();
  const sendHtml = createPageSender(folder);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const pages = JSON.parse(read("pages.json")) as ListedPage[];
  const paths = new Set(pages.map(({ path }) => path));
  const builtPages = new Set(pages.map(({ path, language }) => `${language} ${path}`));
  const cache = new Map<string, string>();
  const renderPage = (path: string, language: Language, origin: string) => {
    const key = `${language} ${origin} ${path}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const values = { ...siteValues(settings), ORIGIN: origin };
    const html = fillPage(
      read(`${language}/${path === "/" ? "index" : path.slice(1)}.html`),
      values,
      missingText[language],
    );
    // If the operator set no URL, the origin comes from a header, which must not be able to fill the memory.
    if (settings.PUBLIC_URL !== undefined) cache.set(key, html);
    return html;
  };
  const sendPage = (koa: Context, path: string) => {
    const requested = languageOf(koa);
    // A page that nobody has translated yet is shown in English.
    const language = paths.has(path) && !builtPages.has(`${requested} ${path}`) ? "en" : requested;
    setLanguage(koa, language);
    if (path === "/help/search.json")
      return sendDocument(koa, "application/json; charset=utf-8", read(`${language}/search.json`));
    return sendHtml(koa, renderPage(path, language, originOf(koa, settings.PUBLIC_URL)));
  };
  const sendForm = createFormSender(read, settings, sendHtml);
  return async (koa, next) => {
    if (koa.method !== "GET" && koa.method !== "HEAD") return next();
    const path = trimPath(koa.path);
    const origin = originOf(koa, settings.PUBLIC_URL);
    if (path === "/robots.txt") return sendDocument(koa, "text/plain; charset=utf-8", renderRobots(origin));
    if (path === "/sitemap.xml")
      return sendDocument(
        koa,
        "application/xml; charset=utf-8",
        renderSitemap([...pages, ...(await listStored())], origin),
      );
    // Signed-in visitors get the app, which shows their own plan, currency and purchase.
    if (path === screens.pricing.path && koa.cookies.get(TOKEN_COOKIE)) {
      koa.vary("Cookie");
      return next();
    }
    const form = findPrerenderedForm(koa, path, settings);
    if (form !== undefined) return sendForm(koa, form);
    return path === "/help/search.json" || paths.has(path) ? sendPage(koa, path) : redirectOrPassOn(koa, path, next);
  };
}

/** Sends the form of a name in the visitor's language. Each document is read and filled in once. */
function createFormSender(
  read: (file: string) => string,
  settings: Settings,
  sendHtml: (koa: Context, html: string) => void,
): (koa: Context, name: string) => void {
  const documents = new Map<string, string>();
  return (koa, name) => {
    const language = languageOf(koa);
    setLanguage(koa, language);
    const file = `${language}/${name}.html`;
    const html = documents.get(file) ?? fillPage(read(file), siteValues(settings), missingText[language]);
    documents.set(file, html);
    sendHtml(koa, html);
  };
}

const forms = [screens.login, screens.register].map(({ path }) => path);

/**
 * The name of the form that a visitor sees before the app is loaded. Undefined if the form differs from the built one;
 * then the app shows it.
 */
function findPrerenderedForm(koa: Context, path: string, settings: Settings): string | undefined {
  if (!forms.some((form) => form === path) || koa.cookies.get(TOKEN_COOKIE)) return undefined;
  const isPlain =
    getRegistrationMode(settings) === "open" && koa.query["invite"] === undefined && koa.query["for"] === undefined;
  return isPlain ? path.slice(1) : undefined;
}

/**
 * Redirects the address of a blog post that does not exist to a page on its subject; passes other requests on. Browsers
 * must not remember the redirect, because the post may be written later.
 */
async function redirectOrPassOn(koa: Context, path: string, next: () => Promise<unknown>): Promise<void> {
  const target = blogRedirect(path);
  if (target === undefined) {
    await next();
    return;
  }
  koa.redirect(target);
}

const PRIVATE_PATHS = Object.values(screens)
  .filter(({ access }) => access === "user" || access === "admin")
  .map(({ path }) => path.replace(/[:*].*$/, ""));

const renderRobots = (origin: string) =>
  [
    "User-agent: *",
    ...[...new Set(["/v1/", ...PRIVATE_PATHS])].map((path) => `Disallow: ${path}`),
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");

/** Screens of the app that anyone may read and whose path has no parameters. */
const APP_PATHS = Object.values(screens)
  .filter(({ access, layout, path, feature }) => {
    const isListed = access === "public" && layout === "landing" && !/[:*]/.test(path);
    return isListed && feature !== "marketing" && !path.endsWith("/search");
  })
  .map(({ path }) => path);

/** Lists the given pages in each of their languages, and the public screens of the app. */
function renderSitemap(
  pages: readonly (Pick<ListedPage, "path" | "date"> & Pick<StoredAddress, "languages">)[],
  origin: string,
): string {
  const address = (path: string, language: Language) =>
    escapeHtml(`${origin}${path}${language === "en" ? "" : `?lang=${language}`}`);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const entries = [...byPath.values()].map(({ path, date, languages = LANGUAGES }) => {
    const links = languages.map(
      (language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${address(path, language)}"/>`,
    );
    const loc = address(path, languages[0] ?? "en");
    const alternates = links.length > 1 ? links.join("") : "";
    return `<url><loc>${loc}</loc>${date ? `<lastmod>${date}</lastmod>` : ""}${alternates}</url>`;
  });
  const screensOfApp = APP_PATHS.filter((path) => !byPath.has(path)).map(
    (path) => `<url><loc>${address(path, "en")}</loc></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${[...entries, ...screensOfApp].join("\n")}
</urlset>
`;
}

/** Whether the app has a screen for a path. Public pages that exist are served before this is checked. */
export function isAppPath(path: string): boolean {
  const screen = matchScreen(path);
  return screen !== undefined && !(isPublicPage(screen) && screen !== "changelog" && screen !== "landing");
}
