import { useAtomValue } from "jotai/react";
import { useEffect, useRef } from "react";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { isInProgress, LISTENING_POLL_MS, POLL_INTERVAL_MS } from "#shared/podcasts/rules.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { getNotificationPermission, showBrowserNotification } from "#webapp/app/browser/browser-notifications.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";
import { contentAtom, hidePodcast, listedPodcastsAtom, showPodcast } from "#webapp/library/content.ts";
import { load, loadedAtom, unload } from "./player.ts";
import { sendPositions } from "./positions.ts";
import { removeSaved, removeSavedExcept } from "./sound.ts";

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
  const isCurrent = watchSession();
  for (const { _id: id } of podcasts)
    try {
      const { podcast } = await client.podcasts.getPodcast({ id });
      if (!isCurrent()) return;
      showPodcast(podcast);
    } catch (error) {
      if (!isCurrent()) return;
      logWarning("Could not follow a podcast", error);
      if (!(error instanceof Failure) || error.code !== "not_found") continue;
      hidePodcast(id);
      await removeSaved(id);
    }
}

/** Polls until it is stopped, whether a poll fails or not; returns a function that stops it. */
function startPolling(podcasts: readonly Podcast[], delayMs: number): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout>;
  const plan = () => {
    timer = setTimeout(() => void run(), delayMs);
  };
  const run = async () => {
    await poll(podcasts);
    if (!isStopped) plan();
  };
  plan();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const findOlder = ({ _id: id, updated_at: updatedAt }: Podcast) => {
  const loaded = store.get(loadedAtom);
  return loaded?.podcast._id === id && loaded.podcast.updated_at < updatedAt ? loaded : undefined;
};

/** Puts the newer state of an episode into the player, unless its own screen does that. Stops one that was archived. */
async function updatePlayer(podcast: Podcast): Promise<void> {
  const older = findOlder(podcast);
  if (!older) return;
  if (podcast.is_archived && !older.podcast.is_archived) return unload();
  if (location.pathname === screenPath("podcast", { id: podcast._id })) return;
  try {
    const isGrowing = isInProgress(older.podcast);
    const transcript = isGrowing ? await client.podcasts.getTranscript({ id: podcast._id }) : older.transcript;
    if (findOlder(podcast)) load({ podcast, transcript });
  } catch (error) {
    logWarning("Could not follow the podcast in the player", error);
  }
}

/** Notifies the student that an episode failed, unless its screen is open and shows the failure. */
function announceFailure({ _id: id, title }: Podcast): void {
  const path = screenPath("podcast", { id });
  if (location.pathname === path) return;
  const action = { label: t("podcasts.show"), run: () => goTo(path) };
  notify({ message: t("podcasts.not_finished", { title }), type: "error", action });
}

/** Removes the copies on this device of episodes that the account no longer has. */
function useRemovedCopies(): void {
  const ids = useAtomValue(listedPodcastsAtom)
    ?.map(({ _id }) => _id)
    .join(" ");
  useEffect(() => {
    if (ids !== undefined) void removeSavedExcept(new Set(ids.split(" ")));
  }, [ids]);
}

/** On every screen, polls podcasts that are being made and announces each one that is finished or has failed. */
export function usePodcastWatch(): void {
  const content = useAtomValue(contentAtom);
  const podcasts = (content.state === "ready" ? content.podcasts : undefined) ?? NONE;
  const loadedId = useAtomValue(loadedAtom)?.podcast._id;
  const making = useRef(new Set<string>());
  useEffect(() => {
    sendPositions();
    window.addEventListener("online", sendPositions);
    return () => window.removeEventListener("online", sendPositions);
  }, []);
  useEffect(() => {
    for (const podcast of podcasts) {
      if (isInProgress(podcast)) making.current.add(podcast._id);
      else if (making.current.delete(podcast._id) && !podcast.is_archived)
        if (podcast.status === "completed") announce(podcast);
        else announceFailure(podcast);
    }
    for (const podcast of podcasts) void updatePlayer(podcast);
  }, [podcasts]);
  useEffect(() => {
    const inProgress = podcasts.filter(isInProgress);
    if (inProgress.length === 0) return undefined;
    const isPlayed = inProgress.some(({ _id }) => _id === loadedId);
    return startPolling(inProgress, isPlayed ? LISTENING_POLL_MS : POLL_INTERVAL_MS);
  }, [podcasts, loadedId]);
  useRemovedCopies();
}
