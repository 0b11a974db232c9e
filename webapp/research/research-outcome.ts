import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { getNotificationPermission, showBrowserNotification } from "#webapp/app/browser/browser-notifications.ts";
import { openPlanModal } from "#webapp/app/overlays.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { cacheResearch } from "#webapp/offline/research-cache.ts";

/** The reason why a question was not researched. Opens the plans dialog if the daily limit is reached. */
export function describeRefusal(error: unknown): string {
  if (error instanceof NoResponseError && error.reason !== "network") return t("research.too_long");
  if (!(error instanceof Failure)) return t("research.failed");
  if (error.code === "limit_reached") {
    openPlanModal(t("research.limit"), "researchMessages");
    return t("research.limit");
  }
  return error.code === "too_many_requests" ? error.message : t("research.failed");
}

/** Saves a session that has ended for offline reading. */
export async function cacheFinished(session: ResearchSession): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId !== undefined && session.run.status !== "running") await cacheResearch(accountId, session);
}

/** Notifies the student of a failed run, and of a finished run if the tab is not focused. */
export function announceEnd({ _id: id, run, conversation_title: title }: ResearchSession): void {
  if (run.status === "failed") notify({ message: t("research.failed"), type: "error" });
  if (run.status !== "done" || document.hasFocus() || getNotificationPermission() !== "granted") return;
  void showBrowserNotification({
    title: t("research.finished_title"),
    body: title,
    tag: `research-${id}`,
    path: screenPath("researchSession", { id }),
  });
}
