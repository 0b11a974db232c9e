import type { Middleware } from "koa";
import helmet from "koa-helmet";
import type { Settings } from "#api/settings.ts";

/** Headers of every answer: our own scripts and styles alone, no inline script, no frame but a video player's. */
export function securityHeaders(settings: Settings): Middleware {
  const overHttps = settings.PUBLIC_URL?.startsWith("https:") ?? false;
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        // The editor and the virtual lists place things by style attributes; a style cannot run a script.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        // A video that lies elsewhere on the web plays from there, once the student has pressed play.
        mediaSrc: ["'self'", "blob:", "https:", ...(overHttps ? [] : ["http:"])],
        // The one foreign frame: YouTube's player without cookies, shown after a press as well.
        frameSrc: ["https://www.youtube-nocookie.com"],
        workerSrc: ["'self'", "blob:"],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(overHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: overHttps,
    crossOriginEmbedderPolicy: false,
  });
  const always = headersOf(protect);
  return async (koa, next) => {
    for (const [name, value] of await always) koa.res.setHeader(name, value);
    allowExtensions(koa);
    if (koa.method === "OPTIONS" && koa.get("access-control-request-method")) {
      koa.status = 204;
      return;
    }
    await next();
  };
}

/** No header of ours depends on the request, so they are drawn up once: asking for them costs a tenth of an answer. */
async function headersOf(protect: Middleware): Promise<ReadonlyMap<string, string>> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  await protect({ req: {}, res: response } as unknown as Parameters<Middleware>[0], async () => undefined);
  return headers;
}

/** Our own origin needs no CORS; a browser extension may call, and carries its token itself: no credentials. */
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
