import { useLayoutEffect, type RefObject } from "react";

/** `veiled`: something modal stands over everything; `contained`: the screen scrolls within itself. */
type RootMark = "veiled" | "contained";

const holders = new Map<RootMark, number>();

function hold(root: HTMLElement, mark: RootMark, change: 1 | -1): void {
  const count = (holders.get(mark) ?? 0) + change;
  holders.set(mark, count);
  root.toggleAttribute(`data-${mark}`, count > 0);
}

/**
 * Tells the root element, for styles alone, what stands on the screen while `ref` is there. `html:has(…)` would say it
 * without a script, but a browser then looks through the whole document again at each block that is written into it.
 */
export function useRootMark(ref: RefObject<HTMLElement | null>, mark: RootMark, isOn = true): void {
  useLayoutEffect(() => {
    const root = ref.current?.ownerDocument.documentElement;
    if (!isOn || !root) return undefined;
    hold(root, mark, 1);
    return () => hold(root, mark, -1);
  }, [ref, mark, isOn]);
}
