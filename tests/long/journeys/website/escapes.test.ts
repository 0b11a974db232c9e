import type { Page } from "puppeteer";
import { afterAll, expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { buildSiteKitOnce } from "#tests/website/aids.ts";
import { type Hostile, hostileSite, openCanary, REFUSED, NOTHING } from "#tests/website/hostile-site.ts";

await buildSiteKitOnce();
const { browser, server } = await startBrowserAndServer();

const { reached, out, close } = await openCanary();
afterAll(close);
const hostile = hostileSite(out, server.origin);

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

/** What the site in its frame has found; undefined until the site is loaded. */
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
  await expect.poll(async () => (await readSite(page))?.blocked).toEqual(BLOCKED);
}

/** Makes the site try to leave its frame in one way; false if that throws. */
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
  // Test tools usually bypass the content security policy; here it must apply.
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
      // Each of these attempts ends on the browser's page for blocked content.
      for (const way of ["form", "link", "refresh", "address"]) {
        await openSite(page, address);
        await leave(page, way)?.catch(() => undefined);
        await expect.poll(() => page.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
        expect([way, page.url(), reached]).toEqual([way, address, []]);
      }
      expect((await browser.pages()).length).toBe(tabs);
    }
    const cookies = await page.browserContext().cookies();
    expect(cookies.filter(({ name }) => name === "lamplight_token").map(({ value }) => value)).toEqual([user.token]);
    // The listener works, so it would have recorded a request.
    expect((await fetch(`${out}/alive`)).ok).toBe(true);
    expect(reached).toEqual(["/alive"]);
  } finally {
    await student.close();
  }
});
