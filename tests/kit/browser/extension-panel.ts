import { type EvaluateFunc, type Page, type Target, TargetType } from "puppeteer";
import { expect } from "vitest";
import { checkScreen, takePicture } from "#tests/kit/student.ts";
import { startLamplight, connectExtension, type ExtensionBrowser, openExtensionBrowser } from "./extension.ts";

/** The parts of `chrome` that tests need. `dispatch` does what the browser does when a menu entry is chosen. */
interface Chrome {
  runtime: { sendMessage(message: object): Promise<unknown> };
  tabs: { query(filter: object): Promise<{ url?: string }[]> };
  contextMenus: { onClicked: { dispatch(info: object, tab: object | undefined): void } };
  commands: { onCommand: { dispatch(command: string, tab: object | undefined): void } };
}

export const isWorker = (target: Target) =>
  target.type() === TargetType.SERVICE_WORKER && target.url().startsWith("chrome-extension:");

const withoutFragment = (address: string) => address.split("#")[0] ?? "";

/** Checks the panel's accessibility at its usual width, light and dark, and that nothing overflows at 320 px. */
export async function checkPanel(panel: Page, name: string): Promise<void> {
  expect(await checkScreen(panel, `extension-${name}`)).toEqual([]);
  await panel.setViewport({ width: 320, height: 740 });
  await takePicture(panel, `extension-${name}-320`);
  expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await panel.setViewport({ width: 400, height: 900 });
}

/** Drives the side panel by roles and names. */
export function drivePanel({ browser, extension }: ExtensionBrowser, panel: Page) {
  const readPanel = () => panel.evaluate(() => document.body.innerText);
  const waitForText = (words: string, pollingMs = 100) =>
    panel
      .waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: pollingMs }, words)
      .catch(async (cause: unknown) => {
        throw new Error(`"${words}" is not in the panel: ${await readPanel()}`, { cause });
      });
  const press = (name: string) => panel.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  /** The addresses of tabs that the browser reports to the extension. */
  const addressesOpen = () =>
    panel
      .evaluate(() => (globalThis as unknown as { chrome: Chrome }).chrome.tabs.query({}))
      .then((tabs) => tabs.map(({ url = "" }) => withoutFragment(url)));
  const isOurs = (target: Target) => isWorker(target) && target.url().includes(extension.id);
  /** Returns the last worker: a stopped one may still be listed before the new one. */
  const find = async () => (await browser.targets().findLast(isOurs)?.worker()) ?? undefined;
  /** Runs `work` in a live worker. A worker that was just stopped never answers. */
  async function inWorker<G extends unknown[], F extends EvaluateFunc<G>>(work: F, ...given: G) {
    const answered: Awaited<ReturnType<F>>[] = [];
    const ask = async () => {
      // A message starts the worker if there is none. A worker that is being stopped may take half a minute to end.
      await panel.evaluate(() =>
        (globalThis as unknown as { chrome: Chrome }).chrome.runtime.sendMessage({}).catch(() => undefined),
      );
      const found = await find();
      if (!found) return "no worker";
      return found
        .evaluate(work, ...given)
        .then((answer) => (answered.push(answer), "answered"))
        .catch(String);
    };
    await expect.poll(ask, { timeout: 60_000 }).toBe("answered");
    return answered[0] as Awaited<ReturnType<F>>;
  }
  /**
   * Dispatches what the browser sends when a menu entry or a shortcut is used on the active tab. The browser would also
   * grant access to the tab, which a test cannot do, so it waits until the active tab is one that the extension can
   * access: just after a tab was closed it may be another.
   */
  async function inFront(by: "contextMenus" | "commands", chosen: object | string): Promise<void> {
    const choose = () =>
      inWorker(
        async (url, what) => {
          const { chrome } = globalThis as unknown as { chrome: Chrome };
          const [here] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
          if (here?.url === undefined) return false;
          if (url === "commands") chrome.commands.onCommand.dispatch(what as string, here);
          else chrome.contextMenus.onClicked.dispatch(what as object, here);
          return true;
        },
        by,
        chosen,
      );
    await expect.poll(choose, { timeout: 30_000 }).toBe(true);
  }
  return {
    readPanel,
    waitForText,
    press,
    inWorker,
    /** Stops the worker, unless the browser has stopped it already. */
    endWorker: async () => {
      await (await find())?.close().catch(() => undefined);
    },
    /**
     * Replaces the tab by a new one at `to` and presses the toolbar button there, which grants access to the page. A new
     * tab, because one that showed a PDF sometimes never reports that the next page has loaded.
     */
    async visit(before: Page, to: string): Promise<Page> {
      const tab = await browser.newPage();
      await tab.setViewport(before.viewport());
      await tab.goto(to);
      await before.close();
      await extension.triggerAction(tab);
      // The browser reports the address of a tab once the extension has access to it.
      await expect.poll(addressesOpen, { timeout: 30_000 }).toContain(withoutFragment(tab.url()));
      return tab;
    },
    /** Chooses an entry of the panel's menu of capture actions. */
    async choose(name: string): Promise<void> {
      // The toolbar button may open the panel a second time, which moves the focus and closes the menu: open it again.
      const entry = `::-p-aria([name="${name}"][role="menuitem"])`;
      const isChosen = async () => {
        if ((await panel.$("[role=menu]")) === null) await press("More ways to capture");
        const found = await panel.$(entry);
        return found
          ? found.click().then(
              () => true,
              () => false,
            )
          : false;
      };
      await expect.poll(isChosen, { timeout: 30_000, interval: 100 }).toBe(true);
    },
    /** Chooses an entry of the context menu on the current page. */
    chooseMenu: (info: object): Promise<void> => inFront("contextMenus", info),
    /** Presses the keys of a command on the current page. */
    pressKeys: (command: string): Promise<void> => inFront("commands", command),
    /** The text of the latest capture in the list, once it is saved or refused. */
    async latest(title: string): Promise<string> {
      const found = await panel
        .waitForFunction(
          (wanted) => {
            const row = [...document.querySelectorAll<HTMLElement>("li.capture")][0]?.innerText ?? "";
            return row.startsWith(wanted) && /· (?:saved|not accepted)/.test(row) ? row : false;
          },
          { polling: 100 },
          title,
        )
        .catch(async (cause: unknown) => {
          throw new Error(`"${title}" is neither saved nor refused: ${await readPanel()}`, { cause });
        });
      return String(await found.jsonValue());
    },
  };
}

interface PanelOptions {
  /** Options for launching the browser. */
  browser: Parameters<typeof openExtensionBrowser>[0];
  /** The server's settings. */
  env?: Record<string, string>;
  /** The server address that the extension gets; `false` to leave it unconnected. */
  through?: ((server: string) => Promise<string>) | false;
}

export type PageWithPanel = Awaited<ReturnType<typeof openPageWithPanel>>;

/** Opens a page with the side panel next to it, connected to a server of its own. */
export async function openPageWithPanel(
  address: string,
  { browser, env, through = async (server) => server }: PanelOptions,
) {
  const extended = await openExtensionBrowser(browser);
  const lamplight = await startLamplight(extended.browser, env);
  const page = await extended.browser.newPage();
  await page.goto(address);
  const panel = await extended.openPanel(page);
  if (through) await connectExtension(extended, panel, await through(lamplight.server.origin));
  const close = async () => {
    await lamplight.close();
    await extended.browser.close();
  };
  return { extended, lamplight, page, panel, driver: drivePanel(extended, panel), close };
}
