import { useAtomValue } from "jotai/react";
import { memo, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { clockOf } from "#shared/video/rules.ts";
import type { Segment } from "#shared/video/schema.ts";
import { seekTo } from "../playback.ts";
import { citedAtom, currentLineAtom, type Lit } from "../state.ts";

/** The part of a line that a highlight covers; undefined if none. */
function partOf(lit: Lit | null, index: number, length: number): [number, number] | undefined {
  if (!lit || index < lit.from || index > lit.to) return undefined;
  return [index === lit.from ? lit.range[0] : 0, index === lit.to ? lit.range[1] : length];
}

function marked(text: string, part: [number, number] | undefined, className: string): ReactNode {
  if (!part) return text;
  const [start, end] = part;
  return (
    <>
      {text.slice(0, start)}
      <mark className={className}>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

interface Props {
  segment: Segment;
  index: number;
  hit: Lit | null;
}

/** A transcript line: its time and its text. */
export const Line = memo(function Line({ segment, index, hit }: Props) {
  const isCurrent = useAtomValue(currentLineAtom) === index;
  const { lit } = useAtomValue(citedAtom);
  const { text, startMs } = segment;
  const time = clockOf(startMs);
  const cited = partOf(lit, index, text.length);
  const found = cited ? undefined : partOf(hit, index, text.length);
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
        {cited ? marked(text, cited, "lit") : marked(text, found, "line-hit")}
      </p>
    </div>
  );
});
