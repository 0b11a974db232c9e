import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Middleware } from "koa";
import sirv from "sirv";

/** What a page says of itself to programs that show a link before it is opened. */
export interface PagePreview {
  title: string;
  description: string;
  /** Whether search engines may list it. */
  isFound: boolean;
}

interface WebOptions {
  publicUrl: string | undefined;
  preview: (path: string) => Promise<PagePreview | undefined>;
}

/**
 * Serves the built web app: files under their own names, a prerendered page where there is one, and for every other
 * address the shell, whose router knows what to show. Built files carry a hash in their name and never change.
 */
export function serveWeb(folder: string, { publicUrl, preview }: WebOptions): Middleware {
  const files = sirv(folder, {
    // Looks at the disk at each request: a list made at the start would send files that a later build took away.
    dev: true,
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders(response, path) {
      const lasting = path.startsWith("/assets/");
      response.setHeader("cache-control", lasting ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  const shell = readFileSync(join(folder, "shell.html"));
  const documentPath = join(folder, "document.html");
  const ofDocuments = existsSync(documentPath) ? readFileSync(documentPath) : shell;
  return async (koa, next) => {
    if (koa.method !== "GET" && koa.method !== "HEAD") return next();
    // The one address of the front page for search engines; only the operator knows it, so it is not in the file.
    if (koa.path === "/" && publicUrl) koa.res.setHeader("link", `<${new URL("/", publicUrl)}>; rel="canonical"`);
    const passed = await new Promise<boolean>((resolve) => {
      koa.res.once("finish", () => resolve(false));
      koa.res.once("close", () => resolve(false));
      koa.res.statusCode = 200;
      files(koa.req, koa.res, () => resolve(true));
    });
    if (!passed) {
      koa.respond = false;
      return undefined;
    }
    if (/\.\w+$/.test(koa.path)) return next();
    koa.status = 200;
    koa.type = "text/html; charset=utf-8";
    koa.set("cache-control", "no-cache");
    const shown = await preview(koa.path);
    const page = koa.path.startsWith("/pdf/") ? ofDocuments : shell;
    koa.body = shown ? withPreview(shell.toString(), shown, publicUrl && new URL(koa.path, publicUrl).href) : page;
    return undefined;
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.toWellFormed().replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");

/** Open Graph (ogp.me), which chats and social networks read; the words are a user's, and stay words. */
function withPreview(shell: string, { title, description, isFound }: PagePreview, address: string | undefined): string {
  const said = escaped(title);
  const properties = { type: "article", site_name: "Lamplight", title: said, description: escaped(description) };
  const tags = Object.entries({ ...properties, ...(address ? { url: escaped(address) } : {}) })
    .filter(([, content]) => content !== "")
    .map(([name, content]) => `<meta property="og:${name}" content="${content}" />`);
  const named = properties.description && `<meta name="description" content="${properties.description}" />`;
  const robots = isFound ? "" : '<meta name="robots" content="noindex" />';
  return shell.replace(/<title>.*?<\/title>/, () => `<title>${said}</title>${named}${tags.join("")}${robots}`);
}
