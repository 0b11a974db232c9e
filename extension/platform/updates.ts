import { browser } from "wxt/browser";

/** Kept by the browser, also when the worker that set it is ended. */
const WAITS = "update";
const LOOK_MINUTES = 1;

/** What is written in a panel and not yet on disk would be gone with it. */
const isPanelOpen = async () => (await browser.runtime.getContexts({ contextTypes: ["SIDE_PANEL"] })).length > 0;

async function updateUnseen(): Promise<void> {
  if (await isPanelOpen()) return browser.alarms.create(WAITS, { periodInMinutes: LOOK_MINUTES });
  await browser.alarms.clear(WAITS);
  browser.runtime.reload();
}

/**
 * Takes a new version as soon as no panel stands open. Chrome waits with it until none of our documents does, and the one
 * that sends always does: the new version would come with the next start of the browser. Firefox updates by itself.
 */
export function takeUpdates(): void {
  if (import.meta.env.FIREFOX) return;
  browser.runtime.onUpdateAvailable.addListener(() => void updateUnseen());
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === WAITS) void updateUnseen();
  });
}
