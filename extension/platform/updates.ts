import { browser } from "wxt/browser";

/** An alarm outlives the service worker. */
const UPDATE_ALARM = "update";
const CHECK_INTERVAL_MINUTES = 1;

/** Unsaved input in a panel would be lost by a reload. */
const isPanelOpen = async () => (await browser.runtime.getContexts({ contextTypes: ["SIDE_PANEL"] })).length > 0;

async function updateIfPanelClosed(): Promise<void> {
  if (await isPanelOpen()) return browser.alarms.create(UPDATE_ALARM, { periodInMinutes: CHECK_INTERVAL_MINUTES });
  await browser.alarms.clear(UPDATE_ALARM);
  browser.runtime.reload();
}

/**
 * Installs an update as soon as no panel is open. Chrome itself waits until no extension page is open,
 * which never happens while the worker document exists. Firefox updates by itself.
 */
export function installUpdates(): void {
  if (import.meta.env.FIREFOX) return;
  browser.runtime.onUpdateAvailable.addListener(() => void updateIfPanelClosed());
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === UPDATE_ALARM) void updateIfPanelClosed();
  });
}
