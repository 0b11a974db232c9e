import { notify } from "#extension/app/channel.ts";
import { activeTab } from "#extension/platform/tab-scripts.ts";
import { reportFailedGesture } from "../save-capture.ts";

type Tab = NonNullable<Awaited<ReturnType<typeof activeTab>>>;

/** Runs an action on the active tab; shows a message in the panel if the tab cannot be read. */
export async function runOnActiveTab(action: (tab: Tab) => Promise<unknown>): Promise<void> {
  // Before anything else, pause heavy work so that the gesture is handled quickly.
  notify("gesture");
  const tab = await activeTab();
  if (!tab) return;
  await action(tab).catch((error: unknown) => reportFailedGesture(tab.id, error));
}
