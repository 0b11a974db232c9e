import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Extension, Page } from "puppeteer";
import { openBrowser } from "./browser.ts";

const folder = resolve("dist/extension/chrome");

/** The built extension in a browser, as a student has it after "Load unpacked". */
export interface Extended {
  browser: Browser;
  extension: Extension;
  /** One of the extension's own documents as a tab. */
  openPage(name: "sidepanel" | "options"): Promise<Page>;
  /** Presses the toolbar button on a page and waits for the panel beside it. */
  openPanel(page: Page): Promise<Page>;
}

/** Connects the extension with the account that is signed in in the tab, as a student does it. */
export async function connectExtension(extended: Extended, panel: Page, server: string): Promise<void> {
  const options = await extended.openPage("options");
  await options.locator('::-p-aria([name="Server address"])').fill(server);
  await options.locator('::-p-aria([name="Check and save"])').click();
  await options.locator("::-p-text(Saved. Lamplight answers there.)").wait();
  await options.close();
  await panel.reload();
  await panel.bringToFront();
  const opened = extended.browser.waitForTarget((target) => target.url().startsWith(`${server}/connections`));
  await panel.locator('::-p-aria([name="Connect"][role="button"])').click();
  const confirming = await (await opened).page();
  if (!confirming) throw new Error("No page to confirm the code on");
  const code = await panel.$eval(".connect-code", (shown) => shown.textContent);
  await confirming.locator(`.connection-code ::-p-text(${code})`).wait();
  await confirming.locator('::-p-aria([name="Connect"][role="button"])').click();
  await panel.bringToFront();
  await panel.waitForFunction(() => document.querySelector(".connect") === null, { polling: 100 });
  await confirming.close();
}

interface Options {
  args?: string[];
  profile?: string;
}

export async function openExtended(options: Options = {}): Promise<Extended> {
  if (!existsSync(join(folder, "manifest.json")))
    throw new Error("The extension is not built: node scripts/build-extension.mjs");
  const browser = await openBrowser({ extensions: [], ...options });
  const id = await browser.installExtension(folder);
  const extension = (await browser.extensions()).get(id);
  if (!extension) throw new Error("The browser did not take the extension");
  const address = (name: string) => `chrome-extension://${extension.id}/${name}.html`;
  return {
    browser,
    extension,
    async openPage(name) {
      const page = await browser.newPage();
      page.setDefaultTimeout(30_000);
      await page.goto(address(name));
      return page;
    },
    async openPanel(page) {
      const opened = browser.waitForTarget((target) => target.url().startsWith(address("sidepanel")));
      await extension.triggerAction(page);
      const panel = await (await opened).asPage();
      panel.setDefaultTimeout(30_000);
      return panel;
    },
  };
}
