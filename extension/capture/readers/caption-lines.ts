import { plainCaption } from "#shared/video/caption-text.ts";
import { cleanSegments } from "#shared/video/rules.ts";
import { parseDescriptionChapters } from "#shared/video/chapters.ts";
import type { TranscriptSegment } from "#shared/video/schema.ts";
import { parseYoutubeCaptions } from "#shared/video/youtube-captions.ts";
import type { NoCaptions, ReadVideo } from "./video-shapes.ts";

/** The captions line by line, or why there are none: captions without words count as empty. */
export function captionLines(video: ReadVideo): { lines: TranscriptSegment[]; reason: NoCaptions | null } {
  const { body, lines, reason } = video;
  if (reason !== null) return { lines: [], reason };
  const cleaned =
    body === null
      ? cleanSegments((lines ?? []).map((line) => ({ ...line, text: plainCaption(line.text) })))
      : parseYoutubeCaptions(body);
  return { lines: cleaned, reason: cleaned.length === 0 ? "empty_answer" : null };
}

export const chaptersOf = ({ chapters, description }: ReadVideo) =>
  chapters.length > 0 ? chapters : parseDescriptionChapters(description);
