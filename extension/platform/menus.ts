import { type Browser, browser } from "wxt/browser";

interface Entry {
  id: string;
  title: string;
  contexts: Browser.contextMenus.CreateProperties["contexts"];
}

/** Menus are kept by the browser: they are made anew when the extension is installed or updated. */
export async function makeMenus(entries: readonly Entry[]): Promise<void> {
  await browser.contextMenus.removeAll();
  for (const { id, title, contexts } of entries)
    browser.contextMenus.create({ id, title, ...(contexts && { contexts }) });
}
