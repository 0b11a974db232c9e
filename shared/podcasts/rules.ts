import type { Podcast, PodcastStatus } from "./schema.ts";

export const MIN_SOURCES = 1;
export const MAX_SOURCES = 3;
/** An episode that is not ready after this time has failed. */
export const GENERATION_LIMIT_MS = 30 * 60_000;
/** How often a client polls an episode that is being made. */
export const POLL_INTERVAL_MS = 10_000;
/** How often a client polls an unfinished episode that can already be played. */
export const LISTENING_POLL_MS = 2500;

const IN_PROGRESS: ReadonlySet<PodcastStatus> = new Set(["pending", "generating_transcript", "generating_audio"]);
export const isInProgress = ({ status }: Pick<Podcast, "status">) => IN_PROGRESS.has(status);

/** Whether generation started too long ago for an episode that is neither completed nor failed. */
export const isTimedOut = (podcast: Pick<Podcast, "status" | "generation_started_at">, now: number) =>
  isInProgress(podcast) && now - (podcast.generation_started_at ?? now) > GENERATION_LIMIT_MS;

/** Index of the line that is spoken at a time; -1 before the first. */
export function lineAt(lines: readonly { startMs?: number | undefined }[], timeMs: number): number {
  let found = -1;
  for (const [index, { startMs }] of lines.entries()) {
    if (startMs === undefined || startMs > timeMs) break;
    found = index;
  }
  return found;
}
