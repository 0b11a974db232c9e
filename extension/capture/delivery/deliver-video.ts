import { Failure } from "#shared/contract/failure.ts";
import { youtubeFileId } from "#shared/video/addresses.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
import { clockOf } from "#shared/video/rules.ts";
import type { Segment } from "#shared/video/schema.ts";
import { client } from "#extension/app/client.ts";
import { words } from "#extension/words/words.ts";
import { makeCardsThere } from "./card-jobs.ts";
import { noteName } from "./ids.ts";
import { type Delivery, found, line, place, untilThere } from "./placing.ts";
import { chaptersIn, linesOf } from "../readers/said.ts";
import { type Capture, changeCapture, readRaw } from "../store.ts";
import type { ReadVideo } from "../readers/video-shapes.ts";

interface Arriving {
  /** The video component; null if only the original site can play the video. */
  componentId: string | null;
  resources: string[];
}

const file = (id: string, name: string, url: string) => ({
  file: { id, name },
  url,
  isArchived: false,
  archivedAt: null,
  thumbnail: null,
});

/** The video component's content; undefined for a segmented stream, which has no URL of its own. */
function contentOf(video: ReadVideo, { address, title }: Capture, componentId: string) {
  const { videoId, source, durationMs } = video;
  const known = { title, ...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }) };
  if (videoId !== null)
    return { ...file(youtubeFileId(videoId), title, address), videoType: "youtube" as const, ...known };
  if (source === null) return undefined;
  return { ...file(`link-${componentId}`, title, source), videoType: "url" as const, ...known };
}

/** Stores the transcript as notes with times, for a video that cannot be embedded. */
async function placeWords(delivery: Delivery, capture: Capture, lines: readonly Segment[]): Promise<string[]> {
  const said = passagesOfSegments(lines).map(({ text, locator }) => `${clockOf(locator.startMs ?? 0)} ${text}`);
  const name = await noteName(delivery.accountId, capture.address, said.join("\n"));
  const ids = said.map((_, at) => `${name}${at}`);
  if (await found(client.pages.getComponent({ id: ids[0] ?? "" }))) return [];
  const placed = said.map((text, at) =>
    place(delivery, ids[at] ?? "", { type: "text", content: line([{ content: text }]) }),
  );
  await Promise.all(placed);
  return ids;
}

/** Stores a capture's video with its transcript; if the captions could not be read, the notice says why. */
export async function deliverVideo(delivery: Delivery, capture: Capture): Promise<Arriving> {
  const { ids } = delivery;
  const video = (await readRaw(capture.id))?.video;
  if (!video) throw new Failure("bad_input", { message: words.video_unread });
  const { lines, reason } = linesOf(video);
  if (reason !== null) await changeCapture(capture.id, { notice: words[`no_captions_${reason}`] });
  const content = contentOf(video, capture, ids.videoId);
  if (!content) return { componentId: null, resources: await placeWords(delivery, capture, lines) };
  const isQueued = delivery.queue.pendingFor(ids.videoId).length > 0;
  if (!isQueued && !(await found(client.pages.getComponent({ id: ids.videoId }))))
    await place(delivery, ids.videoId, { type: "video", content });
  if (lines.length > 0) {
    await untilThere(delivery, [ids.pageId, ids.videoId]);
    const { language, name, isGenerated } = video;
    const about = { language: /^[A-Za-z]{2,3}(?:-|$)/.test(language) ? language : "und", name, isGenerated };
    await client.video.putTranscript({ id: ids.videoId, ...about, segments: lines, chapters: chaptersIn(video) });
  }
  if (capture.wants && lines.length > 0)
    await makeCardsThere(delivery, capture, { videoComponents: [{ componentId: ids.videoId }] });
  return { componentId: ids.videoId, resources: [ids.videoId] };
}
