import type { Passage } from "#shared/pdf/schema.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
import type { Chapter } from "#shared/video/schema.ts";
import { readSegments } from "./store.ts";
import { findTranscript, requireVideo, type TranscriptDeps, type TranscriptQuery } from "./transcripts.ts";

/**
 * The transcript of a video as passages: sentences of kind `paragraph` whose locator contains `startMs` and `endMs`.
 * Fetched from YouTube if none is stored. Throws `not_found`, or `no_transcript` with the reason in its message and
 * data.
 */
export async function readTranscriptPassages(
  deps: TranscriptDeps,
  componentId: string,
  query: TranscriptQuery = {},
): Promise<Passage[]> {
  return (await readTranscriptWithChapters(deps, componentId, query)).passages;
}

/** The passages of a video's transcript, with the chapters that its description lists. */
export async function readTranscriptWithChapters(
  deps: TranscriptDeps,
  componentId: string,
  query: TranscriptQuery = {},
): Promise<{ passages: Passage[]; chapters: Chapter[] }> {
  const transcript = await findTranscript(deps, await requireVideo(deps.own, componentId), query);
  return { passages: passagesOfSegments(await readSegments(deps.own, transcript)), chapters: transcript.chapters };
}
