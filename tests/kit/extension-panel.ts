import { type Page, type Target, TargetType } from "puppeteer";
import type { Extended } from "./extension.ts";

/** The extension's own world, as far as tests need it; `dispatch` is what the browser does when an entry is chosen. */
interface Chrome {
  tabs: { query(filter: object): Promise<object[]> };
  contextMenus: { onClicked: { dispatch(info: object, tab: object | undefined): void } };
  commands: { onCommand: { dispatch(command: string, tab: object | undefined): void } };
}

export const isWorker = (target: Target) =>
  target.type() === TargetType.SERVICE_WORKER && target.url().startsWith("chrome-extension:");

/** A student at the panel: finds things by role and name, and reads what it says. */
export function atPanel({ browser, extension }: Extended, panel: Page) {
  const says = () => panel.evaluate(() => document.body.innerText);
  const reads = (words: string, pollingMs = 100) =>
    panel
      .waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: pollingMs }, words)
      .catch(async (cause: unknown) => {
        throw new Error(`"${words}" not read: ${await says()}`, { cause });
      });
  const press = (name: string) => panel.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  const worker = async () => {
    const found = await (await browser.waitForTarget(isWorker)).worker();
    if (!found) throw new Error("The worker of the extension is gone");
    return found;
  };
  return {
    says,
    reads,
    press,
    worker,
    /**
     * Goes to a page and presses the toolbar button there, which is what gives access to it. The page is in a tab of its
     * own, in place of the one before: one that showed a PDF now and then never tells that its next page has come.
     */
    async visit(before: Page, address: string): Promise<Page> {
      const tab = await browser.newPage();
      await tab.setViewport(before.viewport());
      await tab.goto(address);
      await before.close();
      await extension.triggerAction(tab);
      return tab;
    },
    /** Chooses one of the ways to capture that stand behind the panel's first. */
    async choose(name: string): Promise<void> {
      await press("More ways to capture");
      await panel.locator(`::-p-aria([name="${name}"][role="menuitem"])`).click();
    },
    /** Chooses an entry of the context menu on the page in front. */
    async chooseMenu(info: object): Promise<void> {
      await (
        await worker()
      ).evaluate(async (chosen) => {
        const { chrome } = globalThis as unknown as { chrome: Chrome };
        const [here] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
        chrome.contextMenus.onClicked.dispatch(chosen, here);
      }, info);
    },
    /** Presses the keys of a command on the page in front. */
    async pressKeys(command: string): Promise<void> {
      await (
        await worker()
      ).evaluate(async (name) => {
        const { chrome } = globalThis as unknown as { chrome: Chrome };
        const [here] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
        chrome.commands.onCommand.dispatch(name, here);
      }, command);
    },
    /** What the list says of its latest capture, once that has been settled. */
    async latest(title: string): Promise<string> {
      const found = await panel
        .waitForFunction(
          (wanted) => {
            const row = [...document.querySelectorAll<HTMLElement>("li.capture")][0]?.innerText ?? "";
            return row.startsWith(wanted) && /· (?:saved|not taken)/.test(row) ? row : false;
          },
          { polling: 100 },
          title,
        )
        .catch(async (cause: unknown) => {
          throw new Error(`"${title}" not settled: ${await says()}`, { cause });
        });
      return String(await found.jsonValue());
    },
  };
}
