import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { isInProgress, LISTENING_POLL_MS, POLL_INTERVAL_MS } from "#shared/podcasts/rules.ts";
import type { Podcast, PodcastTranscript } from "#shared/podcasts/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { type SessionCheck, watchSession } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { type ItemLoadFailure, toLoadFailure } from "#webapp/app/load-failure.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { hidePodcast, showPodcast } from "#webapp/library/content.ts";
import { onRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import type { CachedPodcast } from "#webapp/offline/podcast-cache.ts";
import { load, loadedAtom, unload } from "./player.ts";
import { findLocalPosition } from "./positions.ts";
import { findSaved, loadSound, removeSaved, saveOffline } from "./sound.ts";

export type PodcastView =
  | { state: "loading" }
  | { state: "failed"; reason: ItemLoadFailure }
  | { state: "ready"; podcast: Podcast; transcript: PodcastTranscript; isSaved: boolean };

const viewState = accountAtom<PodcastView>({ state: "loading" });
/** The episode on the screen. */
export const podcastAtom = atom((get) => get(viewState));

let openedId = "";
let pollTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows an episode and polls it while it is being made; returns a function that stops this. */
export function openPodcast(id: string): () => void {
  openedId = id;
  store.set(viewState, { state: "loading" });
  void refresh(id);
  const stop = onRemoteChanges((changes) => {
    if (changes.some(({ kind, ids }) => kind === "podcasts" && ids.includes(id))) void refresh(id);
  });
  return () => {
    stop();
    clearTimeout(pollTimer);
    if (openedId === id) openedId = "";
  };
}

export const refreshOpened = () => void refresh(openedId);

async function refresh(id: string): Promise<void> {
  clearTimeout(pollTimer);
  const isCurrent = watchSession();
  try {
    const [{ podcast }, transcript] = await Promise.all([
      client.podcasts.getPodcast({ id }),
      client.podcasts.getTranscript({ id }),
    ]);
    if (!isCurrent()) return;
    showPodcast(podcast);
    await showView(podcast, transcript);
  } catch (error) {
    await showFailure(id, error, isCurrent);
  }
  planRefresh(id);
}

/** Shows the copy on this device without a connection; otherwise the failure, unless an episode is shown. */
async function showFailure(id: string, error: unknown, isCurrent: SessionCheck): Promise<void> {
  if (!isCurrent()) return;
  const reason = toLoadFailure(error, "Failed to load a podcast");
  if (reason === "missing") {
    hidePodcast(id);
    await removeSaved(id);
  }
  const saved = error instanceof NoResponseError ? await findSaved(id) : undefined;
  if (openedId !== id || !isCurrent()) return;
  if (saved) store.set(viewState, { state: "ready", ...withLocalPosition(saved), isSaved: true });
  else if (store.get(viewState).state !== "ready" || reason === "missing")
    store.set(viewState, { state: "failed", reason });
}

/** Plans the next look at an episode that is being made, also after one that failed. */
function planRefresh(id: string): void {
  const view = store.get(viewState);
  if (openedId !== id || view.state !== "ready" || view.podcast._id !== id || !isInProgress(view.podcast)) return;
  clearTimeout(pollTimer);
  const delayMs = view.podcast.duration_ms > 0 ? LISTENING_POLL_MS : POLL_INTERVAL_MS;
  pollTimer = setTimeout(() => void refresh(id), delayMs);
}

/** Replaces the position in a saved copy, which is as old as the copy. */
function withLocalPosition({ podcast, transcript }: CachedPodcast) {
  const { position_ms: savedMs, ...rest } = podcast;
  return { podcast: { ...rest, position_ms: findLocalPosition(podcast._id) ?? savedMs }, transcript };
}

/** Shows an episode, unless another episode was opened in the meantime. */
async function showView(podcast: Podcast, transcript: PodcastTranscript): Promise<void> {
  const isSaved = (await findSaved(podcast._id)) !== undefined;
  if (openedId !== podcast._id) return;
  store.set(viewState, { state: "ready", podcast, transcript, isSaved });
  if (store.get(loadedAtom)?.podcast._id === podcast._id) load({ podcast, transcript });
}

/** A failure whose message says what to do. */
const isKnown = (error: unknown): error is Failure => error instanceof Failure && error.code !== "broken";

type ChangeMessage = "retry_failed" | "update_failed" | "erase_failed";

/** Runs a change and shows its result; false after a failure, which is shown to the student. */
async function change(run: () => Promise<{ podcast: Podcast }>, message: ChangeMessage): Promise<boolean> {
  const isCurrent = watchSession();
  try {
    const { podcast } = await run();
    if (!isCurrent()) return true;
    showPodcast(podcast);
    if (openedId === podcast._id) await refresh(podcast._id);
    return true;
  } catch (error) {
    // This failure has already opened the plans dialog, which shows its message.
    if (error instanceof Failure && error.code === "limit_reached") return false;
    logWarning("Could not change a podcast", error);
    notify({ message: isKnown(error) ? error.message : t(`podcasts.${message}`), type: "error" });
    return false;
  }
}

export const retryPodcast = (id: string) => change(() => client.podcasts.retryPodcast({ id }), "retry_failed");
export const stopPodcast = (id: string) => change(() => client.podcasts.cancelPodcast({ id }), "update_failed");
export const renamePodcast = (id: string, title: string) =>
  change(() => client.podcasts.updatePodcast({ id, title }), "update_failed");

/** Deletes an episode permanently; false after a failure, which is shown to the student. */
export async function erasePodcast(id: string): Promise<boolean> {
  try {
    await client.podcasts.deletePodcast({ id });
    if (store.get(loadedAtom)?.podcast._id === id) unload();
    hidePodcast(id);
    await removeSaved(id);
    return true;
  } catch (error) {
    logWarning("Could not delete a podcast", error);
    notify({ message: t("podcasts.erase_failed"), type: "error" });
    return false;
  }
}

export async function saveCaptions({ _id: id, title }: Podcast): Promise<void> {
  try {
    saveFile(await client.podcasts.getCaptions({ id }), `${title}.vtt`);
  } catch (error) {
    logWarning("Could not save captions", error);
    notify({ message: t("podcasts.trouble_title"), type: "error" });
  }
}

/** Downloads the audio as a file with chapters and cover. */
export async function saveAudio({ _id: id, title }: Podcast): Promise<void> {
  try {
    saveFile(await loadSound(id), `${title}.mp3`);
  } catch (error) {
    logWarning("Could not save the sound of a podcast", error);
    notify({ message: t("podcasts.cannot_play"), type: "error" });
  }
}

/** Saves the shown episode on this device. */
export async function saveShownPodcast(podcast: Podcast, transcript: PodcastTranscript): Promise<void> {
  try {
    await saveOffline(podcast, transcript);
    await showView(podcast, transcript);
  } catch (error) {
    logWarning("Could not save a podcast", error);
    notify({ message: t("podcasts.keep_failed"), type: "error" });
  }
}

/** Removes the shown episode from this device; the account keeps it. */
export async function removeShownPodcast(podcast: Podcast, transcript: PodcastTranscript): Promise<void> {
  await removeSaved(podcast._id);
  await showView(podcast, transcript);
}
