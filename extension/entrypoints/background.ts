import { type Browser, browser } from "wxt/browser";
import { defineBackground } from "wxt/utils/define-background";
import { captureImage, captureRegion } from "#extension/capture/gestures/gesture-image.ts";
import { captureClip, captureVideo } from "#extension/capture/gestures/gesture-video.ts";
import { captureLink, captureSelection, captureTab } from "#extension/capture/gestures/gesture.ts";
import { noticeForTab, reportFailedGesture } from "#extension/capture/save-capture.ts";
import { saveResearchDraft } from "#extension/research/research-draft.ts";
import { listen, notify } from "#extension/app/channel.ts";
import { readSetting } from "#extension/app/settings-store.ts";
import { words } from "#extension/words/words.ts";
import { startBadgeUpdates, updateBadge } from "#extension/library/badge.ts";
import { type BarRequest, listenToBarRequests } from "#extension/platform/toolbar-messages.ts";
import { type Entry, makeMenus } from "#extension/platform/menus.ts";
import { openPanel, disableDefaultPanelOpening } from "#extension/platform/panel.ts";
import { setToolbarBadge } from "#extension/platform/tabs.ts";
import { activeTab, runInTopFrame } from "#extension/platform/tab-scripts.ts";
import { installUpdates } from "#extension/platform/updates.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";

type Tab = { id: number; windowId: number; url?: string | undefined };
type Clicked = Browser.contextMenus.OnClickData;

const YOUTUBE = ["https://*.youtube.com/*"];
const MENUS: readonly Entry[] = [
  { id: "card", title: words.menu_card, contexts: ["selection"] },
  { id: "research", title: words.menu_research, contexts: ["selection"] },
  { id: "page", title: words.menu_page, contexts: ["page", "selection"] },
  { id: "cards", title: words.menu_cards, contexts: ["page"] },
  { id: "video", title: words.menu_video, contexts: ["video"] },
  { id: "clip", title: words.menu_clip, contexts: ["video"] },
  { id: "clip-here", title: words.menu_clip, contexts: ["page"], documentUrlPatterns: YOUTUBE },
  { id: "image", title: words.menu_image, contexts: ["image"] },
  { id: "region", title: words.menu_region, contexts: ["page", "image"] },
  { id: "link", title: words.menu_link, contexts: ["link"] },
  { id: "bar", title: words.menu_bar, contexts: ["page", "selection"] },
];
/** How often the service worker checks that the worker document is running. */
const CHECK_INTERVAL_MINUTES = 1;

const opensPanel = new Set(["card", "research", "clip", "clip-here", "image", "region"]);

type MenuAction = (tab: Tab, info: Partial<Clicked>) => Promise<unknown>;

const clip: MenuAction = ({ id }) => captureClip(id);
const menuActions: Readonly<Record<string, MenuAction>> = {
  card: ({ id }, { selectionText }) => captureSelection(id, selectionText),
  research: (_tab, { selectionText = "" }) => saveResearchDraft(selectionText),
  page: (tab, { selectionText }) => captureTab(tab, selectionText ? { quote: selectionText.slice(0, 8000) } : {}),
  cards: (tab) => captureTab(tab, { wants: {} }),
  video: ({ id }) => captureVideo(id),
  clip,
  "clip-here": clip,
  image: (tab, { srcUrl = "" }) => captureImage(tab, srcUrl),
  region: captureRegion,
  link: ({ id }, { linkUrl = "", selectionText = "" }) => captureLink(id, linkUrl, selectionText),
  bar: ({ id }) => runInTopFrame(id, "capture-bar"),
};

/**
 * Runs a menu entry, shortcut or toolbar action. If it fails, for example because the page cannot be read, the panel shows
 * why, and the message is returned.
 */
async function run(entry: string, tab: Tab, info: Partial<Clicked> = {}): Promise<string | undefined> {
  notify("gesture");
  try {
    await menuActions[entry]?.(tab, info);
    return undefined;
  } catch (error) {
    return reportFailedGesture(tab.id, error);
  }
}

/** Runs an action of the toolbar in the page and returns its result for the student. */
async function runBarRequest(request: BarRequest, tab: Tab): Promise<string> {
  if (request === "panel") {
    openPanel(tab);
    return words.bar_done_panel;
  }
  const problem = await run(request, tab);
  return problem ?? (noticeForTab(await readSetting("notice"), tab.id) || words[`bar_done_${request}`]);
}

/** In the browser's PDF viewer a menu event reports no real tab: use the active one. */
async function tabOf(tab: Browser.tabs.Tab | undefined): Promise<Tab | undefined> {
  if (tab?.id === undefined || tab.id < 0) return activeTab();
  return { id: tab.id, windowId: tab.windowId, url: tab.url };
}

function main(): void {
  // No `await` before the panel opens: browsers accept it only during the user gesture, and this listener (unlike the
  // browser's own opening) grants access to the page.
  disableDefaultPanelOpening();
  browser.action.onClicked.addListener((tab) => {
    openPanel(tab);
    if (tab.id !== undefined) void updateBadge({ ...tab, id: tab.id, url: tab.url, title: tab.title });
  });
  startBadgeUpdates();
  listen("full", () => void setToolbarBadge(undefined, { text: "!", title: words.disk_full }));
  browser.commands.onCommand.addListener((command, tab) => {
    if (command !== "capture-page") openPanel(tab);
    if (tab?.id === undefined) return;
    void run(command.replace("capture-", ""), { id: tab.id, windowId: tab.windowId, url: tab.url });
  });
  browser.contextMenus.onClicked.addListener((info, tab) => {
    const entry = String(info.menuItemId);
    if (opensPanel.has(entry) && tab && tab.windowId >= 0) openPanel(tab);
    void tabOf(tab).then((knownTab) => knownTab && run(entry, knownTab, info));
  });
  listenToBarRequests(runBarRequest);
  browser.runtime.onInstalled.addListener(() => {
    void makeMenus(MENUS);
    void browser.alarms.create("look", { periodInMinutes: CHECK_INTERVAL_MINUTES });
    // An update ends the worker document; restart it at once.
    void ensureWorker();
  });
  browser.runtime.onStartup.addListener(() => void ensureWorker());
  browser.alarms.onAlarm.addListener(() => void ensureWorker());
  installUpdates();
  // Firefox's background page processes captures itself. Chrome's service worker ends too soon, so it does not load that
  // code.
  if (import.meta.env.FIREFOX) void startInBackgroundPage();
}

async function startInBackgroundPage(): Promise<void> {
  const [{ startProcessing: startWork }, { startLibraryRefresh }] = await Promise.all([
    import("#extension/capture/delivery/process-captures.ts"),
    import("#extension/library/refresh-library.ts"),
  ]);
  startWork();
  startLibraryRefresh();
}

export default defineBackground({ type: "module", main });
