import { type Browser, browser } from "wxt/browser";

export interface ShownTab {
  id: number;
  windowId: number;
  /** Known where the student pressed the toolbar button on this page, or allowed addresses of tabs. */
  url: string | undefined;
  title: string | undefined;
}

const shown = ({ id, windowId, url, title }: Browser.tabs.Tab): ShownTab | undefined =>
  id === undefined ? undefined : { id, windowId, url: url || undefined, title };

/** Told of a tab that comes to the front, or that shows another address. */
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

/** Told of a tab that begins to show something else. */
export function onTabLeft(heard: (tabId: number) => void): () => void {
  const updated = (tabId: number, { status }: { status?: string }) => {
    if (status === "loading") heard(tabId);
  };
  browser.tabs.onUpdated.addListener(updated);
  return () => browser.tabs.onUpdated.removeListener(updated);
}

/** Told of each press on the toolbar button, by the browser itself: the service worker may be ended just then. */
export function onPressed(heard: () => void): () => void {
  browser.action.onClicked.addListener(heard);
  return () => browser.action.onClicked.removeListener(heard);
}

/** The tab in front of the window that this document belongs to. */
export async function tabBeside(): Promise<ShownTab | undefined> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab && shown(tab);
}

/** The tab in front of every window. */
export async function tabsInFront(): Promise<ShownTab[]> {
  return (await browser.tabs.query({ active: true })).flatMap((tab) => shown(tab) ?? []);
}

/** Mark and words of the toolbar button on one tab, or on all. */
export async function setSign(tabId: number | undefined, { text, title }: { text: string; title: string }) {
  const of = tabId === undefined ? {} : { tabId };
  // The tab may be gone by now.
  await Promise.all([browser.action.setBadgeText({ ...of, text }), browser.action.setTitle({ ...of, title })]).catch(
    () => undefined,
  );
}

const ADDRESSES = { permissions: ["tabs" as const] };

export const mayFollow = (): Promise<boolean> => browser.permissions.contains(ADDRESSES);

/** Asks for the addresses of tabs; only in a gesture. False where the student, or who manages the browser, does not allow it. */
export const askToFollow = (): Promise<boolean> => browser.permissions.request(ADDRESSES).catch(() => false);

/** Told when the student allows something further, or takes it back in the browser's own settings. */
export function onPermissions(heard: () => void): () => void {
  const { onAdded, onRemoved } = browser.permissions;
  onAdded.addListener(heard);
  onRemoved.addListener(heard);
  return () => {
    onAdded.removeListener(heard);
    onRemoved.removeListener(heard);
  };
}

/** Whether the student opened files of this computer to us, in the browser's own settings. */
export const canReadFiles = (): Promise<boolean> => browser.extension.isAllowedFileSchemeAccess();
