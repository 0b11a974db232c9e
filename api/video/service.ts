import type { Passage } from "#shared/pdf/schema.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
export { registerSpeech, videosBeingHeard } from "./speech.ts";
import { readSegments } from "./store.ts";
export { forgetTranscripts, transcriptRefusals, transcriptRevisions } from "./store.ts";
import { findTranscript, requireVideo, type TranscriptReader, type TranscriptWish } from "./transcripts.ts";

/**
 * What is said in a video of the caller, as engines, search and citations read it: sentences joined from the lines of
 * its transcript, each a passage of kind `paragraph` whose locator holds `startMs` and `endMs`. YouTube is asked where
 * nothing is kept. Fails with `not_found`, or `no_transcript` with the reason in words and in its data.
 */
export async function transcriptPassages(
  reader: TranscriptReader,
  componentId: string,
  wish: TranscriptWish = {},
): Promise<Passage[]> {
  const transcript = await findTranscript(reader, await requireVideo(reader.own, componentId), wish);
  return passagesOfSegments(await readSegments(reader.own, transcript));
}
