import { useEffect } from "react";
import { store } from "#webapp/app/store.ts";
import { findLineCitation } from "./line-citation.ts";
import { stepEpisodeRate } from "./listening-settings.ts";
import {
  spokenLineAtom,
  isEpisodePlayingAtom,
  loadedAtom,
  pause,
  playEpisode,
  skipIn,
  stepChapterIn,
} from "./player.ts";
import type { PodcastView } from "./state.ts";

type ReadyView = Extract<PodcastView, { state: "ready" }>;

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest(
    "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog, [role=menu]",
  ) !== null;
const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("button, a, summary, input") !== null;

function createActions(view: ReadyView): Record<string, () => void> {
  const toggle = () => {
    const isPlaying = store.get(isEpisodePlayingAtom) && store.get(loadedAtom)?.podcast._id === view.podcast._id;
    if (isPlaying) pause();
    else if (view.podcast.duration_ms > 0) void playEpisode(view);
  };
  const openLine = () => {
    // While the host speaks, opens the citation of the guest's previous line.
    const spokenLines = view.transcript.lines.slice(0, store.get(spokenLineAtom) + 1);
    const line = spokenLines.findLast(({ citation }) => citation !== null);
    if (line) findLineCitation(line, view.podcast.sources)?.open();
  };
  return {
    " ": toggle,
    k: toggle,
    arrowleft: () => skipIn(view, -1),
    arrowright: () => skipIn(view, 1),
    "[": () => stepEpisodeRate(-1),
    "]": () => stepEpisodeRate(1),
    n: () => stepChapterIn(view, 1),
    p: () => stepChapterIn(view, -1),
    t: () => document.querySelector<HTMLElement>(".episode-find input")?.focus(),
    o: openLine,
    c: () => document.querySelector<HTMLElement>("[data-make-card]")?.click(),
  };
}

/** Shortcuts for the whole screen, except in text fields. */
export function usePlayerKeys(view: ReadyView): void {
  useEffect(() => {
    const actions = createActions(view);
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = isWriting(event.target);
      const isPressed = [" ", "ArrowLeft", "ArrowRight"].includes(event.key) && isPressable(event.target);
      const action = actions[event.key.toLowerCase()];
      if (isTyping || isPressed || !action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [view]);
}
