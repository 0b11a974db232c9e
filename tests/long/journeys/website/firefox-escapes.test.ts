import { setTimeout as pause } from "node:timers/promises";
import { type Browser, launch, type Page } from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { firefoxPath } from "#tests/kit/browser/real-firefox.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { buildSiteKitOnce } from "#tests/website/aids.ts";
import { type Hostile, hostileSite, NOTHING, openCanary, REFUSED } from "#tests/website/hostile-site.ts";

const path = firefoxPath();
if (path === undefined) process.stdout.write("  skipped: no Firefox here. Name one: FIREFOX_PATH=/path/to/firefox\n");

/** Longer than a navigation or request that should be blocked would take. */
const SETTLED_MS = 1500;

const siteIn = (page: Page) => page.frames().find((frame) => frame.url().endsWith("/?frame"));

const readTried = (page: Page) =>
  siteIn(page)
    ?.evaluate(() => (globalThis as unknown as { hostile?: Hostile }).hostile?.tried)
    .catch(() => undefined);

/** Opens the site in a tab of its own and waits until it has tried everything. */
async function openSite(browser: Browser, address: string): Promise<{ page: Page; tried: Record<string, string> }> {
  const page = await browser.newPage();
  await page.goto(address, { waitUntil: "domcontentloaded" });
  let tried: Record<string, string> | undefined;
  const look = async () => {
    tried = await readTried(page);
    return tried === undefined ? "nothing" : Object.values(tried).includes("waits") ? "waits" : "tried";
  };
  await expect.poll(look).toBe("tried");
  return { page, tried: tried ?? {} };
}

describe.skipIf(path === undefined)("in a real Firefox", () => {
  let browser: Browser;
  let server: ServerProcess;
  let user: TestUser;
  let canary: Awaited<ReturnType<typeof openCanary>>;
  beforeAll(async () => {
    await buildSiteKitOnce();
    canary = await openCanary();
    server = await startServerProcess();
    user = await registerAccount(server.origin);
    browser = await launch({ browser: "firefox", executablePath: path ?? "", headless: true });
  });
  afterAll(async () => {
    await browser.close();
    await server.dispose();
    canary.close();
  });

  test("a hostile site reaches neither the account nor the network, in the preview and as a tab", async () => {
    const { reached, out } = canary;
    const { _id: id } = await user.client.website.createProject({ name: "Hostile" });
    const text = hostileSite(out, server.origin);
    await user.client.website.putSiteFile({ id, path: "/src/main.tsx", text });
    const { devServer } = await user.client.website.startPreview({ id });
    expect(devServer.faults).toEqual([]);
    await browser.setCookie({ name: "lamplight_token", value: user.token, domain: new URL(server.origin).hostname });
    for (const address of [`${server.origin}/website/${id}`, devServer.dev_url ?? ""]) {
      for (const way of ["top", "blank", "form", "link", "refresh", "address"]) {
        const { page, tried } = await openSite(browser, address);
        expect(Object.keys(tried).toSorted()).toEqual([...REFUSED, ...NOTHING].toSorted());
        expect(Object.entries(tried).filter(([, result]) => result !== "refused" && result !== "none")).toEqual([]);
        const leave = siteIn(page)?.evaluate((name) => {
          (globalThis as unknown as { hostile: Hostile }).hostile.leave[name]?.();
        }, way);
        await leave?.catch(() => undefined);
        await pause(SETTLED_MS);
        expect([way, page.url(), reached]).toEqual([way, address, []]);
        await page.close();
      }
    }
    const cookies = (await browser.cookies()).filter(({ name }) => name === "lamplight_token");
    expect(cookies.map(({ value }) => value)).toEqual([user.token]);
    // The listener works, so it would have recorded a request.
    expect((await fetch(`${out}/alive`)).ok).toBe(true);
    expect(reached).toEqual(["/alive"]);
  });
});
