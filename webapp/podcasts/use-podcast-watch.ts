import { useAtomValue } from "jotai/react";
import { useEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { isInProgress, POLL_INTERVAL_MS } from "#shared/podcasts/rules.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { getNotificationPermission, showBrowserNotification } from "#webapp/app/browser/browser-notifications.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { contentAtom, showPodcast } from "#webapp/library/content.ts";
import { sendPositions } from "./positions.ts";

const NONE: readonly Podcast[] = [];

function announce({ _id: id, title }: Podcast): void {
  const message = t("podcasts.ready", { title });
  const path = screenPath("podcast", { id });
  const action = { label: t("podcasts.listen"), run: () => goTo(path) };
  notify({ message, type: "success", ...(location.pathname === path ? {} : { action }) });
  // A system notification only if the student allowed notifications and the tab is hidden.
  if (document.visibilityState === "visible" || getNotificationPermission() !== "granted") return;
  showBrowserNotification({ title: message, body: "", tag: `podcast-${id}`, path }).catch((error: unknown) =>
    logWarning("Could not show a notification", error),
  );
}

async function poll(podcasts: readonly Podcast[]): Promise<void> {
  for (const { _id: id } of podcasts)
    await loadForAccount(
      () => client.podcasts.getPodcast({ id }),
      ({ podcast }) => showPodcast(podcast),
      (error) => logWarning("Could not follow a podcast", error),
    );
}

/** Notifies the student that an episode failed, unless its screen is open and shows the failure. */
function announceFailure({ _id: id, title }: Podcast): void {
  const path = screenPath("podcast", { id });
  if (location.pathname === path) return;
  const action = { label: t("podcasts.show"), run: () => goTo(path) };
  notify({ message: t("podcasts.not_finished", { title }), type: "error", action });
}

/** On every screen, polls podcasts that are being made and announces each one that is finished or has failed. */
export function usePodcastWatch(): void {
  const content = useAtomValue(contentAtom);
  const podcasts = (content.state === "ready" ? content.podcasts : undefined) ?? NONE;
  const making = useRef(new Set<string>());
  useEffect(() => {
    sendPositions();
    window.addEventListener("online", sendPositions);
    return () => window.removeEventListener("online", sendPositions);
  }, []);
  useEffect(() => {
    for (const podcast of podcasts) {
      if (isInProgress(podcast)) making.current.add(podcast._id);
      else if (making.current.delete(podcast._id))
        if (podcast.status === "completed") announce(podcast);
        else announceFailure(podcast);
    }
    const inProgress = podcasts.filter(isInProgress);
    if (inProgress.length === 0) return undefined;
    const timer = setTimeout(() => void poll(inProgress), POLL_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [podcasts]);
}
