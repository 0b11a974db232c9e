import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { launch, type Page } from "puppeteer";

const ID = "lamplight@lamplight.study";
/** Firefox gives every installation an address of its own; told before, it is this one. */
const HOST = "2f6b5b3e-6f0f-4a3b-9d43-0d6c3c5d7a11";
const places = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** Where Firefox is on this machine; undefined where it is not. */
export const firefoxPath = (): string | undefined =>
  process.env["FIREFOX_PATH"] ?? places.find((place) => existsSync(place));

/** What lies below the pages: the window of the browser itself, in which scripts of a test may run as well. */
interface Wire {
  connection: { send(method: string, given: object): Promise<{ result: unknown }> };
}

/** The extension as it is built for Firefox in a real one, installed as a student does it from a file. */
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
      // Such an address is never told to have been reached: what stands there tells it.
      void page.goto(`moz-extension://${HOST}/${name}.html`).catch(() => undefined);
      await page.waitForFunction(() => document.querySelector("main, .connect") !== null, { polling: 100 });
      return page;
    },
    /** What the sidebar shows; empty where none is open. */
    sidebar: () =>
      inWindow(`SidebarController.isOpen
        ? SidebarController.browser.contentDocument?.getElementById("webext-panels-browser")?.currentURI.spec ?? ""
        : ""`),
    closeSidebar: () => inWindow("SidebarController.hide()"),
    /** Presses the toolbar button on the tab in front. */
    pressAction: () =>
      inWindow(`ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs").ExtensionParent
        .apiManager.global.browserActionFor(${policy}).triggerAction(window)`),
    /** Ends the background page, as Firefox does when nothing has happened for a while. */
    endBackground: () => inWindow(`${policy}.terminateBackground().then(() => ${policy}.backgroundState)`),
    background: () => inWindow(`${policy}.backgroundState`),
    panelAddress: `moz-extension://${HOST}/sidepanel.html`,
  };
}
