import type { Middleware } from "koa";
import helmet from "koa-helmet";
import type { Settings } from "#api/settings.ts";

/**
 * Security headers of every response: only our own scripts and styles, no inline script, no frame except a video
 * player and a generated website.
 */
export function securityHeaders(settings: Settings, sitesOrigin: string): Middleware {
  const isHttps = settings.PUBLIC_URL?.startsWith("https:") ?? false;
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        // The editor and the virtual lists set positions with style attributes; a style cannot run a script.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        // A video hosted elsewhere plays from its own host, once the student has pressed play.
        mediaSrc: ["'self'", "blob:", "https:", ...(isHttps ? [] : ["http:"])],
        // The only external frames: YouTube's player without cookies, shown only after a click, and generated websites,
        // which have an opaque origin. Naming these also keeps a website from navigating its frame elsewhere.
        frameSrc: ["https://www.youtube-nocookie.com", sitesOrigin],
        workerSrc: ["'self'", "blob:"],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps,
    xFrameOptions: { action: "deny" },
    crossOriginEmbedderPolicy: false,
  });
  const fixedHeaders = captureHeaders(protect);
  return async (koa, next) => {
    for (const [name, value] of await fixedHeaders) koa.res.setHeader(name, value);
    allowExtensions(koa);
    if (koa.method === "OPTIONS" && koa.get("access-control-request-method")) {
      koa.status = 204;
      return;
    }
    await next();
  };
}

/**
 * Our headers do not depend on the request, so they are computed only once. Computing them each time takes a tenth of
 * the response time.
 */
async function captureHeaders(protect: Middleware): Promise<ReadonlyMap<string, string>> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  await protect({ req: {}, res: response } as unknown as Parameters<Middleware>[0], async () => undefined);
  return headers;
}

/**
 * Our own origin needs no CORS. A browser extension may call and sends its token itself, so credentials are not
 * allowed.
 */
function allowExtensions(koa: Parameters<Middleware>[0]): void {
  const origin = koa.get("origin");
  if (!/^(chrome|moz)-extension:\/\/[\w-]+$/.test(origin)) return;
  koa.vary("Origin");
  koa.set("access-control-allow-origin", origin);
  koa.set("access-control-allow-headers", "authorization, content-type, accept");
  koa.set("access-control-allow-methods", "GET, POST, PATCH, PUT, DELETE");
  koa.set("access-control-expose-headers", "x-request-id, etag, retry-after");
  koa.set("access-control-max-age", "600");
}
