import { type Page, type Target, TargetType } from "puppeteer";
import type { Extended } from "./extension.ts";

/** The extension's own world, as far as tests need it; `dispatch` is what the browser does when an entry is chosen. */
interface Chrome {
  tabs: { query(filter: object): Promise<object[]> };
  contextMenus: { onClicked: { dispatch(info: object, tab: object | undefined): void } };
}

const isWorker = (target: Target) =>
  target.type() === TargetType.SERVICE_WORKER && target.url().startsWith("chrome-extension:");

/** A student at the panel: finds things by role and name, and reads what it says. */
export function atPanel({ browser, extension }: Extended, panel: Page) {
  const says = () => panel.evaluate(() => document.body.innerText);
  const reads = (words: string) =>
    panel
      .waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: 100 }, words)
      .catch(async (cause: unknown) => {
        throw new Error(`"${words}" not read: ${await says()}`, { cause });
      });
  return {
    says,
    reads,
    press: (name: string) => panel.locator(`::-p-aria([name="${name}"][role="button"])`).click(),
    /** Goes to a page and presses the toolbar button there, which is what gives access to it. */
    async visit(tab: Page, address: string): Promise<void> {
      await tab.bringToFront();
      await tab.goto(address);
      await extension.triggerAction(tab);
    },
    /** Chooses an entry of the context menu on the page in front. */
    async chooseMenu(info: object): Promise<void> {
      const worker = await (await browser.waitForTarget(isWorker)).worker();
      await worker?.evaluate(async (chosen) => {
        const { chrome } = globalThis as unknown as { chrome: Chrome };
        const [here] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
        chrome.contextMenus.onClicked.dispatch(chosen, here);
      }, info);
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
