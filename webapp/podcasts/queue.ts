import { atom } from "jotai/vanilla";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { type Loaded, onEpisodeEnd, playEpisode } from "./player.ts";
import { findSaved } from "./sound.ts";

/** Ids of the episodes that are played after the current one. */
const queueState = accountAtom<readonly string[]>([]);
export const queueAtom = atom((get) => get(queueState));

export function addToQueue({ _id: id, title }: Pick<Podcast, "_id" | "title">): void {
  store.set(queueState, (ids) => [...ids.filter((one) => one !== id), id]);
  notify({ message: t("podcasts.queued", { title }), type: "success" });
}

export const removeFromQueue = (id: string) => store.set(queueState, (ids) => ids.filter((one) => one !== id));

async function loadEpisode(id: string): Promise<Loaded> {
  const saved = await findSaved(id);
  if (saved) return saved;
  const [{ podcast }, transcript] = await Promise.all([
    client.podcasts.getPodcast({ id }),
    client.podcasts.getTranscript({ id }),
  ]);
  return { podcast, transcript };
}

/** Plays the first episode of the queue that can be played. */
export async function playNext(): Promise<void> {
  const [id] = store.get(queueState);
  if (id === undefined) return;
  removeFromQueue(id);
  try {
    await playEpisode(await loadEpisode(id), 0);
  } catch (error) {
    logWarning("Could not play the next podcast", error);
    await playNext();
  }
}

onEpisodeEnd(() => void playNext());
