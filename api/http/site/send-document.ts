import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "koa";

/** Sends a text that browsers revalidate each time. An unchanged text is answered with 304. */
export function sendDocument(koa: Context, type: string, body: string): void {
  koa.type = type;
  koa.set("cache-control", "no-cache");
  koa.etag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  koa.status = 200;
  if (koa.fresh) koa.status = 304;
  else koa.body = body;
}

/** The address at which visitors reach this server, without a slash at its end. */
export const originOf = (koa: Context, publicUrl: string | undefined): string =>
  (publicUrl ?? `${koa.protocol}://${koa.host}`).replace(/\/+$/, "");

/**
 * Creates a function that sends pages of the build. Their script that runs before the first paint is the only inline
 * script that is allowed.
 */
export function createPageSender(siteFolder: string): (koa: Context, html: string) => void {
  const script = readFileSync(join(siteFolder, "boot.js"));
  const allowed = `script-src 'self' 'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  return (koa, html) => {
    const policy = koa.response.get("content-security-policy");
    koa.set("content-security-policy", policy.replace("script-src 'self'", allowed));
    sendDocument(koa, "text/html; charset=utf-8", html);
  };
}
