import { MAX_SOURCES, MIN_SOURCES } from "./rules.ts";
import type { PodcastGuest } from "./schema.ts";
import { findVoice } from "./voices.ts";

type Invalid = "podcast_source_count" | "podcast_guest_invalid";

/** The first thing wrong with a wish for an episode. */
export function checkCreation(sources: readonly unknown[], guest: Partial<PodcastGuest> | undefined) {
  if (sources.length < MIN_SOURCES || sources.length > MAX_SOURCES) return "podcast_source_count" satisfies Invalid;
  const isValid = (guest?.name ?? "").trim() !== "" && findVoice(guest?.voice ?? "") !== undefined;
  return isValid ? undefined : ("podcast_guest_invalid" satisfies Invalid);
}
