import { t } from "#shared/messages/translate.ts";
import type { CalendarFeed } from "#shared/connections/calendar-contract.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";

/** Resolves to the changed feed. If the change fails, shows a notice and resolves to undefined. */
async function changeFeed(call: () => Promise<CalendarFeed>): Promise<CalendarFeed | undefined> {
  try {
    return await call();
  } catch (error) {
    logWarning("The calendar could not be changed", error);
    notify({ message: t("calendar.change_failed"), type: "error" });
    return undefined;
  }
}

export const saveFeedTime = (studyAt: string) => changeFeed(() => client.connections.saveCalendarFeed({ studyAt }));
export const switchFeed = (isOn: boolean) => changeFeed(() => client.connections.saveCalendarFeed({ isOn }));
export const renewFeedAddress = () => changeFeed(() => client.connections.renewCalendarFeed({}));

export async function copyFeedAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    notify({ message: t("calendar.copied"), type: "success" });
  } catch {
    notify({ message: t("calendar.copy_failed"), type: "error" });
  }
}
