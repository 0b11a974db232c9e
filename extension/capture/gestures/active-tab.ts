import { tell } from "#extension/app/channel.ts";
import { activeTab } from "#extension/platform/reading-tabs.ts";
import { refuseUnread } from "../keeping.ts";

type Tab = NonNullable<Awaited<ReturnType<typeof activeTab>>>;

/** Does something with the tab beside the panel; where that lets nobody in, the panel says so. */
export async function onActiveTab(work: (tab: Tab) => Promise<unknown>): Promise<void> {
  // First of all: whatever is heavy begins nothing new while the tab is asked for.
  tell("gesture");
  const tab = await activeTab();
  if (!tab) return;
  await work(tab).catch((error: unknown) => refuseUnread(tab.id, error));
}
