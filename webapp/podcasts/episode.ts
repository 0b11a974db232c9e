import type { Podcast, PodcastTranscript } from "#shared/podcasts/schema.ts";

/** An episode in the player, which keeps playing on all screens. */
export interface Loaded {
  podcast: Podcast;
  transcript: PodcastTranscript;
}

/** The index of the chapter at a time; -1 before the first chapter. */
export const findChapter = ({ transcript: { chapters } }: Loaded, ms: number) =>
  chapters.findLastIndex(({ startMs }) => startMs !== null && startMs <= ms);

/** An episode that the listener stopped this close to its end starts from the beginning. */
const NEAR_END_MS = 2000;

/** Where an episode starts for a listener who stopped at a time. */
export const startFrom = ({ duration_ms: durationMs }: Podcast, stoppedMs: number) =>
  stoppedMs > durationMs - NEAR_END_MS ? 0 : stoppedMs;
