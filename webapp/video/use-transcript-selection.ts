import { useEffect, useState } from "react";
import type { TranscriptSegment } from "#shared/video/schema.ts";

/** Selected transcript text with its time range. */
export interface TranscriptSelection {
  text: string;
  startMs: number;
  endMs: number;
}

const MAX_CHARS = 2_000;

const lineOf = (node: Node | null): Element | null =>
  (node instanceof Element ? node : node?.parentElement)?.closest("[data-line]") ?? null;

function readSelection(segments: readonly TranscriptSegment[]): TranscriptSelection | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const [first, last] = [lineOf(range.startContainer), lineOf(range.endContainer)];
  if (!first && !last) return null;
  const indexOf = (line: Element | null) => Number((line ?? first ?? last)?.getAttribute("data-line"));
  const [from, to] = [segments[indexOf(first)], segments[indexOf(last)]];
  // Quotes only the text, without the timestamps between the lines.
  const words = [...range.cloneContents().querySelectorAll(".line-text")]
    .map((element) => element.textContent)
    .join(" ");
  const text = (words || selection.toString()).replace(/\s+/gu, " ").trim().slice(0, MAX_CHARS);
  return from && to && text !== "" ? { text, startMs: from.startMs, endMs: Math.max(from.endMs, to.endMs) } : null;
}

const lineTextElement = (index: number) => document.querySelector(`[data-line="${index}"] .line-text`);
const lineIndexOf = (node: Node | null) => Number(lineOf(node)?.getAttribute("data-line") ?? Number.NaN);

/** Selection by keyboard: selects the spoken line, then extends or shrinks the selection by one line. */
export function selectLine(spokenIndex: number, step: 1 | -1): void {
  const selection = getSelection();
  if (!selection) return;
  const [from, to] = selection.isCollapsed ? [] : [lineIndexOf(selection.anchorNode), lineIndexOf(selection.focusNode)];
  const hasSelection = from !== undefined && to !== undefined && Number.isFinite(from + to);
  const [first, last] = hasSelection ? [from, to + step] : [spokenIndex, spokenIndex];
  const [anchor, focus] = [lineTextElement(first), lineTextElement(last)];
  if (!anchor || !focus) return;
  const isForward = last >= first;
  selection.setBaseAndExtent(
    anchor,
    isForward ? 0 : anchor.childNodes.length,
    focus,
    isForward ? focus.childNodes.length : 0,
  );
  focus.scrollIntoView({ block: "nearest" });
}

export const clearSelection = (): void => getSelection()?.removeAllRanges();

/** The selected text in the transcript; null if nothing is selected. */
export function useTranscriptSelection(segments: readonly TranscriptSegment[]): TranscriptSelection | null {
  const [selected, setSelected] = useState<TranscriptSelection | null>(null);
  useEffect(() => {
    const update = () => setSelected(readSelection(segments));
    document.addEventListener("selectionchange", update);
    return () => document.removeEventListener("selectionchange", update);
  }, [segments]);
  return selected;
}
