import { type Browser, browser } from "wxt/browser";

export interface Entry {
  id: string;
  title: string;
  contexts: NonNullable<Browser.contextMenus.CreateProperties["contexts"]>;
  /** Limits the entry to these sites. */
  documentUrlPatterns?: string[];
}

/** Browsers persist menus, so they are created only on installation and update. */
export async function makeMenus(entries: readonly Entry[]): Promise<void> {
  await browser.contextMenus.removeAll();
  for (const entry of entries) browser.contextMenus.create({ ...entry });
}
