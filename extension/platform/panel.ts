import { type Browser, browser } from "wxt/browser";

type Tab = Browser.tabs.Tab;

/** Firefox has a sidebar of its own kind; the types know Chrome's alone. */
interface Sidebar {
  open(): Promise<void>;
}
const sidebar = () => (browser as unknown as { sidebarAction?: Sidebar }).sidebarAction;

/** Our listener opens the panel: a press that the browser handles itself gives no access to the page. */
export function panelOpensOnAction(): void {
  if (import.meta.env.FIREFOX) return;
  void browser.sidePanel.setPanelBehavior({ openPanelOnActionClick: false });
}

/** Opens the panel of the tab's window. Only in a gesture, and before anything is awaited. */
export function openPanel(tab: Pick<Tab, "windowId"> | undefined): void {
  if (import.meta.env.FIREFOX) void sidebar()?.open();
  else if (tab) void browser.sidePanel.open({ windowId: tab.windowId });
}
