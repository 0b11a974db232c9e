import { plainCaption } from "#shared/video/caption-text.ts";
import { cleanSegments } from "#shared/video/rules.ts";
import { describedChapters } from "#shared/video/chapters.ts";
import type { Segment } from "#shared/video/schema.ts";
import { readYoutubeCaptions } from "#shared/video/youtube-captions.ts";
import type { NoCaptions, ReadVideo } from "./video-shapes.ts";

/** The captions line by line, or why there are none: captions without words count as empty. */
export function linesOf(video: ReadVideo): { lines: Segment[]; reason: NoCaptions | null } {
  const { body, lines, reason } = video;
  if (reason !== null) return { lines: [], reason };
  const read =
    body === null
      ? cleanSegments((lines ?? []).map((each) => ({ ...each, text: plainCaption(each.text) })))
      : readYoutubeCaptions(body);
  return { lines: read, reason: read.length === 0 ? "empty_answer" : null };
}

export const chaptersIn = ({ chapters, description }: ReadVideo) =>
  chapters.length > 0 ? chapters : describedChapters(description);
