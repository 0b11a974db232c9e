import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Middleware } from "koa";
import sirv from "sirv";
import { escapeHtml } from "./site/escape-html.ts";
import { isAppPath } from "./site/public-pages.ts";

/** Metadata for link previews. */
export interface PagePreview {
  title: string;
  description: string;
  /** Whether search engines may list the page. */
  isIndexable: boolean;
}

interface WebOptions {
  publicUrl: string | undefined;
  preview: (path: string) => Promise<PagePreview | undefined>;
}

/**

 * Serves the built web app: files by name, and the app shell for every other path, with status 404 where the app has no
 * screen. Built files have a hash in their name and never change.
 */
export function serveWeb(folder: string, { publicUrl, preview }: WebOptions): Middleware {
  const files = sirv(folder, {
    // Reads the disk on each request, because a list made at startup would include files that a later build removed.
    dev: true,
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders(response, path) {
      const isHashed = path.startsWith("/assets/");
      response.setHeader("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  const shell = readFileSync(join(folder, "shell.html"));
  const documentPath = join(folder, "document.html");
  const documentShell = existsSync(documentPath) ? readFileSync(documentPath) : shell;
  return async (koa, next) => {
    if (koa.method !== "GET" && koa.method !== "HEAD") return next();
    const isUnhandled = await new Promise<boolean>((resolve) => {
      koa.res.once("finish", () => resolve(false));
      koa.res.once("close", () => resolve(false));
      koa.res.statusCode = 200;
      files(koa.req, koa.res, () => resolve(true));
    });
    if (!isUnhandled) {
      koa.respond = false;
      return undefined;
    }
    if (/\.\w+$/.test(koa.path)) return next();
    koa.status = isAppPath(koa.path) ? 200 : 404;
    koa.type = "text/html; charset=utf-8";
    koa.set("cache-control", "no-cache");
    const pagePreview = await preview(koa.path);
    const page = koa.path.startsWith("/pdf/") ? documentShell : shell;
    koa.body = pagePreview
      ? withPreview(shell.toString(), pagePreview, publicUrl && new URL(koa.path, publicUrl).href)
      : page;
    return undefined;
  };
}

/** Adds Open Graph tags (https://ogp.me), which chat apps and social networks read; user text is escaped. */
function withPreview(
  shell: string,
  { title, description, isIndexable }: PagePreview,
  address: string | undefined,
): string {
  const escapedTitle = escapeHtml(title);
  const properties = {
    type: "article",
    site_name: "Lamplight",
    title: escapedTitle,
    description: escapeHtml(description),
  };
  const tags = Object.entries({ ...properties, ...(address ? { url: escapeHtml(address) } : {}) })
    .filter(([, content]) => content !== "")
    .map(([name, content]) => `<meta property="og:${name}" content="${content}" />`);
  const descriptionTag = properties.description && `<meta name="description" content="${properties.description}" />`;
  const robots = isIndexable ? "" : '<meta name="robots" content="noindex" />';
  // Replace the description of the app by that of this page.
  return shell
    .replace(/<meta\s+name="description"[^>]*>\s*/, "")
    .replace(/<title>.*?<\/title>/, () => `<title>${escapedTitle}</title>${descriptionTag}${tags.join("")}${robots}`);
}
