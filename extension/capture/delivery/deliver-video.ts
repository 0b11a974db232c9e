import { Failure } from "#shared/contract/failure.ts";
import { youtubeFileId } from "#shared/video/addresses.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import type { TranscriptSegment } from "#shared/video/schema.ts";
import { client } from "#extension/app/client.ts";
import { words } from "#extension/words/words.ts";
import { requestCards } from "./card-jobs.ts";
import { deriveNoteIdPrefix } from "./derived-ids.ts";
import { type Delivery, unlessNotFound, textLine, createComponent, ensureSent } from "./library-delivery.ts";
import { chaptersOf, captionLines } from "../readers/caption-lines.ts";
import { type Capture, changeCapture, readRaw } from "../store.ts";
import type { ReadVideo } from "../readers/video-shapes.ts";

interface DeliveredCapture {
  /** The video component; null if only the original site can play the video. */
  componentId: string | null;
  resources: string[];
}

const fileContent = (id: string, name: string, url: string) => ({
  file: { id, name },
  url,
  isArchived: false,
  archivedAt: null,
  thumbnail: null,
});

/** The video component's content; undefined for a segmented stream, which has no URL of its own. */
function toVideoContent(video: ReadVideo, { address, title }: Capture, componentId: string) {
  const { videoId, source, durationMs } = video;
  const known = { title, ...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }) };
  if (videoId !== null)
    return { ...fileContent(youtubeFileId(videoId), title, address), videoType: "youtube" as const, ...known };
  if (source === null) return undefined;
  return { ...fileContent(`link-${componentId}`, title, source), videoType: "url" as const, ...known };
}

/** Stores the transcript as notes with times, for a video that cannot be embedded. */
async function createTranscriptNotes(
  delivery: Delivery,
  capture: Capture,
  lines: readonly TranscriptSegment[],
): Promise<string[]> {
  const texts = passagesOfSegments(lines).map(({ text, locator }) => `${formatTimecode(locator.startMs ?? 0)} ${text}`);
  const idPrefix = await deriveNoteIdPrefix(delivery.accountId, capture.address, texts.join("\n"));
  const ids = texts.map((_, index) => `${idPrefix}${index}`);
  if (await unlessNotFound(client.pages.getComponent({ id: ids[0] ?? "" }))) return [];
  const created = texts.map((text, index) =>
    createComponent(delivery, ids[index] ?? "", { type: "text", content: textLine([{ content: text }]) }),
  );
  await Promise.all(created);
  return ids;
}

/** Stores a capture's video with its transcript; if the captions could not be read, the notice says why. */
export async function deliverVideo(delivery: Delivery, capture: Capture): Promise<DeliveredCapture> {
  const { ids } = delivery;
  const video = (await readRaw(capture.id))?.video;
  if (!video) throw new Failure("bad_input", { message: words.video_interrupted });
  const { lines, reason } = captionLines(video);
  if (reason !== null) await changeCapture(capture.id, { notice: words[`no_captions_${reason}`] });
  const content = toVideoContent(video, capture, ids.videoId);
  if (!content) return { componentId: null, resources: await createTranscriptNotes(delivery, capture, lines) };
  const isQueued = delivery.queue.pendingFor(ids.videoId).length > 0;
  if (!isQueued && !(await unlessNotFound(client.pages.getComponent({ id: ids.videoId }))))
    await createComponent(delivery, ids.videoId, { type: "video", content });
  if (lines.length > 0) {
    await ensureSent(delivery, [ids.pageId, ids.videoId]);
    const { language, name, isGenerated } = video;
    const captionFields = { language: /^[A-Za-z]{2,3}(?:-|$)/.test(language) ? language : "und", name, isGenerated };
    await client.video.putTranscript({
      id: ids.videoId,
      ...captionFields,
      segments: lines,
      chapters: chaptersOf(video),
    });
  }
  if (capture.wants && lines.length > 0)
    await requestCards(delivery, capture, { videoComponents: [{ componentId: ids.videoId }] });
  return { componentId: ids.videoId, resources: [ids.videoId] };
}
