import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

/** A built web app with two pages. */
function aWebFolder(): string {
  const folder = ownFolder();
  const site = join(folder, ".site");
  for (const language of ["en", "de"]) {
    mkdirSync(join(site, language, "docs"), { recursive: true });
    writeFileSync(join(site, language, "index.html"), `<title>${language}</title><link href="{{ORIGIN}}/">`);
    const terms =
      "{{OPERATOR_NAME}}<!--unless OPERATOR_NAME-->template<!--/unless--><!--if OPERATOR_NAME-->filled<!--/if-->";
    writeFileSync(join(site, language, "docs", "terms.html"), terms);
    const pricing =
      "{{STORAGE_GB_FREE}} GB<!--if PAYMENTS--> choose<!--/if--><!--unless PAYMENTS--> given<!--if NEW_FREE--> free<!--/if--><!--if NEW_ULTIMATE--> all<!--/if--><!--/unless-->";
    writeFileSync(join(site, language, "pricing.html"), pricing);
    writeFileSync(join(site, language, "search.json"), "[]");
    for (const form of ["login", "register"])
      writeFileSync(join(site, language, `${form}.html`), `${form} ${language}`);
  }
  const pages = ["/", "/docs/terms", "/pricing"].flatMap((path) =>
    ["en", "de"].map((language) => ({ path, language, title: path })),
  );
  writeFileSync(join(site, "pages.json"), JSON.stringify(pages));
  writeFileSync(join(site, "boot.js"), "boot()");
  writeFileSync(join(folder, "shell.html"), "<!doctype html><html><head><title>Lamplight</title></head></html>");
  return folder;
}

