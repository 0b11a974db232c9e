import type { Podcast, PodcastTranscript } from "#shared/podcasts/schema.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { store } from "#webapp/app/store.ts";
import {
  type CachedPodcast,
  cachePodcast,
  findCachedPodcast,
  listCachedPodcasts,
  removeCachedPodcast,
} from "#webapp/offline/podcast-cache.ts";

interface SoundUrl {
  url: string;
  /** How much of the episode is behind the URL. */
  durationMs: number;
  /** Frees the memory of an object URL. */
  release: () => void;
}

export async function findSaved(id: string): Promise<CachedPodcast | undefined> {
  const accountId = store.get(accountIdAtom);
  return accountId === undefined ? undefined : findCachedPodcast(accountId, id);
}

export async function listSaved(): Promise<CachedPodcast[]> {
  const accountId = store.get(accountIdAtom);
  return accountId === undefined ? [] : listCachedPodcasts(accountId);
}

/** The URL of an episode's audio: an object URL if the episode is saved on this device, otherwise a signed URL. */
export async function findSoundUrl({ _id: id }: Podcast): Promise<SoundUrl | undefined> {
  const saved = await findSaved(id);
  if (saved) {
    const url = URL.createObjectURL(saved.audio);
    return { url, durationMs: saved.podcast.duration_ms, release: () => URL.revokeObjectURL(url) };
  }
  try {
    const { url, durationMs } = await client.podcasts.signAudio({ id });
    return { url, durationMs, release: () => {} };
  } catch (error) {
    logWarning("Could not get the address of a podcast", error);
    return undefined;
  }
}

/** Fetches the cover; undefined if it cannot be fetched. */
const loadCover = (id: string): Promise<Blob | undefined> =>
  client.podcasts.getThumbnail({ id }).catch(() => undefined);

/** The cover from the server, otherwise the cover saved on this device. */
export const findCover = async (id: string): Promise<Blob | undefined> =>
  (await loadCover(id)) ?? (await findSaved(id))?.cover;

/** The whole audio of an episode. Rejects if it cannot be loaded. */
export async function loadSound(id: string): Promise<Blob> {
  const saved = await findSaved(id);
  if (saved) return saved.audio;
  const { url } = await client.podcasts.signAudio({ id });
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the sound was answered with ${response.status}`);
  return response.blob();
}

/** Saves an episode with its audio and cover on this device. Rejects if that is not possible. */
export async function saveOffline(podcast: Podcast, transcript: PodcastTranscript): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined) return;
  const isCurrent = watchSession();
  const audio = await loadSound(podcast._id);
  const cover = podcast.thumbnail_file === null ? undefined : await loadCover(podcast._id);
  const saved = { id: podcast._id, podcast, transcript, audio };
  // Signing out has already removed what this device had saved.
  if (isCurrent()) await cachePodcast(accountId, cover ? { ...saved, cover } : saved);
}

/** Removes all copies on this device but those of these episodes. */
export async function removeSavedExcept(ids: ReadonlySet<string>): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined) return;
  for (const { id } of await listCachedPodcasts(accountId)) if (!ids.has(id)) await removeCopy(accountId, id);
}

const removeCopy = (accountId: string, id: string) =>
  removeCachedPodcast(accountId, id).catch((error: unknown) => logWarning("Could not remove a saved podcast", error));

/** Removes the copy on this device, if there is one. */
export async function removeSaved(id: string): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId !== undefined) await removeCopy(accountId, id);
}
