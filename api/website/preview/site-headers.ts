import { PRELUDE_SOURCE } from "./sandbox-script.ts";

type HeaderList = Readonly<Record<string, string>>;

const common: HeaderList = {
  "x-dns-prefetch-control": "off",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
  vary: "Sec-Fetch-Dest, Accept-Encoding",
};

/** Origins that may frame a site. */
export interface SiteFrame {
  /** `http://localhost:3001/<name>`: 'self' means nothing to an opaque origin. */
  base: string;
  appOrigins: readonly string[];
  sitesOrigin: string;
}

/**
 * Headers of every file of a site. `sandbox` without `allow-same-origin` gives the site an opaque origin: it has no
 * cookies and no storage, even if its host is the app's own.
 */
export function siteHeaders({ base, appOrigins, sitesOrigin }: SiteFrame): HeaderList {
  const policy = [
    "sandbox allow-scripts allow-forms allow-modals allow-downloads",
    "default-src 'none'",
    `script-src ${base}/ ${PRELUDE_SOURCE}`,
    `style-src ${base}/ 'unsafe-inline'`,
    ...["img-src", "font-src", "media-src"].map((kind) => `${kind} ${base}/ data: blob:`),
    `connect-src ${base}/`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "webrtc 'block'",
    `frame-ancestors ${[...appOrigins, sitesOrigin].join(" ")}`,
  ];
  return {
    ...common,
    "content-security-policy": policy.join("; "),
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
    "permissions-policy":
      "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), bluetooth=()",
  };
}

/** Headers of the page that frames a site opened as a tab: it has no script and may show nothing but sites. */
export function wrapperHeaders(sitesOrigin: string): HeaderList {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `frame-src ${sitesOrigin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return { ...common, "content-security-policy": policy.join("; "), "x-frame-options": "DENY" };
}
