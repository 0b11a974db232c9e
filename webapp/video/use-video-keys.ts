import { useEffect } from "react";
import { beginLoop, clearLoop, endLoop, seekBy, stepRate, togglePlaying } from "./playback.ts";

/** Shortcut actions provided by the screen. */
export interface VideoKeys {
  line: (step: 1 | -1) => void;
  /** Selects the line being spoken, then extends or shrinks the selection by one line. */
  selectLine: (step: 1 | -1) => void;
  clearSelection: () => void;
  search: () => void;
  note: () => void;
  card: () => void;
  copy: () => void;
  keys: () => void;
}

/** Whether the student is typing. Excludes sliders and the panel's tabs, which keep the focus after a press. */
const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=range], [type=radio]), textarea, select, [contenteditable], dialog, [role=menu]") !==
    null;
/** Whether the key changes the focused volume slider or tab. */
const isForControl = ({ target, key }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  target.closest(".player-volume input, [type=radio]") !== null &&
  key.startsWith("Arrow");
const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("button, a, summary") !== null;

const createActions = (keys: VideoKeys): Record<string, () => void> => ({
  k: togglePlaying,
  " ": togglePlaying,
  ArrowLeft: () => seekBy(-5_000),
  ArrowRight: () => seekBy(5_000),
  j: () => seekBy(-10_000),
  l: () => seekBy(10_000),
  ArrowUp: () => keys.line(-1),
  ArrowDown: () => keys.line(1),
  "<": () => stepRate(-1),
  ">": () => stepRate(1),
  "[": beginLoop,
  "]": endLoop,
  "\\": clearLoop,
  "/": keys.search,
  n: keys.note,
  m: keys.card,
  y: keys.copy,
  "?": keys.keys,
  Escape: keys.clearSelection,
  "Shift ArrowUp": () => keys.selectLine(-1),
  "Shift ArrowDown": () => keys.selectLine(1),
});

/** The Shift key is ignored for letters and symbols. */
const keyName = ({ key, shiftKey }: KeyboardEvent) =>
  key.length === 1 ? key.toLowerCase() : shiftKey ? `Shift ${key}` : key;

/** Shortcuts for the whole screen, except in text fields. */
export function useVideoKeys(keys: VideoKeys): void {
  useEffect(() => {
    const actionsByKey = createActions(keys);
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isWriting(event.target) || isForControl(event) || (event.key === " " && isPressable(event.target))) return;
      const action = actionsByKey[keyName(event)];
      if (!action) return;
      event.preventDefault();
      action();
    };
    // In the capture phase, because the player's own controls would otherwise handle the key too.
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [keys]);
}
