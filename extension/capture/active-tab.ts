import { tell } from "#extension/kit/channel.ts";
import { activeTab } from "#extension/platform/reading-tabs.ts";
import { refuseUnread } from "./keeping.ts";

type Tab = NonNullable<Awaited<ReturnType<typeof activeTab>>>;

/** Does something with the tab beside the panel; where that lets nobody in, the panel says so. */
export async function onActiveTab(work: (tab: Tab) => Promise<unknown>): Promise<void> {
  const tab = await activeTab();
  if (!tab) return;
  tell("gesture");
  await work(tab).catch((error: unknown) => refuseUnread(tab.id, error));
}
