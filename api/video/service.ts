import type { Passage } from "#shared/pdf/schema.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
export { registerSpeech, videosBeingHeard } from "./speech.ts";
import { readSegments } from "./store.ts";
export { forgetTranscripts, transcriptRefusals, transcriptRevisions } from "./store.ts";
import { findTranscript, requireVideo, type TranscriptReader, type TranscriptWish } from "./transcripts.ts";

/**
 * The transcript of a video as passages: sentences of kind `paragraph` whose locator holds `startMs` and `endMs`.
 * Fetched from YouTube if none is stored. Throws `not_found`, or `no_transcript` with the reason in its message and
 * data.
 */
export async function transcriptPassages(
  reader: TranscriptReader,
  componentId: string,
  wish: TranscriptWish = {},
): Promise<Passage[]> {
  const transcript = await findTranscript(reader, await requireVideo(reader.own, componentId), wish);
  return passagesOfSegments(await readSegments(reader.own, transcript));
}
