import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Podcast, PodcastGuest, PodcastLength, PodcastSource } from "#shared/podcasts/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { type SessionCheck, watchSession } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { showPodcast } from "#webapp/library/content.ts";

export type ChosenSource = Pick<PodcastSource, "type" | "id">;

const dialogState = atom<readonly ChosenSource[] | undefined>(undefined);
/** Initial sources of the open dialog; undefined while it is closed. */
export const podcastDialogAtom = atom((get) => get(dialogState));
export const openPodcastDialog = (sources: readonly ChosenSource[]) => store.set(dialogState, sources);
export const closePodcastDialog = () => store.set(dialogState, undefined);

export interface PodcastOptions {
  title: string;
  sources: readonly ChosenSource[];
  guest: PodcastGuest;
  length_minutes: PodcastLength;
  has_breaks: boolean;
  may_fall_back: boolean;
}

/** The latest request without a response. Repeating it reuses its id, so that no second episode is made. */
let unanswered: { options: string; id: string } | undefined;

/** Deletes an episode that the server may have created before it was cancelled, so that it does not count. */
async function removeCancelled(id: string, isCurrent: SessionCheck): Promise<undefined> {
  // A new episode with the same options must not get the id that is being deleted.
  if (unanswered?.id === id) unanswered = undefined;
  if (!isCurrent()) return;
  try {
    await client.podcasts.deletePodcast({ id });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "not_found")
      logWarning("Could not delete a cancelled podcast", error);
  }
}

function showFailure(error: unknown): void {
  // This failure has already opened the plans dialog, which shows its message.
  if (error instanceof Failure && error.code === "limit_reached") return;
  notify({ message: describeFailedCreation(error), type: "error" });
}

function describeFailedCreation(error: unknown): string {
  if (error instanceof NoResponseError) return t("failures.network");
  logWarning("Could not make a podcast", error);
  return error instanceof Failure && error.code !== "broken" ? error.message : t("library.podcast_failed");
}

/** Creates an episode; undefined if it was cancelled, or after a failure, which is shown to the student. */
export async function createPodcast(options: PodcastOptions, signal: AbortSignal): Promise<Podcast | undefined> {
  const text = JSON.stringify(options);
  const id = unanswered?.options === text ? unanswered.id : ulid();
  unanswered = { options: text, id };
  const isCurrent = watchSession();
  try {
    const sent = { id, ...options, sources: [...options.sources] };
    const { podcast } = await client.podcasts.createPodcast(sent, { signal });
    if (signal.aborted) return await removeCancelled(id, isCurrent);
    unanswered = undefined;
    if (isCurrent()) showPodcast(podcast);
    return podcast;
  } catch (error) {
    if (signal.aborted) return removeCancelled(id, isCurrent);
    showFailure(error);
    return undefined;
  }
}
