import { browser } from "wxt/browser";

/** An alarm, because it survives the end of the service worker. */
const WAITS = "update";
const LOOK_MINUTES = 1;

/** Unsaved input in a panel would be lost by a reload. */
const isPanelOpen = async () => (await browser.runtime.getContexts({ contextTypes: ["SIDE_PANEL"] })).length > 0;

async function updateUnseen(): Promise<void> {
  if (await isPanelOpen()) return browser.alarms.create(WAITS, { periodInMinutes: LOOK_MINUTES });
  await browser.alarms.clear(WAITS);
  browser.runtime.reload();
}

/**
 * Installs an update as soon as no panel is open. Chrome itself waits until none of our documents is open, but the
 * worker document always is. Firefox updates by itself.
 */
export function takeUpdates(): void {
  if (import.meta.env.FIREFOX) return;
  browser.runtime.onUpdateAvailable.addListener(() => void updateUnseen());
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === WAITS) void updateUnseen();
  });
}
