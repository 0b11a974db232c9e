import { atom } from "jotai/vanilla";
import { z } from "zod";
import { NoResponseError } from "#shared/client/client.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import type { Loaded } from "./episode.ts";
import { isBrokenAtom, loadedAtom, onEpisodeEnd, playEpisode } from "./player.ts";
import { isFinal } from "./positions.ts";
import { findSaved } from "./sound.ts";

const MAX_QUEUED = 100;
const Queue = z.array(z.string().max(64)).max(MAX_QUEUED);

/** The key contains the account's id, so that the entry is removed on sign-out. */
const storageKey = (accountId: string) => `lamplight_podcast_queue_${accountId}`;

function readQueue(): readonly string[] {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined) return [];
  try {
    return Queue.parse(JSON.parse(readLocal(storageKey(accountId)) ?? "[]"));
  } catch {
    return [];
  }
}

const queueState = atom<readonly string[]>(readQueue());
/** Ids of the episodes that are played after the current one; stored in this browser only. */
export const queueAtom = atom((get) => get(queueState));

const reread = () => store.set(queueState, readQueue());
store.sub(accountIdAtom, reread);
// Another tab may have changed the queue.
window.addEventListener("storage", reread);

function writeQueue(ids: readonly string[]): void {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined) return;
  store.set(queueState, ids);
  writeLocal(storageKey(accountId), JSON.stringify(ids));
}

export function addToQueue({ _id: id, title }: Pick<Podcast, "_id" | "title">): void {
  const otherIds = store.get(queueState).filter((queuedId) => queuedId !== id);
  if (otherIds.length >= MAX_QUEUED)
    return notify({ message: t("podcasts.queue_full", { count: MAX_QUEUED }), type: "error" });
  writeQueue([...otherIds, id]);
  notify({ message: t("podcasts.queued", { title }), type: "success" });
}

export const removeFromQueue = (id: string) => writeQueue(store.get(queueState).filter((queuedId) => queuedId !== id));

async function fetchEpisode(id: string): Promise<Loaded> {
  const [{ podcast }, transcript] = await Promise.all([
    client.podcasts.getPodcast({ id }),
    client.podcasts.getTranscript({ id }),
  ]);
  return { podcast, transcript };
}

/** The episode whose audio could not be opened. It stays in the queue. */
let failedId: string | undefined;

async function playQueued(id: string, episode: Loaded): Promise<void> {
  const isOpen = await playEpisode(episode, 0);
  failedId = isOpen ? undefined : id;
  if (isOpen) removeFromQueue(id);
}

const readLoadedId = () => store.get(loadedAtom)?.podcast._id;

/** Removes an episode that failed at first but was played later. */
function removePlayed(loadedId: string | undefined): void {
  if (failedId !== undefined && failedId === loadedId && !store.get(isBrokenAtom)) removeFromQueue(failedId);
}

/** After this many failures, no further episode is requested from the server. */
const MAX_FAILURES = 3;

/** Plays the first playable episode of the queue: only a saved one without a connection, or while the server fails. */
export async function playNext(): Promise<void> {
  const startedWith = readLoadedId();
  removePlayed(startedWith);
  let failures = 0;
  for (const id of store.get(queueState))
    try {
      const episode = (await findSaved(id)) ?? (failures < MAX_FAILURES ? await fetchEpisode(id) : undefined);
      // Another episode was loaded in the meantime.
      if (readLoadedId() !== startedWith) return;
      if (!episode || !store.get(queueState).includes(id)) continue;
      if (!episode.podcast.is_archived) return await playQueued(id, episode);
      removeFromQueue(id);
    } catch (error) {
      logWarning("Could not play the next podcast", error);
      if (isFinal(error)) removeFromQueue(id);
      // It stays in the queue, because it can be played later. Other episodes would need a connection too.
      else failures += error instanceof NoResponseError ? MAX_FAILURES : 1;
    }
}

onEpisodeEnd(() => void playNext());
