import { type EvaluateFunc, type Page, type Target, TargetType } from "puppeteer";
import { expect } from "vitest";
import { startLamplight, connectExtension, type ExtensionBrowser, openExtensionBrowser } from "./extension.ts";

/** The extension's own world, as far as tests need it; `dispatch` is what the browser does when an entry is chosen. */
interface Chrome {
  runtime: { sendMessage(message: object): Promise<unknown> };
  tabs: { query(filter: object): Promise<{ url?: string }[]> };
  contextMenus: { onClicked: { dispatch(info: object, tab: object | undefined): void } };
  commands: { onCommand: { dispatch(command: string, tab: object | undefined): void } };
}

export const isWorker = (target: Target) =>
  target.type() === TargetType.SERVICE_WORKER && target.url().startsWith("chrome-extension:");

const withoutFragment = (address: string) => address.split("#")[0] ?? "";

/** A student at the panel: finds things by role and name, and reads what it says. */
export function drivePanel({ browser, extension }: ExtensionBrowser, panel: Page) {
  const readPanel = () => panel.evaluate(() => document.body.innerText);
  const waitForText = (words: string, pollingMs = 100) =>
    panel
      .waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: pollingMs }, words)
      .catch(async (cause: unknown) => {
        throw new Error(`"${words}" not read: ${await readPanel()}`, { cause });
      });
  const press = (name: string) => panel.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  /** The addresses of tabs that the browser tells the extension. */
  const addressesOpen = () =>
    panel
      .evaluate(() => (globalThis as unknown as { chrome: Chrome }).chrome.tabs.query({}))
      .then((tabs) => tabs.map(({ url = "" }) => withoutFragment(url)));
  const isOurs = (target: Target) => isWorker(target) && target.url().includes(extension.id);
  /** One that was ended may still be listed, before the new one. */
  const find = async () => (await browser.targets().findLast(isOurs)?.worker()) ?? undefined;
  /** Runs in the worker: the one that answers, which one that was just ended never does. */
  async function inWorker<G extends unknown[], F extends EvaluateFunc<G>>(work: F, ...given: G) {
    const answered: Awaited<ReturnType<F>>[] = [];
    const ask = async () => {
      // Without news there is no worker, and one that is told to end may take half a minute over it: a message that says
      // nothing is answered by the next.
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
   * What the browser does when an entry or a key is chosen on the page in front. It gives access with that, which a test
   * cannot: the tab in front must be one that has it, and for a moment after a tab was closed it may be another.
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
    /** Ends the worker; one that the browser has ended meanwhile cannot be ended again, which is as well. */
    endWorker: async () => {
      await (await find())?.close().catch(() => undefined);
    },
    /**
     * Goes to a page and presses the toolbar button there, which is what gives access to it. The page is in a tab of its
     * own, in place of the one before: one that showed a PDF now and then never tells that its next page has come.
     */
    async visit(before: Page, to: string): Promise<Page> {
      const tab = await browser.newPage();
      await tab.setViewport(before.viewport());
      await tab.goto(to);
      await before.close();
      await extension.triggerAction(tab);
      // With access the browser tells the tab's address: what follows needs it.
      await expect.poll(addressesOpen, { timeout: 30_000 }).toContain(withoutFragment(tab.url()));
      return tab;
    },
    /** Chooses one of the ways to capture that stand behind the panel's first. */
    async choose(name: string): Promise<void> {
      // The press on the toolbar button may open the panel, which stands open, once more: that takes the focus, and with
      // it the menu. Whoever sees it shut opens it again.
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
    /** Chooses an entry of the context menu on the page in front. */
    chooseMenu: (info: object): Promise<void> => inFront("contextMenus", info),
    /** Presses the keys of a command on the page in front. */
    pressKeys: (command: string): Promise<void> => inFront("commands", command),
    /** What the list says of its latest capture, once that has been settled. */
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
          throw new Error(`"${title}" not settled: ${await readPanel()}`, { cause });
        });
      return String(await found.jsonValue());
    },
  };
}

interface PanelOptions {
  /** How the browser is begun. */
  browser: Parameters<typeof openExtensionBrowser>[0];
  /** Settings of the server. */
  env?: Record<string, string>;
  /** What address of the server the extension is given; `false` where nobody is to be connected. */
  through?: ((server: string) => Promise<string>) | false;
}

export type BesidePanel = Awaited<ReturnType<typeof openBesidePanel>>;

/** Ada with a page in front and the panel beside it, connected to a Lamplight of her own. */
export async function openBesidePanel(
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
  return { extended, lamplight, page, panel, at: drivePanel(extended, panel), close };
}
