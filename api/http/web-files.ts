import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Middleware } from "koa";
import sirv from "sirv";
import { trimPath } from "#shared/marketing/match-screen.ts";
import { addPreview, type PagePreview } from "./site/page-preview.ts";
import { isAppPath } from "./site/public-pages.ts";
import { originOf } from "./site/send-document.ts";
import { type Language, languageOf, setLanguage } from "./site/visitor-language.ts";

interface WebOptions {
  publicUrl: string | undefined;
  /** The metadata of a path, or that nothing is there although the app has a screen for it. */
  preview: (path: string, readLanguage: () => Language) => Promise<PagePreview | "missing" | undefined>;
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
    koa.type = "text/html; charset=utf-8";
    koa.set("cache-control", "no-cache");
    const path = trimPath(koa.path);
    // Remembers a language that the address asks for. The app shows it itself.
    languageOf(koa);
    const pagePreview = await preview(path, () => {
      const language = languageOf(koa);
      setLanguage(koa, language);
      return language;
    });
    koa.status = isAppPath(path) && pagePreview !== "missing" ? 200 : 404;
    const page = path.startsWith("/pdf/") ? documentShell : shell;
    koa.body =
      typeof pagePreview === "object"
        ? addPreview(shell.toString(), pagePreview, originOf(koa, publicUrl) + path)
        : page;
    return undefined;
  };
}
