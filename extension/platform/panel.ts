import { type Browser, browser } from "wxt/browser";

type Tab = Browser.tabs.Tab;

/** Firefox's sidebar API, which the types do not include. */
interface Sidebar {
  open(): Promise<void>;
}
const sidebar = () => (browser as unknown as { sidebarAction?: Sidebar }).sidebarAction;

/** Leaves opening the panel to our listener: if Chrome opened it, the extension would get no access to the page. */
export function disableDefaultPanelOpening(): void {
  if (import.meta.env.FIREFOX) return;
  void browser.sidePanel.setPanelBehavior({ openPanelOnActionClick: false });
}

/** Opens the panel in the tab's window. Only in a user gesture, before any `await`. */
export function openPanel(tab: Pick<Tab, "windowId"> | undefined): void {
  if (import.meta.env.FIREFOX) void sidebar()?.open();
  else if (tab) void browser.sidePanel.open({ windowId: tab.windowId });
}
