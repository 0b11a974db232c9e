import { useAtomValue } from "jotai/react";
import { memo, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import type { TranscriptSegment } from "#shared/video/schema.ts";
import { seekTo } from "../playback.ts";
import { citedAtom, currentLineAtom, type Highlight } from "../state.ts";

/** The part of a line that a highlight covers; undefined if it does not cover the line. */
function computeHighlightedRange(
  highlight: Highlight | null,
  index: number,
  length: number,
): [number, number] | undefined {
  if (!highlight || index < highlight.from || index > highlight.to) return undefined;
  return [index === highlight.from ? highlight.range[0] : 0, index === highlight.to ? highlight.range[1] : length];
}

function renderHighlight(text: string, range: [number, number] | undefined, className: string): ReactNode {
  if (!range) return text;
  const [start, end] = range;
  return (
    <>
      {text.slice(0, start)}
      <mark className={className}>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

interface Props {
  segment: TranscriptSegment;
  index: number;
  hit: Highlight | null;
}

/** A transcript line: its time and its text. */
export const TranscriptLine = memo(function TranscriptLine({ segment, index, hit }: Props) {
  const isCurrent = useAtomValue(currentLineAtom) === index;
  const { highlight } = useAtomValue(citedAtom);
  const { text, startMs } = segment;
  const time = formatTimecode(startMs);
  const cited = computeHighlightedRange(highlight, index, text.length);
  const found = cited ? undefined : computeHighlightedRange(hit, index, text.length);
  return (
    <div className="line" data-line={index} data-current={isCurrent}>
      <button
        type="button"
        className="line-time"
        aria-label={t("video.go_to", { time })}
        onClick={() => seekTo(startMs)}
      >
        {time}
      </button>
      <p className="line-text" dir="auto">
        {cited ? renderHighlight(text, cited, "lit") : renderHighlight(text, found, "line-hit")}
      </p>
    </div>
  );
});
