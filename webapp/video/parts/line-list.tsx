import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useAtomValue } from "jotai/react";
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import type { TranscriptSegment } from "#shared/video/schema.ts";
import { isPlayingAtom, seekTo } from "../playback.ts";
import { citedAtom, currentLineAtom, type Highlight } from "../state.ts";
import { TranscriptLine } from "./transcript-line.tsx";

const ROW_PX = 44;
const OVERSCAN = 5;

interface Props {
  segments: readonly TranscriptSegment[];
  hits: readonly Highlight[];
  /** Index of the current search hit; -1 for none. */
  hitAt: number;
}

/** A click on the text seeks to it, but selecting text does not. */
function seekToClickedLine({ target }: MouseEvent, segments: readonly TranscriptSegment[]): void {
  if (!(target instanceof Element) || target.closest("button") || !getSelection()?.isCollapsed) return;
  const index = target.closest("[data-line]")?.getAttribute("data-line");
  const segment = index === null || index === undefined ? undefined : segments[Number(index)];
  if (segment) seekTo(segment.startMs);
}

type LineVirtualizer = Virtualizer<HTMLDivElement, Element>;

/** Scrolls to the spoken line while following, to the cited line, and to the search hit. */
function useFollowing(rows: LineVirtualizer, hit: Highlight | null) {
  const current = useAtomValue(currentLineAtom);
  const { highlight } = useAtomValue(citedAtom);
  const [isFollowing, setFollowing] = useState(true);
  const scroll = useEffectEvent((index: number) => rows.scrollToIndex(index, { align: "center" }));
  useEffect(() => {
    if (isFollowing && current >= 0 && getSelection()?.isCollapsed !== false) scroll(current);
  }, [current, isFollowing]);
  useEffect(() => {
    if (highlight) scroll(highlight.from);
  }, [highlight]);
  useEffect(() => {
    if (hit) scroll(hit.from);
  }, [hit]);
  // A search hit ends following, which would scroll away from the hit.
  return { isFollowing: isFollowing && hit === null, setFollowing };
}

interface RowsProps {
  rows: LineVirtualizer;
  segments: readonly TranscriptSegment[];
  hits: readonly Highlight[];
  hit: Highlight | null;
}

const coversLine = (hit: Highlight, index: number) => index >= hit.from && index <= hit.to;

function VisibleLines({ rows, segments, hits, hit }: RowsProps) {
  return (
    <div className="lines-all" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, start, key }) => {
        const segment = segments[index];
        const lineHit = hit && coversLine(hit, index) ? hit : hits.find((candidate) => coversLine(candidate, index));
        return (
          segment && (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="lines-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              <TranscriptLine segment={segment} index={index} hit={lineHit ?? null} />
            </div>
          )
        );
      })}
    </div>
  );
}

/** The virtualised transcript; follows the playback. */
export function LineList({ segments, hits, hitAt }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const isPlaying = useAtomValue(isPlayingAtom);
  // The virtualiser's values change on every scroll and must be read on every render.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const hit = hits[hitAt] ?? null;
  const { isFollowing, setFollowing } = useFollowing(rows, hit);
  return (
    <>
      {/* Clicking a line is for the mouse; keyboard users have the time button of each line. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        ref={scroller}
        className="lines"
        role="region"
        aria-label={t("video.lines")}
        // Focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
        onClick={(event) => seekToClickedLine(event, segments)}
      >
        <VisibleLines rows={rows} segments={segments} hits={hits} hit={hit} />
      </div>
      {!isFollowing && isPlaying && hit === null && (
        <p className="lines-follow">
          <Button onClick={() => setFollowing(true)}>{t("video.follow")}</Button>
        </p>
      )}
    </>
  );
}
