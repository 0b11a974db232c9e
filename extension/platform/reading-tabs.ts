import { browser } from "wxt/browser";

/** Runs one of the reading scripts in a tab and answers what the first frame with something to say said. */
export async function runInTab(tabId: number, script: "read-selection" | "read-page"): Promise<unknown[]> {
  const frames = await browser.scripting.executeScript({
    target: { tabId, allFrames: script === "read-selection" },
    files: [`/${script}.js`],
  });
  return frames.map(({ result }) => result);
}

export async function activeTab(): Promise<{ id: number; windowId: number; url: string | undefined } | undefined> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  return tab?.id === undefined ? undefined : { id: tab.id, windowId: tab.windowId, url: tab.url };
}

/** A short sign on the toolbar button: kept, or not. */
export async function showBadge(text: string, tabId?: number): Promise<void> {
  await browser.action.setBadgeText({ text, ...(tabId === undefined ? {} : { tabId }) });
}

/** Lights a passage in a tab; undefined where this tab may not be touched. */
export async function lightInTab(
  tabId: number,
  anchor: { quote: string; prefix?: string | undefined; suffix?: string | undefined },
): Promise<boolean | undefined> {
  try {
    await browser.scripting.executeScript({
      target: { tabId, allFrames: true },
      func: (given: unknown) => {
        Object.assign(globalThis, { lamplightAnchor: given });
      },
      args: [anchor],
    });
    const target = { tabId, allFrames: true };
    const frames = await browser.scripting.executeScript({ target, files: ["/light-passage.js"] });
    return frames.some(({ result }) => result === true);
  } catch {
    return undefined;
  }
}
