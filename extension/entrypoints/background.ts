import { browser } from "wxt/browser";
import { defineBackground } from "wxt/utils/define-background";
import { captureLink, capturePage, captureSelection } from "#extension/capture/gesture.ts";
import { listen, tell } from "#extension/kit/channel.ts";
import { words } from "#extension/kit/words.ts";
import { keepBadge, writeSign } from "#extension/library/badge.ts";
import { makeMenus } from "#extension/platform/menus.ts";
import { openPanel, panelOpensOnAction } from "#extension/platform/panel.ts";
import { setSign } from "#extension/platform/tabs.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";

const MENUS = [
  { id: "card", title: words.menu_card, contexts: ["selection"] as const },
  { id: "page", title: words.menu_page, contexts: ["page"] as const },
  { id: "link", title: words.menu_link, contexts: ["link"] as const },
];
/** So often the service worker looks whether the document that sends is still there. */
const LOOK_MINUTES = 1;

function main(): void {
  // No await before the panel opens: the browser counts only what happens in the gesture itself, and it is this
  // listener, not the browser's own opening on a press, that gives access to the page.
  panelOpensOnAction();
  browser.action.onClicked.addListener((tab) => {
    openPanel(tab);
    // The press has told us this page's address.
    tell("tab");
    if (tab.id !== undefined) void writeSign({ ...tab, id: tab.id, url: tab.url, title: tab.title });
  });
  keepBadge();
  listen("full", () => void setSign(undefined, { text: "!", title: words.disk_full }));
  browser.commands.onCommand.addListener((command, tab) => {
    if (command === "open-panel") openPanel(tab);
    if (tab?.id === undefined) return;
    if (command === "capture-card") {
      openPanel(tab);
      void captureSelection(tab.id);
    }
    if (command === "capture-page") void capturePage(tab.id);
  });
  browser.contextMenus.onClicked.addListener(({ menuItemId, selectionText, linkUrl }, tab) => {
    if (tab?.id === undefined) return;
    if (menuItemId === "card") {
      openPanel(tab);
      void captureSelection(tab.id, selectionText);
    }
    if (menuItemId === "page") void capturePage(tab.id);
    if (menuItemId === "link") void captureLink(tab.id, linkUrl ?? "", selectionText ?? "");
  });
  browser.runtime.onInstalled.addListener(() => {
    void makeMenus(MENUS.map(({ id, title, contexts }) => ({ id, title, contexts: [...contexts] })));
    void browser.alarms.create("look", { periodInMinutes: LOOK_MINUTES });
    // An update ends the document that works; what waits goes on at once.
    void ensureWorker();
  });
  browser.runtime.onStartup.addListener(() => void ensureWorker());
  browser.alarms.onAlarm.addListener(() => void ensureWorker());
  // Firefox's background page works itself; Chrome's service worker is ended too soon for that, and loads none of it.
  if (import.meta.env.FIREFOX) void startHere();
}

async function startHere(): Promise<void> {
  const [{ startWork }, { keepLibrary }] = await Promise.all([
    import("#extension/capture/work.ts"),
    import("#extension/library/refresh.ts"),
  ]);
  startWork();
  keepLibrary();
}

export default defineBackground({ type: "module", main });
