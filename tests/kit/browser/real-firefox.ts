import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { launch, type Page } from "puppeteer";
import { expect } from "vitest";

const ID = "lamplight@lamplight.study";
/** Firefox assigns a random host to each installation; this preference fixes it. */
const HOST = "2f6b5b3e-6f0f-4a3b-9d43-0d6c3c5d7a11";
const places = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** The path of Firefox, if installed. */
export const firefoxPath = (): string | undefined =>
  process.env["FIREFOX_PATH"] ?? places.find((place) => existsSync(place));

/** Access to the browser's own window, where test scripts can run too. */
interface Wire {
  connection: { send(method: string, given: object): Promise<{ result: unknown }> };
}

/** The built extension in a real Firefox, installed from a file. */
export async function openFirefox(executablePath: string) {
  const browser = await launch({
    browser: "firefox",
    executablePath,
    headless: true,
    args: ["--remote-allow-system-access"],
    extraPrefsFirefox: { "extensions.webextensions.uuids": JSON.stringify({ [ID]: HOST }) },
  });
  const { connection } = browser as unknown as Wire;
  await browser.installExtension(resolve("dist/extension/firefox"));
  const tree = await connection.send("browsingContext.getTree", { "moz:scope": "chrome" });
  const [window] = (tree.result as { contexts: { context: string }[] }).contexts;
  /** Runs in the browser's own window. */
  const inWindow = async (expression: string): Promise<unknown> => {
    const target = { context: window?.context };
    const { result } = await connection.send("script.evaluate", { expression, target, awaitPromise: true });
    return (result as { result?: { value?: unknown } }).result?.value;
  };
  const policy = `WebExtensionPolicy.getByID(${JSON.stringify(ID)}).extension`;
  return {
    browser,
    /** One of the extension's own documents as a tab. */
    async open(name: "sidepanel" | "options"): Promise<Page> {
      const page = await browser.newPage();
      page.setDefaultTimeout(30_000);
      // Navigation to such an address never resolves; the document's content shows that it has loaded.
      void page.goto(`moz-extension://${HOST}/${name}.html`).catch(() => undefined);
      // While the tab's first document is being replaced, Firefox refuses to run a script in it.
      const isLoaded = () => page.evaluate(() => document.querySelector("main, .connect") !== null).catch(() => false);
      await expect.poll(isLoaded, { timeout: 30_000 }).toBe(true);
      return page;
    },
    /** The sidebar's text; empty if none is open. */
    sidebar: () =>
      inWindow(`SidebarController.isOpen
        ? SidebarController.browser.contentDocument?.getElementById("webext-panels-browser")?.currentURI.spec ?? ""
        : ""`),
    closeSidebar: () => inWindow("SidebarController.hide()"),
    /** Clicks the toolbar button on the current tab. */
    pressAction: () =>
      inWindow(`ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs").ExtensionParent
        .apiManager.global.browserActionFor(${policy}).triggerAction(window)`),
    /** Stops the background page, as Firefox does after some idle time. */
    endBackground: () => inWindow(`${policy}.terminateBackground().then(() => ${policy}.backgroundState)`),
    background: () => inWindow(`${policy}.backgroundState`),
    panelAddress: `moz-extension://${HOST}/sidepanel.html`,
  };
}
