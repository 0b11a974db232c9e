import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Middleware } from "koa";
import sirv from "sirv";

/**
 * Serves the built web app: files under their own names, a prerendered page where there is one, and for every other
 * address the shell, whose router knows what to show. Built files carry a hash in their name and never change.
 */
export function serveWeb(folder: string, publicUrl: string | undefined): Middleware {
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
    koa.body = shell;
    return undefined;
  };
}
