import { useEffect, useRef } from "react";
import { giveKeys } from "./viewer/early-keys.ts";
import type { Flow } from "./viewer/flow.ts";

/** Actions of the keyboard shortcuts other than navigation. */
export interface KeyActions {
  find: () => void;
  keys: () => void;
  panel: () => void;
  area: () => void;
  escape: () => void;
  undo: () => void;
  /** Handles a key for the current selection; returns false if there is no selection. */
  selection: (key: string) => boolean;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable='true'], dialog, [role='menu']") !== null;

function moves(flow: Flow): Record<string, (event: KeyboardEvent) => void> {
  const by = (step: number) => flow.jump(flow.view().page + step * (flow.view().spread === "two" ? 2 : 1));
  return {
    j: () => by(1),
    ArrowRight: () => by(1),
    k: () => by(-1),
    ArrowLeft: () => by(-1),
    Home: () => flow.jump(1),
    End: () => flow.jump(flow.pageCount),
    g: () => document.querySelector<HTMLInputElement>(".pdf-page-field input")?.focus(),
    "+": () => flow.zoomBy(1),
    "=": () => flow.zoomBy(1),
    "-": () => flow.zoomBy(-1),
    w: () => flow.setZoom("width"),
    p: () => flow.setZoom("page"),
    d: () => flow.setSpread(flow.view().spread === "one" ? "two" : "one"),
    r: () => flow.turnBy(90),
    R: () => flow.turnBy(-90),
  };
}

/** Keyboard shortcuts of the document screen; ignored while typing in a field. */
export function useKeys(flow: Flow, actions: KeyActions): void {
  const held = useRef(actions);
  useEffect(() => {
    held.current = actions;
  });
  useEffect(() => {
    const table = moves(flow);
    const withControl = (event: KeyboardEvent): (() => void) | undefined => {
      const byKey: Record<string, () => void> = {
        f: () => held.current.find(),
        z: () => held.current.undo(),
        "+": () => flow.zoomBy(1),
        "=": () => flow.zoomBy(1),
        "-": () => flow.zoomBy(-1),
        "0": () => flow.setZoom("width"),
      };
      return byKey[event.key];
    };
    const plain = (event: KeyboardEvent): (() => void) | undefined => {
      const byKey: Record<string, () => void> = {
        "/": () => held.current.find(),
        "?": () => held.current.keys(),
        s: () => held.current.panel(),
        a: () => held.current.area(),
        Escape: () => held.current.escape(),
      };
      const move = table[event.key];
      return byKey[event.key] ?? (move && (() => move(event)));
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
      const hasControl = event.ctrlKey || event.metaKey;
      if (!hasControl && held.current.selection(event.key)) return event.preventDefault();
      // Shift with an arrow key extends the selection.
      if (event.shiftKey && event.key.startsWith("Arrow")) return undefined;
      const act = hasControl ? withControl(event) : plain(event);
      if (!act) return undefined;
      event.preventDefault();
      act();
      return undefined;
    };
    document.addEventListener("keydown", pressed);
    void giveKeys();
    return () => document.removeEventListener("keydown", pressed);
  }, [flow]);
}
