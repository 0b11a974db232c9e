import { useLayoutEffect, type RefObject } from "react";

/** `veiled`: a modal covers the screen; `contained`: the screen scrolls within itself. */
type RootMark = "veiled" | "contained";

const holders = new Map<RootMark, number>();

function hold(root: HTMLElement, mark: RootMark, change: 1 | -1): void {
  const count = (holders.get(mark) ?? 0) + change;
  holders.set(mark, count);
  root.toggleAttribute(`data-${mark}`, count > 0);
}

/**
 * Sets an attribute on the root element, for styles only, while `ref` is mounted. `html:has(…)` would need no script,
 * but makes browsers re-match the whole document whenever a block is added.
 */
export function useRootMark(ref: RefObject<HTMLElement | null>, mark: RootMark, isOn = true): void {
  useLayoutEffect(() => {
    const root = ref.current?.ownerDocument.documentElement;
    if (!isOn || !root) return undefined;
    hold(root, mark, 1);
    return () => hold(root, mark, -1);
  }, [ref, mark, isOn]);
}
