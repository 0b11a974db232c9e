import type { SharedPodcast } from "#shared/podcasts/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { presentTranscript } from "./present.ts";
import { findPodcast, findScript, type PodcastDoc } from "./store.ts";

async function findComplete(own: Own, id: string): Promise<PodcastDoc | undefined> {
  const podcast = await findPodcast(own, id);
  return podcast?.status === "completed" && !podcast.is_archived ? podcast : undefined;
}

/**
 * Title and version of a shared episode; undefined if the episode is incomplete, archived, deleted or not in this
 * account.
 */
export async function findEpisodeHead(own: Own, id: string): Promise<{ title: string; version: string } | undefined> {
  const podcast = await findComplete(own, id);
  return podcast && { title: podcast.title, version: `${podcast.attempt}.${podcast.completed_at}` };
}

/** The episode as visitors see it: no sources, no citations and nothing about its owner. */
export async function readSharedEpisode(own: Own, id: string): Promise<SharedPodcast | undefined> {
  const podcast = await findComplete(own, id);
  if (!podcast || podcast.audioFileId === null) return undefined;
  const { lines, chapters } = presentTranscript(await findScript(own, id));
  const { host, guest, engine, writer, duration_ms, audioFileId, coverFileId } = podcast;
  return {
    host,
    guest,
    engine,
    writer,
    duration_ms,
    audio_file_id: audioFileId,
    cover_file_id: coverFileId,
    chapters,
    lines: lines.map(({ citation: _citation, snapshot: _snapshot, ...line }) => line),
  };
}

/** Whether a file is the audio or the cover of an episode. */
export async function isFileOfEpisode(own: Own, id: string, fileId: string): Promise<boolean> {
  const podcast = await findComplete(own, id);
  return podcast !== undefined && (podcast.audioFileId === fileId || podcast.coverFileId === fileId);
}
