import { type Browser, browser } from "wxt/browser";

export interface Entry {
  id: string;
  title: string;
  contexts: NonNullable<Browser.contextMenus.CreateProperties["contexts"]>;
  /** Shown on these sites alone; left out, on all. */
  documentUrlPatterns?: string[];
}

/** Menus are kept by the browser: they are made anew when the extension is installed or updated. */
export async function makeMenus(entries: readonly Entry[]): Promise<void> {
  await browser.contextMenus.removeAll();
  for (const entry of entries) browser.contextMenus.create({ ...entry });
}
