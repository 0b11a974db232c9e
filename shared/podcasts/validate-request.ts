import { MAX_SOURCES, MIN_SOURCES } from "./rules.ts";
import type { PodcastGuest } from "./schema.ts";
import { findVoice } from "./voices.ts";

type PodcastError = "podcast_source_count" | "podcast_guest_invalid";

/** The first error of a request for an episode; undefined if it is valid. */
export function validatePodcastRequest(
  sources: readonly unknown[],
  guest: Partial<PodcastGuest> | undefined,
): PodcastError | undefined {
  if (sources.length < MIN_SOURCES || sources.length > MAX_SOURCES) return "podcast_source_count";
  const isValid = (guest?.name ?? "").trim() !== "" && findVoice(guest?.voice ?? "") !== undefined;
  return isValid ? undefined : "podcast_guest_invalid";
}
