import { useLayoutEffect } from "react";

/** `veiled`: something modal stands over everything; `contained`: the screen scrolls within itself. */
type RootMark = "veiled" | "contained";

const holders = new Map<RootMark, number>();

function hold(mark: RootMark, change: 1 | -1): void {
  const count = (holders.get(mark) ?? 0) + change;
  holders.set(mark, count);
  document.documentElement.toggleAttribute(`data-${mark}`, count > 0);
}

/**
 * Tells the root element, for styles alone, what stands on the screen. `html:has(…)` would say it without a script, but
 * a browser then looks through the whole document again at each block that is written into it.
 */
export function useRootMark(mark: RootMark, isOn = true): void {
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    hold(mark, 1);
    return () => hold(mark, -1);
  }, [mark, isOn]);
}
