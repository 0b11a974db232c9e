import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoResponse } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Podcast, PodcastGuest, PodcastLength, PodcastSource } from "#shared/podcasts/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
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

/** Creates an episode; undefined if it was cancelled, or after a failure, which is shown to the student. */
export async function createPodcast(options: PodcastOptions, signal: AbortSignal): Promise<Podcast | undefined> {
  const text = JSON.stringify(options);
  const id = unanswered?.options === text ? unanswered.id : ulid();
  unanswered = { options: text, id };
  const isCurrent = watchSession();
  try {
    const sent = { id, ...options, sources: [...options.sources] };
    const { podcast } = await client.podcasts.createPodcast(sent, { signal });
    if (signal.aborted) return undefined;
    unanswered = undefined;
    if (isCurrent()) showPodcast(podcast);
    return podcast;
  } catch (error) {
    if (signal.aborted) return undefined;
    // This failure has already opened the plans dialog, which shows its message.
    if (error instanceof Failure && error.code === "limit_reached") return undefined;
    notify({ message: describeFailedCreation(error), type: "error" });
    return undefined;
  }
}

function describeFailedCreation(error: unknown): string {
  if (error instanceof NoResponse) return t("failures.network");
  logWarning("Could not make a podcast", error);
  return error instanceof Failure && error.code !== "broken" ? error.message : t("library.podcast_failed");
}