async function aSite(env: Record<string, string> = {}) {
  const webFolder = aWebFolder();
  const { origin } = await startApi({ webFolder, env });
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, { headers, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { origin, webFolder, read };
}

test("a page has the requested language, or else the one chosen before, or else the browser's", async () => {
  const { read } = await aSite();
  const languageOf = async (path: string, headers: Record<string, string>) =>
    (await read(path, headers)).headers.get("content-language");
  expect(await languageOf("/", { "accept-language": "fr, de;q=0.8, en;q=0.5" })).toBe("de");
  expect(await languageOf("/", { "accept-language": "fr" })).toBe("en");
  expect(await languageOf("/?lang=en", { "accept-language": "de" })).toBe("en");
  expect(await languageOf("/", { "accept-language": "en", cookie: "lamplight_language=de" })).toBe("de");
  const asked = await read("/?lang=de");
  expect(asked.headers.get("set-cookie")).toContain("lamplight_language=de");
  expect(asked.headers.get("vary")).toMatch(/accept-language.*cookie/i);
});

test("a language that is chosen on a screen of the app, or where nothing is, is remembered", async () => {
  const { read } = await aSite();
  for (const path of ["/no/such/place", "/s/no-such-share", "/explore/search?q=cells"]) {
    const { headers } = await read(`${path}${path.includes("?") ? "&" : "?"}lang=de`);
    expect([path, headers.get("set-cookie")]).toEqual([path, expect.stringContaining("lamplight_language=de")]);
  }
  expect((await read("/no/such/place")).headers.get("set-cookie")).toBeNull();
});

test("the only inline script that may run is the build's, and only on public pages", async () => {
  const { read } = await aSite();
  const hash = createHash("sha256").update("boot()").digest("base64");
  const policyOf = async (path: string) => (await read(path)).headers.get("content-security-policy") ?? "";
  expect(await policyOf("/docs/terms")).toContain(`script-src 'self' 'sha256-${hash}' 'wasm-unsafe-eval';`);
  expect(await policyOf("/home")).toContain("script-src 'self' 'wasm-unsafe-eval';");
});

test("legal pages are marked as templates until the operator gives a name, which is escaped", async () => {
  const plain = await (await aSite()).read("/docs/terms");
  expect(plain.text).toContain("not filled in by the operator");
  expect(plain.text).toContain("template");
  const filled = await (await aSite({ OPERATOR_NAME: "A <b> School" })).read("/docs/terms");
  expect(filled.text).toBe("A &lt;b&gt; Schoolfilled");
});

test("visitors get a pricing page with the limits of this server, and signed-in users get the app", async () => {
  const { read } = await aSite();
  expect((await read("/pricing")).text).toBe("1 GB given all");
  expect((await (await aSite({ DEFAULT_PLAN: "FREE" })).read("/pricing")).text).toBe("1 GB given free");
  const stripe = { STRIPE_SECRET_KEY: "sk_test_x", STRIPE_WEBHOOK_SECRET: "whsec_x", STORAGE_GB_FREE: "3" };
  expect((await (await aSite(stripe)).read("/pricing")).text).toBe("3 GB choose");
  const member = await read("/pricing", { cookie: "lamplight_token=x" });
  expect(member.text).toContain("<title>Lamplight</title>");
  expect(member.headers.get("vary")).toMatch(/cookie/i);
});

test("a visitor gets prerendered sign-in forms, or the app if its form would differ", async () => {
  const { read } = await aSite();
  expect((await read("/login?from=%2Fhome")).text).toBe("login en");
  expect((await read("/register", { "accept-language": "de" })).text).toBe("register de");
  expect((await read("/login")).headers.get("content-security-policy")).toContain("'sha256-");
  const shell = "<title>Lamplight</title>";
  for (const path of ["/login?for=copy", "/register?invite=abc"]) expect((await read(path)).text).toContain(shell);
  expect((await read("/login", { cookie: "lamplight_token=x" })).text).toContain(shell);
  const closed = await aSite({ REGISTRATION: "closed" });
  expect((await closed.read("/register")).text).toContain(shell);
});

test("a form is read once for each language, and a form sent without JavaScript is not accepted", async () => {
  const { origin, webFolder, read } = await aSite();
  expect((await read("/login")).text).toBe("login en");
  rmSync(join(webFolder, ".site", "en", "login.html"));
  expect((await read("/login")).text).toBe("login en");
  expect((await read("/login", { "accept-language": "de" })).text).toBe("login de");
  for (const path of ["/login", "/register"]) {
    const body = new URLSearchParams({ email: "ada@example.org", password: "a lamp upon the desk" });
    const response = await fetch(origin + path, { method: "POST", body });
    expect(response.status).toBe(404);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await response.text()).not.toContain("lamp upon");
  }
});

test("a page that did not change is not sent again", async () => {
  const { read, origin } = await aSite();
  const etag = (await read("/")).headers.get("etag") ?? "";
  // `fetch` would request an uncached answer.
  const { statusCode } = await request(`${origin}/`, { headers: { "if-none-match": etag } });
  expect(statusCode).toBe(304);
});

test("an address without a screen returns 404, one of the app 200, and a blog path without a post is redirected", async () => {
  const { read, origin } = await aSite();
  expect((await read("/no/such/place")).status).toBe(404);
  expect((await read("/help/no-such-article")).status).toBe(404);
  expect((await read("/home")).status).toBe(200);
  expect((await read("/page/abc")).status).toBe(200);
  const moved = await read("/blog/free-quizlet-sets");
  expect([moved.status, new URL(moved.headers.get("location") ?? "", origin).pathname]).toEqual([
    302,
    "/tools/flashcard-maker",
  ]);
});

test("robots and sitemap name this installation's own address", async () => {
  const { read } = await aSite({ PUBLIC_URL: "https://study.example.org", REGISTRATION: "open" });
  expect((await read("/robots.txt")).text).toContain("Sitemap: https://study.example.org/sitemap.xml");
  const map = (await read("/sitemap.xml")).text;
  for (const path of ["/docs/terms", "/docs/terms?lang=de", "/explore"])
    expect(map).toContain(`https://study.example.org${path}"`.replace('"', path.includes("?") ? '"' : "</loc>"));
  expect(map).not.toContain("/home");
});
