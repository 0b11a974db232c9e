import { useEffect, useRef } from "react";
import { replayKeys } from "./viewer/key-buffer.ts";
import type { Flow } from "./viewer/flow.ts";
import { isTyping } from "./viewer/is-typing.ts";

/** Actions of the keyboard shortcuts other than navigation. */
export interface ShortcutActions {
  find: () => void;
  keys: () => void;
  panel: () => void;
  outline: () => void;
  area: () => void;
  escape: () => void;
  undo: () => void;
  /** Handles a key for the current selection; returns false if there is no selection. */
  selection: (key: string) => boolean;
}

function createNavigationKeys(flow: Flow): Record<string, (event: KeyboardEvent) => void> {
  const moveBy = (step: number) => flow.jump(flow.view().page + step * (flow.view().spread === "two" ? 2 : 1));
  return {
    j: () => moveBy(1),
    ArrowRight: () => moveBy(1),
    k: () => moveBy(-1),
    ArrowLeft: () => moveBy(-1),
    Home: () => flow.jump(1),
    End: () => flow.jump(flow.pageCount),
    g: () => document.querySelector<HTMLInputElement>(".pdf-page-field input")?.focus(),
    "+": () => flow.zoomBy(1),
    "=": () => flow.zoomBy(1),
    "-": () => flow.zoomBy(-1),
    w: () => flow.setZoom("width"),
    p: () => flow.setZoom("page"),
    d: () => flow.setSpread(flow.view().spread === "one" ? "two" : "one"),
    r: () => flow.rotateBy(90),
    R: () => flow.rotateBy(-90),
  };
}

/** Keyboard shortcuts of the document screen; ignored while typing in a field. */
export function useShortcuts(flow: Flow, actions: ShortcutActions): void {
  const latestActions = useRef(actions);
  useEffect(() => {
    latestActions.current = actions;
  });
  useEffect(() => {
    const navigationKeys = createNavigationKeys(flow);
    const findControlAction = (event: KeyboardEvent): (() => void) | undefined => {
      const byKey: Record<string, () => void> = {
        f: () => latestActions.current.find(),
        z: () => latestActions.current.undo(),
        "+": () => flow.zoomBy(1),
        "=": () => flow.zoomBy(1),
        "-": () => flow.zoomBy(-1),
        "0": () => flow.setZoom("width"),
      };
      return byKey[event.key];
    };
    const findPlainAction = (event: KeyboardEvent): (() => void) | undefined => {
      const byKey: Record<string, () => void> = {
        "/": () => latestActions.current.find(),
        "?": () => latestActions.current.keys(),
        s: () => latestActions.current.panel(),
        o: () => latestActions.current.outline(),
        a: () => latestActions.current.area(),
        Escape: () => latestActions.current.escape(),
      };
      const move = navigationKeys[event.key];
      return byKey[event.key] ?? (move && (() => move(event)));
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTyping(event)) return;
      const hasControl = event.ctrlKey || event.metaKey;
      if (!hasControl && latestActions.current.selection(event.key)) return event.preventDefault();
      // Shift with an arrow key extends the selection.
      if (event.shiftKey && event.key.startsWith("Arrow")) return undefined;
      const act = hasControl ? findControlAction(event) : findPlainAction(event);
      if (!act) return undefined;
      event.preventDefault();
      act();
      return undefined;
    };
    document.addEventListener("keydown", onKeyDown);
    void replayKeys();
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [flow]);
}
