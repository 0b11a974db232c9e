import { type Browser, browser } from "wxt/browser";

export interface ShownTab {
  id: number;
  windowId: number;
  /** Known if the student pressed the toolbar button on this page or granted access to tab addresses. */
  url: string | undefined;
  title: string | undefined;
}

const toShownTab = ({ id, windowId, url, title }: Browser.tabs.Tab): ShownTab | undefined =>
  id === undefined ? undefined : { id, windowId, url: url || undefined, title };

/** Calls `listener` when a tab becomes active or navigates. */
export function onTabShown(listener: (tab: ShownTab) => Promise<void> | void): () => void {
  const notifyListener = (tab: Browser.tabs.Tab) => {
    const found = toShownTab(tab);
    if (found) void listener(found);
  };
  const activated = ({ tabId }: { tabId: number }) =>
    void browser.tabs.get(tabId).then(notifyListener, () => undefined);
  const updated = (_: number, { url, status }: { url?: string; status?: string }, tab: Browser.tabs.Tab) => {
    if (tab.active && (url !== undefined || status === "complete")) notifyListener(tab);
  };
  browser.tabs.onActivated.addListener(activated);
  browser.tabs.onUpdated.addListener(updated);
  return () => {
    browser.tabs.onActivated.removeListener(activated);
    browser.tabs.onUpdated.removeListener(updated);
  };
}

/** Calls `listener` when a tab starts to load something else. */
export function onTabLeft(listener: (tabId: number) => void): () => void {
  const updated = (tabId: number, { status }: { status?: string }) => {
    if (status === "loading") listener(tabId);
  };
  browser.tabs.onUpdated.addListener(updated);
  return () => browser.tabs.onUpdated.removeListener(updated);
}

/**
 * Calls `listener` on each press of the toolbar button; registered here because the service worker may just have ended.
 */
export function onToolbarPress(listener: () => void): () => void {
  browser.action.onClicked.addListener(listener);
  return () => browser.action.onClicked.removeListener(listener);
}

/** The active tab of this document's window. */
export async function findActiveTab(): Promise<ShownTab | undefined> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab && toShownTab(tab);
}

/** The active tab of every window. */
export async function listActiveTabs(): Promise<ShownTab[]> {
  return (await browser.tabs.query({ active: true })).flatMap((tab) => toShownTab(tab) ?? []);
}

/** Sets badge and tooltip of the toolbar button, for one tab or all. */
export async function setToolbarBadge(tabId: number | undefined, { text, title }: { text: string; title: string }) {
  const target = tabId === undefined ? {} : { tabId };
  // The tab may be closed by now.
  await Promise.all([
    browser.action.setBadgeText({ ...target, text }),
    browser.action.setTitle({ ...target, title }),
  ]).catch(() => undefined);
}

const TAB_PERMISSION = { permissions: ["tabs" as const] };

export const hasTabAccess = (): Promise<boolean> => browser.permissions.contains(TAB_PERMISSION);

/** Requests access to tab addresses; only in a user gesture. False if it is denied by the student or by policy. */
export const requestTabAccess = (): Promise<boolean> => browser.permissions.request(TAB_PERMISSION).catch(() => false);

/** Calls `listener` when permissions change. */
export function onPermissionChange(listener: () => void): () => void {
  const { onAdded, onRemoved } = browser.permissions;
  onAdded.addListener(listener);
  onRemoved.addListener(listener);
  return () => {
    onAdded.removeListener(listener);
    onRemoved.removeListener(listener);
  };
}

/** Whether the browser's settings give the extension access to local files. */
export const canReadFiles = (): Promise<boolean> => browser.extension.isAllowedFileSchemeAccess();
