import { useEffect, useState } from "react";
import type { Segment } from "#shared/video/schema.ts";

/** Selected transcript text with its time range. */
export interface Selected {
  text: string;
  startMs: number;
  endMs: number;
}

const MAX_CHARS = 2_000;

const lineAt = (node: Node | null): Element | null =>
  (node instanceof Element ? node : node?.parentElement)?.closest("[data-line]") ?? null;

function read(segments: readonly Segment[]): Selected | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const [first, last] = [lineAt(range.startContainer), lineAt(range.endContainer)];
  if (!first && !last) return null;
  const indexOf = (line: Element | null) => Number((line ?? first ?? last)?.getAttribute("data-line"));
  const [from, to] = [segments[indexOf(first)], segments[indexOf(last)]];
  // Timestamps are between the lines; only the text is quoted.
  const words = [...range.cloneContents().querySelectorAll(".line-text")].map((each) => each.textContent).join(" ");
  const text = (words || selection.toString()).replace(/\s+/gu, " ").trim().slice(0, MAX_CHARS);
  return from && to && text !== "" ? { text, startMs: from.startMs, endMs: Math.max(from.endMs, to.endMs) } : null;
}

const wordsOf = (index: number) => document.querySelector(`[data-line="${index}"] .line-text`);
const indexAt = (node: Node | null) => Number(lineAt(node)?.getAttribute("data-line") ?? Number.NaN);

/** Keyboard selection: selects the line `spoken`, then extends or shrinks by one line. */
export function chooseLine(spoken: number, step: 1 | -1): void {
  const selection = getSelection();
  if (!selection) return;
  const [from, to] = selection.isCollapsed ? [] : [indexAt(selection.anchorNode), indexAt(selection.focusNode)];
  const isBegun = from !== undefined && to !== undefined && Number.isFinite(from + to);
  const [first, last] = isBegun ? [from, to + step] : [spoken, spoken];
  const [anchor, focus] = [wordsOf(first), wordsOf(last)];
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

export const chooseNothing = (): void => getSelection()?.removeAllRanges();

/** The selected text in the transcript; null if nothing is selected. */
export function useSelected(segments: readonly Segment[]): Selected | null {
  const [selected, setSelected] = useState<Selected | null>(null);
  useEffect(() => {
    const look = () => setSelected(read(segments));
    document.addEventListener("selectionchange", look);
    return () => document.removeEventListener("selectionchange", look);
  }, [segments]);
  return selected;
}
