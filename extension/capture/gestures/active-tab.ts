import { tell } from "#extension/app/channel.ts";
import { activeTab } from "#extension/platform/reading-tabs.ts";
import { refuseUnread } from "../keeping.ts";

type Tab = NonNullable<Awaited<ReturnType<typeof activeTab>>>;

/** Runs an action on the active tab; shows a message in the panel if the tab cannot be read. */
export async function onActiveTab(work: (tab: Tab) => Promise<unknown>): Promise<void> {
  // First of all, pause heavy work so that the gesture is handled quickly.
  tell("gesture");
  const tab = await activeTab();
  if (!tab) return;
  await work(tab).catch((error: unknown) => refuseUnread(tab.id, error));
}
