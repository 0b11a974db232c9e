import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "puppeteer";
import { afterAll, expect, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import { isFull } from "#tests/kit/all-cases.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

const server = await startServerProcess();
afterAll(() => server.dispose());

/** Kills all processes of the browser at once, as the operating system would; the browser leads its own process group. */
async function killBrowser(browser: Browser): Promise<void> {
  const pid = browser.process()?.pid;
  if (pid === undefined) throw new Error("The browser has no process");
  const gone = new Promise((resolve) => browser.once("disconnected", resolve));
  process.kill(-pid, "SIGKILL");
  await gone;
}

async function openPage(browser: Browser, token: string, pageId: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  await page.setCookie({ name: "lamplight_token", value: token, url: server.origin });
  await page.goto(`${server.origin}/page/${pageId}`);
  await page.locator("::-p-text(Start:)").wait();
  return page;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Around the 100 ms within which a key is stored, and around the sending after a pause. */
const DELAYS_MS = isFull ? [0, 20, 60, 100, 150, 350, 600, 1500] : [0, 60, 150, 600];

test.each(DELAYS_MS)(
  "a browser killed %i ms after the last key keeps everything typed up to 100 ms before",
  async (delayMs) => {
    const ada = await registerAccount(server.origin);
    const pageId = await aPage(ada, "Killed");
    await aText(ada, pageId, "Start:");
    const profile = mkdtempSync(join(tmpdir(), "lamplight-killed-"));
    try {
      const first = await openBrowser({ profile });
      const page = await openPage(first, ada.token, pageId);
      // Nothing reaches the server, so what is restored was stored in the browser.
      await page.setRequestInterception(true);
      page.on("request", (request) => void (request.url().includes("/sync/") ? request.abort() : request.continue()));
      await page.locator("::-p-text(Start:)").click();
      await page.keyboard.press("End");
      const typedAt: number[] = [];
      for (const letter of LETTERS) {
        await page.keyboard.press(letter as "a");
        typedAt.push(performance.now());
        await pause(30);
      }
      await pause(Math.max(0, delayMs - 30));
      const killedAt = performance.now();
      await killBrowser(first);

      const second = await openBrowser({ profile });
      const again = await openPage(second, ada.token, pageId);
      const read = () => again.evaluate(() => /Start:[a-z]*/.exec(document.body.innerText)?.[0] ?? "");
      const safe = typedAt.filter((at) => killedAt - at > 100).length;
      const wanted = `Start:${LETTERS.slice(0, safe)}`;
      await expect.poll(async () => (await read()).startsWith(wanted) || (await read())).toBe(true);
      // The text is then sent once.
      const serverText = async () => JSON.stringify(await ada.client.pages.getPage({ id: pageId }));
      await expect.poll(serverText).toContain(wanted);
      await second.close();
    } finally {
      rmSync(profile, { recursive: true, force: true });
    }
  },
  60_000,
);
