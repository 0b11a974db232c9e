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
