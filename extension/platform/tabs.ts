import { type Browser, browser } from "wxt/browser";

export interface ShownTab {
  id: number;
  windowId: number;
  /** Known if the student pressed the toolbar button on this page or granted access to tab addresses. */
  url: string | undefined;
  title: string | undefined;
}

const shown = ({ id, windowId, url, title }: Browser.tabs.Tab): ShownTab | undefined =>
  id === undefined ? undefined : { id, windowId, url: url || undefined, title };

/** Calls `heard` when a tab becomes active or navigates. */
export function onTabShown(heard: (tab: ShownTab) => Promise<void> | void): () => void {
  const tell = (tab: Browser.tabs.Tab) => {
    const found = shown(tab);
    if (found) void heard(found);
  };
  const activated = ({ tabId }: { tabId: number }) => void browser.tabs.get(tabId).then(tell, () => undefined);
  const updated = (_: number, { url, status }: { url?: string; status?: string }, tab: Browser.tabs.Tab) => {
    if (tab.active && (url !== undefined || status === "complete")) tell(tab);
  };
  browser.tabs.onActivated.addListener(activated);
  browser.tabs.onUpdated.addListener(updated);
  return () => {
    browser.tabs.onActivated.removeListener(activated);
    browser.tabs.onUpdated.removeListener(updated);
  };
}

/** Calls `heard` when a tab starts to load something else. */
export function onTabLeft(heard: (tabId: number) => void): () => void {
  const updated = (tabId: number, { status }: { status?: string }) => {
    if (status === "loading") heard(tabId);
  };
  browser.tabs.onUpdated.addListener(updated);
  return () => browser.tabs.onUpdated.removeListener(updated);
}

/**
 * Calls `heard` on each press of the toolbar button; registered here because the service worker may just have ended.
 */
export function onPressed(heard: () => void): () => void {
  browser.action.onClicked.addListener(heard);
  return () => browser.action.onClicked.removeListener(heard);
}

/** The active tab of this document's window. */
export async function tabBeside(): Promise<ShownTab | undefined> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab && shown(tab);
}

/** The active tab of every window. */
export async function tabsInFront(): Promise<ShownTab[]> {
  return (await browser.tabs.query({ active: true })).flatMap((tab) => shown(tab) ?? []);
}

/** Sets badge and tooltip of the toolbar button, for one tab or all. */
export async function setSign(tabId: number | undefined, { text, title }: { text: string; title: string }) {
  const of = tabId === undefined ? {} : { tabId };
  // The tab may be closed by now.
  await Promise.all([browser.action.setBadgeText({ ...of, text }), browser.action.setTitle({ ...of, title })]).catch(
    () => undefined,
  );
}

const ADDRESSES = { permissions: ["tabs" as const] };

export const mayFollow = (): Promise<boolean> => browser.permissions.contains(ADDRESSES);

/** Requests access to tab addresses; only in a user gesture. False if it is denied by the student or by policy. */
export const askToFollow = (): Promise<boolean> => browser.permissions.request(ADDRESSES).catch(() => false);

/** Calls `heard` when permissions change. */
export function onPermissions(heard: () => void): () => void {
  const { onAdded, onRemoved } = browser.permissions;
  onAdded.addListener(heard);
  onRemoved.addListener(heard);
  return () => {
    onAdded.removeListener(heard);
    onRemoved.removeListener(heard);
  };
}

/** Whether the browser's settings give the extension access to local files. */
export const canReadFiles = (): Promise<boolean> => browser.extension.isAllowedFileSchemeAccess();
